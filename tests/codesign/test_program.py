from accelerator_lib.codesign import program

TEXT = """HloModule jit_f, is_scheduled=true

FileNames
1 "a.py"

%region_0.1 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}

%fused_computation (param_0: f32[8,16]) -> f32[8,16] {
  %param_0 = f32[8,16]{1,0} parameter(0)
  %exp.1 = f32[8,16]{1,0} exponential(%param_0), metadata={op_name="jit(f)/exp"}
  ROOT %add.1 = f32[8,16]{1,0} add(%exp.1, %param_0)
}

%square.7 (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %multiply.9 = f32[8]{0} multiply(%p, %p)
}

ENTRY %main.5 (x.1: f32[8,16]) -> f32[8] {
  %x.1 = f32[8,16]{1,0} parameter(0)
  %zero = f32[] constant(0)
  %my_fusion = f32[8,16]{1,0} fusion(%x.1), kind=kLoop, calls=%fused_computation, backend_config={"a":{"b":[1]}}
  %sum.2 = f32[8]{0} reduce(%my_fusion, %zero), dimensions={1}, to_apply=%region_0.1
  ROOT %call.1 = f32[8]{0} call(%sum.2), to_apply=%square.7
}
"""


def test_remarks_and_layouts_go_the_program_stays():
    clean = program.cleaned(TEXT)
    assert clean.startswith("%region_0.1") and "metadata" not in clean and "backend_config" not in clean
    assert "f32[8,16] exponential(%param_0)" in clean and "calls=%fused_computation\n" in clean
    assert program.cleaned(clean) == clean


def test_steps_kernels_and_bytes_by_hand():
    found = program.read(program.cleaned(TEXT))
    assert found.steps == (
        ("exp.1", "exponential", "8 × 16", "my_fusion"),
        ("add.1", "add", "8 × 16", "my_fusion"),
        ("sum.2", "reduce", "8", ""),
        ("multiply.9", "multiply", "8", ""),
    )
    assert found.fusions == 1
    assert found.bytes == (512 + 512) + (512 + 4 + 32) + (32 + 32)


def test_stems():
    assert [program.stem(name) for name in ("multiply.3", "x", "a.b.12", "reduce_sum")] == [
        "multiply",
        "x",
        "a.b",
        "reduce_sum",
    ]
