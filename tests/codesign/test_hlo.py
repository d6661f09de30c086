"""A program as XLA writes it down, read line by line and pass by pass."""

import tempfile
from itertools import pairwise

import jax
import jax.numpy as jnp
import pytest

from accelerator_lib import data
from accelerator_lib.codesign import hlo

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


def test_remarks_go_and_steps_kernels_and_bytes_by_hand():
    clean = hlo.cleaned(TEXT)
    assert clean.startswith("%region_0.1") and "metadata" not in clean and "backend_config" not in clean
    assert "f32[8,16] exponential(%param_0)" in clean and "calls=%fused_computation\n" in clean
    assert hlo.cleaned(clean) == clean
    found = hlo.read(hlo.cleaned(TEXT))
    assert found.steps == (
        ("exp.1", "exponential", "8 × 16", "my_fusion"),
        ("add.1", "add", "8 × 16", "my_fusion"),
        ("sum.2", "reduce", "8", ""),
        ("multiply.9", "multiply", "8", ""),
    )
    assert found.fusions == 1
    assert found.bytes == (512 + 512) + (512 + 4 + 32) + (32 + 32)
    stems = [hlo.stem(name) for name in ("multiply.3", "x", "a.b.12", "reduce_sum")]
    assert stems == ["multiply", "x", "a.b", "reduce_sum"]
    assert hlo.array_bytes("(bf16[8]{0}, pred[3], s32[])") == 16 + 3 + 4


def norm(x):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


def mlp(x, up, down):
    return norm(jax.nn.relu(x @ up) @ down)


CASES = {
    "mlp": (mlp, (64, 128), (128, 512), (512, 128)),
    "softmax": (lambda x: jax.nn.softmax(x, -1), (256, 256)),
    "chain": (lambda x: jnp.tanh(x * 2) + x / 512, (256, 512)),
}


@pytest.mark.parametrize("name", CASES)
def test_frames_are_a_history_that_ends_with_the_compiled_program_and_the_bytes_of_xla(name):
    frames = hlo.passes(*CASES[name])
    assert frames[0].pass_name == "as written" and not frames[0].removed and not frames[0].added
    assert frames[0].snapshot == 1
    assert len(frames) >= 2 and frames[-1].fusions >= 1 and frames[-1].operations < frames[0].operations
    for one, other in pairwise(frames):
        assert one.text != other.text and one.snapshot < other.snapshot <= other.snapshots
        before, after = {i.key for i in one.instructions}, {i.key for i in other.instructions}
        assert before - after == {i.key for i in other.removed} and after - before == set(other.added)
        assert len(after) == len(other.instructions)
    frames, (before, after) = hlo.passes(*CASES[name]), hlo.traffic(*CASES[name])
    assert frames[-1].bytes == pytest.approx(after, rel=0.03)
    assert frames[0].bytes == pytest.approx(before, rel=0.06)
    assert frames[-1].bytes < frames[0].bytes
    function, *shapes = CASES[name]
    made = [jax.ShapeDtypeStruct(shape, "float32") for shape in shapes]
    text = hlo.cleaned(jax.jit(function).lower(*made).compile().as_text())
    last = hlo.passes(*CASES[name])[-1].instructions
    assert sorted(step[1:3] for step in hlo.read(text).steps) == sorted((one.opcode, one.shape) for one in last)


def test_a_division_by_a_constant_becomes_a_product_and_a_doubled_term_is_computed_once():
    frames = hlo.passes(lambda x: jnp.exp(x) / 512 + jnp.exp(x) / 512, (64, 64))
    count = [sum(one.opcode == "exponential" for one in frame.instructions) for frame in frames]
    assert count[0] == 2 and count[-1] == 1
    assert not any(one.opcode == "divide" for one in frames[-1].instructions)
    assert "cse" in [frame.pass_name for frame in frames]


def test_a_step_is_known_by_its_name_then_its_stem_then_by_what_it_does():
    given = (1, "a.1", "8"), (2, "b.1", "8"), (3, "c", "9")
    old = [hlo.Instruction(key, name, "add", shape) for key, name, shape in given]
    steps = [("d", "add", "9", ""), ("b.7", "add", "8", ""), ("a.1", "add", "8", ""), ("e", "add", "7", "")]
    assert hlo._known(old, steps) == {2: 1, 1: 2, 0: 3}


def test_where_xla_writes_nothing_the_first_and_the_last_are_left(monkeypatch):
    monkeypatch.setattr(hlo, "dump", lambda lowered: [])
    first, last = hlo.passes(lambda x: jnp.sin(x) * 3 + 1, (32, 32))
    assert (first.pass_name, last.pass_name) == ("as written", "compiled") and last.fusions >= 1


def test_nothing_is_left_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert hlo.passes(lambda x: jnp.cos(x) + 4, (16, 16))[0].snapshots > 2
    assert not list(tmp_path.iterdir())


def test_the_same_question_is_kept_and_every_pass_has_its_name():
    assert hlo.passes(*CASES["mlp"]) is hlo.passes(*CASES["mlp"])
    seen = {frame.pass_name for case in CASES.values() for frame in hlo.passes(*case)}
    assert {"algsimp", "fusion"} <= seen & set(data.load("codesign")["passes"])
