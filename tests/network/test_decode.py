import pytest

from accelerator_lib import hardware, llm, network
from accelerator_lib.network import decode

H100, LLAMA = hardware.chip("h100-sxm5"), llm.model("llama-3-70b")


def best(**more):
    return min((one for one in decode.tokens(LLAMA, H100, **more) if one.fits), key=lambda one: one.seconds).n


def test_the_plans_numbers():
    assert decode.token(LLAMA, H100, 8).seconds == pytest.approx(9.727069263814262e-3)
    far = decode.token(LLAMA, H100, 32)
    assert far.seconds == pytest.approx(21.1605054492869e-3)
    assert far.read_seconds == pytest.approx(1.3e-3, abs=5e-5) and far.latency_seconds == pytest.approx(19.84e-3)
    assert [best(algorithm=way) for way in ("ring", "halving", "direct")] == [8, 64, 64]
    assert best(step_seconds=0.2e-6) == 32


@pytest.mark.parametrize("way", network.ALGORITHMS)
@pytest.mark.parametrize("batch", [1, 64])
def test_a_token_written_out(way, batch):
    for one in decode.tokens(LLAMA, H100, batch, algorithm=way):
        step = llm.decode_step(LLAMA, H100, batch, 4096, n_chips=one.n).seconds
        talk = 160 * network.all_reduce_seconds(batch * 8192 * 2, one.n, 450e9, 2e-6, way)
        assert one.seconds == pytest.approx(step + talk)


def test_four_times_the_chips():
    gain = {
        way: decode.token(LLAMA, H100, 8, algorithm=way).seconds / decode.token(LLAMA, H100, 32, algorithm=way).seconds
        for way in ("ring", "halving", "direct")
    }
    assert (
        gain["ring"] < 0.5
        and gain["halving"] == pytest.approx(1.6, abs=0.05)
        and gain["direct"] == pytest.approx(3.1, abs=0.05)
    )


def test_what_does_not_fit():
    assert [one.fits for one in decode.tokens(LLAMA, H100)] == [False] + [True] * 6
    assert [one.fits for one in decode.tokens(LLAMA, H100, 256)] == [False] * 3 + [True] * 4
    assert decode.token(LLAMA, H100, 1).talk_seconds == 0
