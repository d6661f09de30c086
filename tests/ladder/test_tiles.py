"""Tiles: bounds by hand, rungs that name their faults, wrong texts refused at their line."""

import pytest

from accelerator_course import ladder
from accelerator_lib.tiling import io_lower_bound_words
from accelerator_lib.workload import Gemm

RUNGS = {id: rung for id, rung in ladder.rungs().items() if rung.machine == "pallas"}


def test_bounds_by_hand():
    product, softmax = RUNGS["product"], RUNGS["softmax"]
    words = product.room_bytes / 4
    assert product.bound == 4 * io_lower_bound_words(Gemm(256, 256, 256), words) > 3 * 4 * 256 * 256
    assert product.least(product.case({"m": 8, "n": 8, "k": 8})) == 3 * 4 * 64
    assert softmax.bound == 2 * 4 * 32 * 1024 and RUNGS["attention"].bound == 4 * 4 * 256 * 32
    assert RUNGS["fused"].bound == 4 * (2 * 256 * 64 + 256 + 256 * 256)


def test_pars_by_hand():
    """m n (k / BN + k / BM + 1) numbers for the product; two passes in and one out for softmax."""
    assert RUNGS["product"].par == 4 * 256**2 * (256 / 64 + 256 / 64 + 1)
    assert RUNGS["fused"].par == 4 * (256**2 * (64 / 64 + 64 / 64 + 1) + 4 * 256)
    assert RUNGS["softmax"].par == 3 * 4 * 32 * 1024
    assert RUNGS["attention"].par == 4 * 32 * (2 * 256 + 2 * (64 + 128 + 192 + 256))


def test_no_blocks_of_the_product_in_this_room_move_fewer_bytes():
    """Every block of sums with the thinnest blocks of a and b; bytes as ragged blocks move them."""
    rung, side = RUNGS["product"], 256
    best = min(
        side * side * (-(-side // bm) + -(-side // bn) + 1)
        for bm in range(1, side + 1)
        for bn in range(1, side + 1)
        if 2 * 4 * (bm * bn + bm + bn) <= rung.room_bytes
    )
    assert rung.par == 4 * best


def test_rows_of_the_softmax_do_not_fit():
    rung = RUNGS["softmax"]
    text = rung.worked.text.replace("ROWS, COLS = 8, 32", "ROWS, COLS = 1, 1024")
    verdict = ladder.judge(rung, text)
    assert "twice its blocks and its scratch are 16,392 bytes; the chip has room for 8,192" in verdict.problem


def test_who_goes_back_and_forth_beats_the_par_of_softmax():
    """Pass 1 begins where pass 0 ended: its first block is still there."""
    text = RUNGS["softmax"].worked.text
    text = text.replace(
        "turn, step = pl.program_id(1), pl.program_id(2)",
        (
            "turn, step = pl.program_id(1), pl.program_id(2)\n    step = step + turn * (pl.num_programs(2) - 1 - 2 * step)"
        ),
    )
    text = text.replace("lambda i, turn, step: (i, step)", "lambda i, turn, step: (i, back(turn, step))")
    text = text.replace("lambda i, turn, step: (i, turn * step)", "lambda i, turn, step: (i, out_at(turn, step))")
    text = text.replace("def kernel", (
        "LAST = pl.cdiv(cols, COLS) - 1\n\ndef back(turn, step):\n    return step + turn * (LAST - 2 * step)\n\n"
        "def out_at(turn, step):\n    return turn * (LAST - step) + (1 - turn) * LAST\n\ndef kernel"))  # fmt: skip
    text = text.replace("(turn == 0) & (step == 0)", "(turn == 0) & (pl.program_id(2) == 0)")
    verdict = ladder.judge("softmax", text)
    assert verdict.right and verdict.beaten and verdict.par - verdict.score == 32 * 32 * 4, verdict.problem


@pytest.mark.parametrize("id, change, line, words", [
    ("product", lambda t: t.replace("jnp.where(across, a_ref[...], 0.0)", "a_ref[...]"), "c_ref[...] +=", "past the edge"),
    ("product", lambda t: t.replace("step == 0", "step == 1"), "c_ref[...] +=", "c is read before this step wrote there"),
    ("product", lambda t: t.replace("BM, BN, BK = 64, 64, 8", "BM, BN, BK = 64, 64, 16"), "c = pl.pallas_call(", "room for 40,960"),
    ("product", lambda t: t.replace("(i, step)", "(step, i)"), None, "but the blocks of a are|expected"),
    ("product", lambda t: t.replace("pl.cdiv(m, BM)", "m // BM"), "c = pl.pallas_call(", "whole numbers above 0"),
    ("product", lambda t: t.replace("pl.cdiv(m, BM)", "max(1, m // BM)"), None, "was never written"),
    ("product", lambda t: t.replace("c_ref[...] +=", "c_ref[...] ="), None, "expected is"),
    ("fused", lambda t: t.replace("step == pl.num_programs(2) - 1", "step >= 0"), None, "expected is"),
    ("fused", lambda t: t.replace(" + bias_ref[...]", ""), None, "expected is"),
    ("softmax", lambda t: t.replace("sum_ref[...] * jnp.exp(top_ref[...] - top) + added", "sum_ref[...] + added"), None, "expected is"),
    ("attention", lambda t: t.replace("jnp.where(inside, v_ref[...], 0.0)", "v_ref[...]"), "out_ref[...] = sums", "nan goes to out"),
    ("attention", lambda t: t.replace("col <= row", "col < row"), "out_ref[...] = sums", "nan goes to out"),
    ("attention", lambda t: t.replace("(col <= row) & (col < tokens)", "col < tokens"), None, "expected is"),
    ("attention", lambda t: t.replace("sums_ref[...] * scale", "sums_ref[...]"), None, "expected is"),
])  # fmt: skip
def test_a_wrong_text_is_refused_at_its_line(id, change, line, words):
    import re

    text = change(RUNGS[id].worked.text)
    assert text != RUNGS[id].worked.text
    verdict = ladder.judge(id, text)
    assert not verdict.right and re.search(words, verdict.problem), verdict.problem
    if line is not None:
        assert text.splitlines()[verdict.line - 1].strip().startswith(line), verdict.problem
