import pytest

from accelerator_lib.network import hlo


def test_text_of_programs():
    text = """
      %a = f32[64,1024]{1,0} all-reduce(f32[64,1024]{1,0} %dot), channel_id=1
      %b = (bf16[8]{0}, f32[2,2]{1,0}) all-reduce-start(%x, %y), channel_id=2
      %c = f32[] collective-permute(f32[] %z), source_target_pairs={{0,1}}
      ROOT %d = f32[4]{0} add(%all-reduce.1, %a)
    """
    assert hlo.collectives(text) == (
        hlo.Collective("all-reduce", 1, 64 * 1024 * 4),
        hlo.Collective("all-reduce", 2, 16 + 16),
        hlo.Collective("collective-permute", 1, 4),
    )
    with pytest.raises(ValueError, match="'c64'"):
        hlo.collectives("%a = c64[2]{0} all-reduce(%b)")
    with pytest.raises(TypeError, match="must be that of a compiled program"):
        hlo.collectives(None)


def test_bytes_of_the_arrays_in_a_type():
    assert hlo.array_bytes("f32[64,1024]{1,0}") == 64 * 1024 * 4
    assert hlo.array_bytes("(bf16[8]{0}, pred[3], s32[])") == 16 + 3 + 4
