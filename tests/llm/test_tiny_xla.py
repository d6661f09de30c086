"""The small transformer through XLA: the same text, and as many FLOP as the formula counts, nearly."""

from accelerator_lib.llm import tiny_xla, writing


def test_through_xla_the_same_text():
    text, apart = tiny_xla.write_compiled(4, 12, "4")
    assert text == list(writing.write(4, 12, "4"))[-1].text and apart < 1e-4


def test_xla_counts_what_the_formula_counts_and_the_rest_fades_with_the_width():
    narrow, wide = tiny_xla.xla_flops("4"), tiny_xla.xla_flops("4", 512)
    assert 1 < wide[0] / wide[1] < 1.004 < narrow[0] / narrow[1] < 1.04
