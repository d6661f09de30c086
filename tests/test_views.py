import numpy as np
import pytest
from matplotlib.colors import to_rgb

from accelerator_lib import gpu, hardware, memory, roofline, systolic, tiling, views, workload
from accelerator_lib.energy import table
from accelerator_lib.gpu import access, scheduler, simt
from accelerator_lib.machine import staircase
from accelerator_lib.memory import cache, hostlink, levels, programs, reuse
from accelerator_lib.quiz import standing
from accelerator_lib.roofline import losses
from accelerator_lib.systolic import layers, tpu
from accelerator_lib.tiling import fusion, softmax
from accelerator_lib.views import style
from accelerator_lib.views.render import Renderer
from accelerator_lib.workload import Conv, Elementwise, Gemm, mixture, networks, profile, transformer, xla

H100 = hardware.chip("h100-sxm5")
LINE = [hardware.chip(id) for id in ("v100-sxm2-32gb", "a100-80gb-sxm", "h100-sxm5", "h200-sxm", "b200")]


def place(m, chip=H100):
    return roofline.place(Gemm(m, 8192, 8192), chip)


def summary(passed):
    rows = [
        standing.Row(
            n,
            f"Chapter {n} with a title that is rather long for its line",
            9,
            3,
            standing.Chapter(n, 0, 2, 0.8, n <= passed),
        )
        for n in range(1, 14)
    ]
    return standing.Summary("2026-01-02", tuple(rows), (("after chapter 3", 0.9),), ("abc", "def"), "ACC1-" + "A" * 150)


def traced(kib, stride):
    own, addresses = memory.Cache(64, 8, 64), np.arange(0, kib * 1024, stride)
    return own, memory.census(addresses, own, 10), cache.settled(addresses, own)


def curve(name, kib):
    trace = programs.addresses(name)
    return name, len(trace), reuse.capacity_curve(trace), reuse.ways_curve(trace, 64), kib


SCORES = np.array([1.0, 3.0, -2.0, 5.0, 0.0, 4.0])


def stream_states():
    values = np.random.default_rng(0).standard_normal((6, 8))
    full = softmax.reference(SCORES, values)
    return [(state, 2 * (i + 1), full) for i, state in enumerate(softmax.stream(SCORES, values, 2))]


def attention_times(share):
    tokens = np.geomspace(128, 65_536, 40).round()
    model = {
        name: tiling.attention_seconds(tokens, 64, 8, 16, "a100-40gb-sxm", name, share) for name in tiling.ALGORITHMS
    }
    return tokens, model, {"standard": [(1024, 1e-3), (4096, 2e-2)], "flash": [(1024, 1e-3), (4096, 1e-2)]}, share


def tile_budget(edge):
    room = tiling.Budget(163 * 1024, 256 * 1024)
    return tiling.square(8192), edge, edge, "bf16", tiling.budget(edge, edge, 64), room


def marched(rows, cols, k, dataflow):
    """(states, position) of a small product on an array of its size."""
    draw = np.random.default_rng(0)
    a, b = draw.integers(1, 5, (rows, k)), draw.integers(1, 5, (k, cols))
    states = list(systolic.steps(a, b, rows, cols, dataflow))
    return [(states, at) for at in range(len(states))]


CASES = {
    "Roofline": (lambda: views.roofline.Roofline(), [place(1), place(512), place(16384), place(2, "tpu-v4")]),
    "Kernels": (
        lambda: views.roofline.Kernels(),
        [
            [("ReLU", roofline.place(Elementwise(10**6), H100)), ("product", place(512))],
            [(name, roofline.place(conv, H100)) for name, conv in networks.convolutions("resnet-50", 8)],
        ],
    ),
    "MemoryWall": (lambda: views.roofline.MemoryWall(LINE), [2017, 2020, 2025]),
    "LaunchOverhead": (
        lambda: views.roofline.LaunchOverhead(),
        [losses.launched_step(k, 5e-6, 6.87e-3) for k in (1, 300, 2000)],
    ),
    "LossWaterfall": (lambda: views.roofline.LossWaterfall(), [losses.from_peak(), losses.from_peak(1, 1, 1, 1)]),
    "Utilization": (lambda: views.roofline.Utilization(), [(0.4, None), (0.01, 0.8), (1.5, 0.2)]),
    "Serving": (lambda: views.roofline.Serving(), [(place(np.arange(1, 4097)), place(m)) for m in (1, 4096)]),
    "Amdahl": (lambda: views.roofline.Amdahl(), [(0.8, 16, roofline.amdahl(0.8, 16)), (1.0, 64, 64.0)]),
    "LayerTime": (
        lambda: views.roofline.LayerTime(),
        [losses.layer_time(m, H100, f, 5e-6) for m, f in ((1, 0), (4096, 1))],
    ),
    "OperatorClasses": (lambda: views.workload.OperatorClasses(), [profile.after(), profile.after(16, 0.5)]),
    "Stages": (
        lambda: views.workload.Stages(),
        [(b, networks.stages(pixels=p)) for b, p in ((1, 64), (1, 224), (64, 500))],
    ),
    "TransformerFlops": (
        lambda: views.workload.TransformerFlops(),
        [({}, transformer.flops(1)), ({"d_model": 256}, transformer.flops(131_072, 256))],
    ),
    "Patches": (
        lambda: views.workload.Patches(),
        [
            Conv(1, 56, 56, 64, 64, 3, 1, 1),
            Conv(256, 224, 224, 512, 512, 11, 4, 5),
            Conv(1, 7, 7, 64, 64, 1, groups=64),
        ],
    ),
    "Growth": (lambda: views.workload.Growth(), [(1, "fp32"), (16_384, "bf16")]),
    "Strassen": (lambda: views.workload.Strassen(), [(256, 1, H100, "bf16"), (262_144, 3, H100, "bf16")]),
    "Experts": (
        lambda: views.workload.Experts(),
        [({"count": 8, "chosen": 2}, mixture.experts(t)) for t in (1, 16_384)],
    ),
    "XlaCounts": (
        lambda: views.workload.XlaCounts(),
        [xla.Counts("matrix product", 2e6, 2e6, 1e4, 1e4, 0), xla.Counts("attention", 2e12, 1e12, 1e9, 3e9, 5e5)],
    ),
    "Odometer": (
        lambda: views.tiling.Odometer(),
        [(tile, 1e6) for tile in tiling.tiles(workload.Gemm(300, 200, 100), 64, 96)],
    ),
    "TileBudget": (lambda: views.tiling.TileBudget(), [tile_budget(edge) for edge in (1, 128, 512)]),
    "Products": (
        lambda: views.tiling.Products(["small", "large"]),
        [(64, [1e14, 2.5e14], [2e14, 3e14], [5e13, 1e14]), (256, [1e14, 2.5e14], [2e14, 3e14], [2e14, 3e14])],
    ),
    "LowerBound": (lambda: views.tiling.LowerBound(), [(tiling.square(8192), kib) for kib in (16, 65_536)]),
    "Chain": (lambda: views.tiling.Chain(), [(1, 2**20, "fp16", H100), (12, 2**30, "fp32", H100)]),
    "AttentionTraffic": (
        lambda: views.tiling.AttentionTraffic(),
        [
            (n, {"head_dim": 64, "block_rows": rows}, cached)
            for n, rows, cached in ((128, 16, False), (131_072, 512, True))
        ],
    ),
    "AttentionTimes": (lambda: views.tiling.AttentionTimes(), [attention_times(share) for share in (1.0, 0.2)]),
    "SoftmaxStream": (lambda: views.tiling.SoftmaxStream(SCORES), stream_states()),
    "FusedKernels": (
        lambda: views.tiling.FusedKernels(),
        [
            fusion.Report((fusion.Kernel("a", ("add",) * n), fusion.Kernel("b", ("reduce",))), 1e9 * n, 1e8, 1e6)
            for n in (1, 20)
        ],
    ),
    "Rulers": (lambda: views.memory.Rulers(), [(name, levels.of(id)) for name, id in levels.chips().items()]),
    "Origins": (
        lambda: views.memory.Origins(),
        [("A100", q, levels.values("a100-80gb-sxm", kind, q)) for kind, q in (("l2", "latency"), ("dram", "capacity"))],
    ),
    "Gap": (lambda: views.memory.Gap(), [levels.gap(q) for q in levels.QUANTITIES]),
    "Tank": (lambda: views.memory.Tank(), [memory.tank(), memory.tank(warps=1)]),
    "Transfer": (
        lambda: views.memory.Transfer(),
        [hostlink.plan(), hostlink.plan(chunks=64, compute=0.02), hostlink.plan(chunks=1, pinned=False)],
    ),
    "Pins": (lambda: views.memory.Pins(), [(32, 1, 4.0), (16_384, 32, 20.3)]),
    "Placement": (lambda: views.memory.Placement(), [({}, 1), ({"link": 450e9}, 10_000)]),
    "CacheOrScratchpad": (lambda: views.memory.CacheOrScratchpad(), [(4, 2), (40, 10), (1024, 10)]),
    "CacheSteps": (
        lambda: views.memory.CacheSteps((memory.Cache(2, 2, 16), memory.Cache(4, 2, 16))),
        list(memory.chain(range(0, 400, 24), (memory.Cache(2, 2, 16), memory.Cache(4, 2, 16)))),
    ),
    "CacheTrace": (lambda: views.memory.CacheTrace(), [traced(34, 64), traced(8, 4), traced(1024, 4096)]),
    "HitCurve": (
        lambda: views.memory.HitCurve(),
        [curve("matrix by columns", 4), curve("random, with hot spots", 1024)],
    ),
    "Stairs": (
        lambda: views.machine.Stairs(
            staircase.Staircase((4e3, 4e5, 3e7), (1e-9, 5e-9, 9e-8), (4e3, 3e7), (1e11, 2e10), {"L1": 32768})
        ),
        [4e3, 3e7],
    ),
    "Array": (lambda: views.systolic.Array(3, 3), list(systolic.simulate(np.ones((3, 4)), np.ones((4, 3))))),
    "Wavefront": (lambda: views.systolic.Wavefront(), marched(4, 3, 5, "ws") + marched(12, 12, 2, "os")[::9]),
    "Dataflows": (
        lambda: views.systolic.Dataflows(),
        [(marched(3, 3, 4, "os")[0][0], marched(3, 3, 4, "ws")[0][0], at) for at in range(12)],
    ),
    "ShapeMap": (
        lambda: views.systolic.ShapeMap(),
        [(64, 128, 4096, True), (1, 16, 128, False), (4096, 512, 8192, True)],
    ),
    "Split": (lambda: views.systolic.Split(), [(1, 64, 128), (4096, 512, 8192)]),
    "Padding": (lambda: views.systolic.Padding(), [(1, 1, 8, 128), (250, 1000, 256, 1024)]),
    "Mapped": (
        lambda: views.systolic.Mapped(layers.jobs()),
        [(list(layers.jobs())[at], edge, edge > 64, 4) for at, edge in ((0, 8), (2, 128), (8, 512))],
    ),
    "WorkloadSets": (lambda: views.systolic.WorkloadSets(), [8, 512]),
    "TpuV1": (
        lambda: views.systolic.TpuV1(["MLP0", "LSTM0", "CNN0", "CNN1"]),
        [tpu.applications(b) for b in (0.5, 1, 10)],
    ),
    "StaysStill": (
        lambda: views.systolic.StaysStill(),
        [(workload.Gemm(1, 4096, 4096), 128, 0.1, 1, 100), (workload.Gemm(512, 512, 512), 16, 1, 50, 50)],
    ),
    "VectorBalance": (lambda: views.systolic.VectorBalance(), [(16, 8, False), (8192, 1024, True)]),
    "Workshop": (
        lambda: views.gpu.Workshop(),
        [
            (chosen, {u: (u, f"This is what {u} do in an SM.") for u, *_ in views.gpu.Workshop.PLACES})
            for chosen in ("warp schedulers", "register file")
        ],
    ),
    "Buckets": (
        lambda: views.gpu.Buckets(),
        [("A100", gpu.occupancy("sm80", t, r, s)) for t, r, s in ((256, 48, 0), (1024, 255, 0), (32, 16, 48 * 1024))],
    ),
    "OccupancyMap": (lambda: views.gpu.OccupancyMap(), [("sm80", 256, 48, 0), ("sm89", 1024, 16, 50_000)]),
    "Sawtooth": (lambda: views.gpu.Sawtooth(), [(128, 128, 132), (8192, 256, 20)]),
    "HideLatency": (lambda: views.gpu.HideLatency(), [(2e12, 3e-7, 108, 4, 32), (8e12, 8e-7, 20, 128, 1)]),
    "Divergence": (lambda: views.gpu.Divergence(), [(1, 100, 10), (32, 1000, 1)]),
    "Grid": (lambda: views.gpu.Grid(), [(n, gpu.launch(n, t)) for n, t in ((1000, 256), (1, 33), (10**6, 1024))]),
    "WarpSteps": (
        lambda: views.gpu.WarpSteps(),
        [
            (source, list(simt.run(source)), at, 5)
            for name, at in (("if and else", 0), ("Collatz", 90))
            for source in [simt.kernels()[name]]
        ],
    ),
    "Schedule": (
        lambda: views.gpu.Schedule(),
        [(list(scheduler.schedule(w, 20, 1, 120)), at) for w, at in ((4, 0), (4, 30), (32, 119))],
    ),
    "Sectors": (
        lambda: views.gpu.Sectors(),
        [(n, access.touched(*access.PATTERNS[n])) for n in list(access.PATTERNS)[:6:2]],
    ),
    "Banks": (
        lambda: views.gpu.Banks(),
        [(n, access.touched(*access.PATTERNS[n])) for n in list(access.PATTERNS)[3:9:5]],
    ),
    "Ladder": (lambda: views.energy.Ladder(), [(7, False, "int8 add"), (45, True, "ddr"), (7, True, "register")]),
    "Disagreement": (lambda: views.energy.Disagreement(), [list(table.GROUPS)[at] for at in (0, 5, 10)]),
    "LayerEnergy": (
        lambda: views.energy.LayerEnergy(),
        [(1, 4096, "fp16", "hbm2_low", 7), (4096, 512, "int8", "sram_8kb", 45)],
    ),
    "DataflowEnergy": (
        lambda: views.energy.DataflowEnergy(),
        [(Gemm(1, 4096, 4096), 128, "sram_32kb", "ddr"), (Gemm(512, 512, 512), 16, "sram_1mb", "lpddr4")],
    ),
    "Overhead": (lambda: views.energy.Overhead(), [(1, 1.5, 30), (2048, 0.1, 100)]),
    "ChipBudget": (lambda: views.energy.ChipBudget(), [(2e12, 250, 3e14, 0.5, 0.2, 400), (1e13, 1300, 3e15, 5, 1, 5)]),
    "AllChips": (lambda: views.energy.AllChips(), ["a100-80gb-sxm", "groq-lpu"]),
    "Clock": (lambda: views.energy.Clock(), [(1.0, 100, 300, 1.0), (0.3, 0, 600, 1.5), (1.3, 300, 50, 0.0)]),
    "Cap": (lambda: views.energy.Cap(), [(0.7, 100, 300), (1.0, 0, 50), (0.3, 300, 50)]),
    "Battery": (lambda: views.energy.Battery(), [(5, 50, 0.1, 0.01), (0.05, 1, 1.0, 0)]),
    "YearlyCost": (lambda: views.energy.YearlyCost(), [(8, 700, 1.3, 0.15, 0.6), (10_000, 1400, 2, 0.4, 1)]),
    "League": (
        lambda: views.energy.League(),
        [
            (dtype, hardware.chip(id))
            for dtype, id in (("fp16", "h100-sxm5"), ("int8", "edge-tpu"), ("fp4", "v100-sxm2-32gb"))
        ],
    ),
    "Certificate": (lambda: views.Certificate(), [summary(0), summary(4)]),
    "Bars": (lambda: views.Bars(["a", "b"], "time", "s", (1e-3, 10)), [[0.01, 1.0], [5.0, 0.002]]),
}


@pytest.mark.parametrize("name", views.__all__)
def test_every_view_draws_all_its_states_and_says_one_sentence_for_each(name):
    make, results = CASES[name]
    view = make()
    renderer = Renderer(view.figure)
    pictures, sentences = [], []
    for result in results:
        sentences.append(view.show(result))
        pictures.append(renderer.png())
    assert all(len(sentence) > 20 and sentence.endswith(".") and "nan" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(sentences) and len(set(pictures)) == len(pictures)
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


@pytest.mark.parametrize("name", views.__all__)
def test_coming_back_gives_the_same_picture(name):
    """Blitting leaves nothing behind: the first state looks the same after all others."""
    make, results = CASES[name]
    view = make()
    renderer = Renderer(view.figure)
    view.show(results[0])
    first = renderer.png()
    for result in [*results[1:], results[0]]:
        view.show(result)
        last = renderer.png()
    assert last == first


RESIZED = ("Array", "Amdahl", "Wavefront", "Dataflows", "WarpSteps")  # a simulation brings its own length


@pytest.mark.parametrize("name", [name for name in views.__all__ if name not in RESIZED])
def test_limits_hold_still_while_results_change(name):
    make, results = CASES[name]
    view = make()
    limits = [(ax.get_xlim(), ax.get_ylim()) for ax in view.figure.axes]
    for result in results:
        view.show(result)
        assert [(ax.get_xlim(), ax.get_ylim()) for ax in view.figure.axes] == limits


@pytest.mark.parametrize("name", ["Roofline", "LaunchOverhead", "Serving", "Bars"])
def test_axes_carry_units(name):
    view = CASES[name][0]()
    labels = [axis.get_label_text() for ax in view.figure.axes for axis in (ax.xaxis, ax.yaxis)]
    assert any("[" in label for label in labels)


def luminance(color):
    return sum(
        weight * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
        for weight, c in zip((0.2126, 0.7152, 0.0722), to_rgb(color), strict=True)
    )


@pytest.mark.parametrize("paper", ["#ffffff", *style.TINT.values()])
def test_every_ink_has_enough_contrast(paper):
    for ink in (style.INK, style.MUTED, style.MEMORY, style.COMPUTE, style.OTHER, style.GOOD):
        assert (luminance(paper) + 0.05) / (luminance(ink) + 0.05) >= 4.5, ink


def test_meaning_never_rests_on_colour_alone():
    assert len(set(style.MARKER.values())) == len(set(style.HATCH.values())) == len(style.BOUND) == 2
    roof = views.roofline.Roofline()
    assert roof.slope.get_linestyle() != roof.flat.get_linestyle()


def test_pictures_do_not_use_pyplot():
    import subprocess
    import sys

    code = "import sys, accelerator_lib.views; assert 'matplotlib.pyplot' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
