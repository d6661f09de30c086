"""Laws that stand in a cell of chapter 10b and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import hardware, llm
from accelerator_lib.llm import tiers
from accelerator_lib.memory.hostlink import LINKS

H100 = hardware.chip("h100-sxm5")
READ_8B, READ_70B = 7_504_924_672, 69_503_033_344  # weights without the table of inputs


@pytest.mark.parametrize("link", list(LINKS))
@pytest.mark.parametrize("tokens", [16, 4096, np.array([16.0, 131_072.0])])
def test_swap_or_recompute(link, tokens):
    here = law("serving", "tiers-function", "aside")(tokens, 16, link, 0.5)
    one = tiers.put_aside(tokens=tokens, block=16, link_bytes_per_s=LINKS[link], mfu=0.5)
    assert here["swap, one piece"] == pytest.approx(2 * tokens * 131_072 / LINKS[link])
    assert here["swap, page by page"] == pytest.approx(one.pieces_seconds)
    assert here["recompute"] == pytest.approx(llm.prefill("llama-3-8b", "h100-sxm5", tokens, mfu=0.5)[1])


def test_requests_in_pieces_and_in_blocks():
    here = law("serving", "paging-function", "paging")()
    assert here.slots == int((0.9 * 80e9 - 2 * 6_738_415_616) // 524_288)
    assert here.reserved_share == llm.kv_utilization(here.lengths)
    assert here.block_share == llm.kv_utilization(here.lengths, block=16)


@pytest.mark.parametrize("batch", [1, 64, 512])
@pytest.mark.parametrize("acceptance, drafted", [(0.3, 1), (0.8, 4), (0.95, 12)])
def test_what_speculation_pays(batch, acceptance, drafted):
    here = law("serving", "pays-function", "pays")(batch, acceptance, drafted)
    context = batch * 1024
    large = (2 * READ_70B + context * 327_680) / (8 * H100.bytes_per_s)
    small = (2 * READ_8B + context * 131_072) / (8 * H100.bytes_per_s)
    work = batch * (2 * READ_70B + 4 * 80 * 8192 * 1024) / (8 * H100.peak("bf16"))
    draft = batch * (2 * READ_8B + 4 * 32 * 4096 * 1024) / (8 * H100.peak("bf16"))
    tokens = sum(acceptance**n for n in range(drafted + 1))
    sums = 2 * 28e-6  # two in each layer
    seconds = drafted * (max(small, draft) + 32 * sums) + max(large, (drafted + 1) * work) + 80 * sums
    assert here["tokens"] == pytest.approx(tokens)
    assert here["speed"] == pytest.approx(tokens * (max(large, work) + 80 * sums) / seconds)


def test_a_pause_is_a_step_of_the_whole_prompt_or_of_a_chunk():
    pause = law("serving", "pause-function", "pause")
    head = 128_256 * 4096
    for chunk, tokens in (("whole", 8192 + 31), ("2,048 tokens", 2048), ("512 tokens", 512)):
        flops = 2 * (READ_8B - head) * tokens + 2 * head * 32  # 31 who stream, and the end of the prompt
        flops += 4 * 32 * 4096 * (min(tokens, 8192) * (8192 - min(tokens, 8192) / 2))  # which meets all before it
        assert pause(8192, chunk, 31).longest == pytest.approx(flops / (0.5 * H100.peak("bf16")), rel=0.02)
