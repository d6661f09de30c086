"""A launch: warps in lockstep, memory, races, what was issued and counted."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import SUM, alone, fault, programs, ran

from accelerator_course import ladder
from accelerator_course.quiz import bank
from accelerator_lib import data, kernels
from accelerator_lib.gpu import simt
from accelerator_lib.gpu.access import Access
from accelerator_lib.kernels import frame, machine, races
from accelerator_lib.kernels.counted import LineCount, Traffic

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))


@settings(max_examples=60)
@given(programs(), st.integers(1, 3), st.sampled_from([1, 20, 32, 40, 64]), st.data())
def test_random_kernels_leave_what_python_leaves_thread_by_thread(source, blocks, threads, data):
    n = data.draw(st.integers(1, blocks * threads))
    a = np.array(data.draw(st.lists(st.integers(-40, 40), min_size=n, max_size=n)))
    out = np.arange(n) - 5
    wanted = alone(source, blocks, threads, a=a, out=out, n=n)
    made = ran(source, blocks, threads, a=a, out=out, n=n)
    assert made.arrays["out"].tolist() == wanted["out"]
    assert made.arrays["a"].tolist() == a.tolist() and out.tolist() == (np.arange(n) - 5).tolist()


@pytest.mark.parametrize("name", simt.kernels())
@given(st.lists(st.integers(0, 40), min_size=32, max_size=32))
def test_one_warp_computes_what_the_stepper_of_chapter_5_does(name, data):
    source = simt.kernels()[name]
    *_, last = simt.run(source, data)
    at = "lane if 0 == 0 else 0"
    text = source.replace("a[0]", "data[0]")
    names = [variable for variable in last.values if variable not in ("lane", "a")]
    text = f"a = data[{at}]\n" + text + "".join(f"\nleft[{row}, lane] = {each}" for row, each in enumerate(names))
    made = ran(text, data=np.array(data), left=np.zeros((len(names), 32), int))
    assert made.arrays["left"].tolist() == [last.values[each].tolist() for each in names]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=200))
def test_a_histogram_is_numpys_and_each_thread_gets_a_place_of_its_own(data):
    source = "i = block * block_size + thread\nif i < n:\n    out[i] = atomic_add(bins, x[i], 1)"
    given = {"x": np.array(data), "bins": np.zeros(10, int), "out": np.zeros(len(data), int), "n": len(data)}
    made = ran(source, -(-len(data) // 64), 64, **given)
    assert made.arrays["bins"].tolist() == np.bincount(data, minlength=10).tolist()
    for value in set(data):
        ranks = made.arrays["out"][np.array(data) == value]
        assert ranks.tolist() == list(range(len(ranks)))


def test_numbers_are_those_of_the_chip_thirty_two_bits_wide():
    made = ran("out[lane] = x + 0.1\nwhole[lane] = lane", x=0.2, out=np.zeros(32), whole=np.zeros(32, np.uint8))
    assert made.arrays["out"].dtype == np.float32 and made.arrays["whole"].dtype == np.int32
    assert made.arrays["out"][0] == np.float32(0.2) + np.float32(0.1)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        *TABLE["what_a_launch_may_not_be_is_one_line"],
        ({"blocks": (2, 3, 4)}, "a pair"),
        ({"threads": (64, 32)}, "2,048 is more than 1,024"),
        ({"arguments": {"a": np.zeros((2, 2, 2))}}, "one or two dimensions"),
        ({"arguments": {"a": np.zeros(0)}}, "one or two dimensions"),
        ({"arguments": {"a": np.array(["x"])}}, "must hold real or whole numbers"),
        ({"arguments": {"a": np.array([2**31])}}, "do not fit into 32 bits"),
        ({"arguments": {"n": float("nan")}}, "no number of 32 bits"),
        ({"arguments": {"a": np.zeros(2**20 + 1)}}, "more than 1,048,576 numbers together"),
    ],
)
def test_what_a_launch_may_not_be_is_one_line(changed, said):
    with pytest.raises((ValueError, TypeError), match=said) as error:
        kernels.run(**{"source": "x = 1", "arguments": {}, **changed})
    assert "\n" not in str(error.value)


def test_a_block_uses_no_more_shared_memory_than_a_chip_has():
    assert fault("s = shared(250, 160)\nx = lane") is None
    found = fault("x = 1\ns = shared(300, 160)\nx = lane")
    assert (found.kind, found.line) == ("budget", 2) and "166,912 bytes" in str(found) and "192,000" in str(found)


def test_the_watched_block_is_one_that_there_is():
    made = kernels.run("out[block] = lane if lane > 40 else 1", {"out": np.zeros(2)}, blocks=2, threads=1, watched=7)
    assert made.watched == 1 and next(iter(ladder.replay(made))).step.index[0] == 1


MANY = "".join(f"z{n} = zeros(256, int)\n" for n in range(14)) + "".join(f"z{n}[lane] = 1\n" for n in range(14))
FEW = "if thread < 32 and block == 0:\n" + "".join(f"    v{n} = thread\n" for n in range(300))


@pytest.mark.parametrize("text", [MANY, FEW])
def test_what_all_lanes_keep_is_weighed_before_any_of_it_is_made(text):
    found = fault(text, 256, 256)
    assert found.kind == "budget" and "65,536 lanes" in found.words
    assert fault(text, 1, 32) is None


@pytest.mark.parametrize("error, kind", [(MemoryError, "budget"), (RecursionError, "language")])
def test_where_python_itself_gives_up_there_is_a_line(error, kind, monkeypatch):
    def stopped(*_):
        raise error

    monkeypatch.setattr(machine, "issued", stopped)
    assert fault("x = lane").kind == kind


@pytest.mark.parametrize(("source", "threads", "said"), TABLE["a_barrier_that_some_never_reach_is_a_deadlock"])
def test_a_barrier_that_some_never_reach_is_a_deadlock(source, threads, said):
    found = fault(source, 2, threads)
    assert found.kind == "deadlock" and said in str(found)


def test_a_barrier_that_a_whole_block_reaches_or_leaves_out_is_none():
    assert fault("if block == 1:\n    barrier()\nfor k in range(block):\n    barrier()", 3, 40) is None


def test_an_endless_loop_ends_at_a_line_and_no_statement_too_early():
    found = fault("x = 1\nwhile x > 0:\n    x = 1")
    assert (found.kind, found.line) == ("budget", 2)
    assert str(found).endswith("more than 20,000 statements; does a loop never end, or is the launch too large?")
    large = fault("x = 1\nwhile x > 0:\n    x = 1", 64, 1024)
    assert large.kind == "budget" and "more than 500,000 instructions of all warps together" in str(large)
    rounds = (
        frame.MOST_STEPS - 2
    ) // 2  # one statement before, then a test and a statement each round, and the last test
    assert fault(f"i = 0\nfor k in range({rounds - 1}):\n    i += 1") is None
    assert fault(f"i = 0\nfor k in range({rounds + 1}):\n    i += 1").kind == "budget"


def test_a_mask_narrows_to_the_lanes_that_a_condition_holds_for():
    lanes = np.ones((2, 32), bool)
    whole = frame.Mask(lanes, True)
    few = whole.narrow(np.arange(32)[None] < np.array([[3], [0]]))
    assert (few.working, few.count, few.which.tolist(), few.places.tolist(), few.full) == (3, 1, [0], [0, 1, 2], False)
    assert whole.narrow(True) is whole and whole.narrow(np.True_) is whole
    assert whole.narrow(False) is None and few.narrow(lanes) is few and few.narrow(~few.lanes) is None


def test_threads_have_their_names_along_one_axis_and_along_two():
    names = ["lane", "warp", "thread", "block", "block_size", "grid_size"]
    names += [f"{name}_{axis}" for name in ("thread", "block", "block_size", "grid_size") for axis in "xy"]
    text = "i = block * block_size + thread\n" + "".join(f"out[{row}, i] = {name}\n" for row, name in enumerate(names))
    out = ran(text, (3, 2), (20, 3), out=np.zeros((14, 360), int)).arrays["out"]
    for i in range(360):
        block, thread = divmod(i, 60)
        wanted = [thread % 32, thread // 32, thread, block, 60, 6]
        assert out[:6, i].tolist() == wanted and out[10:, i].tolist() == [20, 3, 3, 2]
        assert out[6:10, i].tolist() == [thread % 20, thread // 20, block % 3, block // 3]
    out = ran(text, 2, 40, out=np.zeros((14, 80), int)).arrays["out"]
    assert out[:, 79].tolist() == [7, 1, 39, 1, 40, 2, 39, 0, 1, 0, 40, 1, 2, 1]


@pytest.mark.parametrize("source, blocks, threads, kind, words", TABLE["a_thread_is_named_with_what_it_does"])
def test_a_thread_is_named_with_what_it_does(source, blocks, threads, kind, words):
    found = fault(source, blocks, threads, out=np.zeros(100), m=np.zeros((3, 4)), a=np.zeros(2))
    assert (found and found.kind) == kind and words in str(found)


CHOSEN = " + ".join(f"(a[0] if lane < {1 + number % 31} else a[1])" for number in range(30))
ONE_WARP = f"if thread < 32 and block == 0:\n    for k in range(ROUNDS):\n        x = {CHOSEN}"


@pytest.mark.parametrize(
    "line",
    [
        *TABLE["lanes_that_are_not_at_work_are_walked_over_too"],
        f"x = {CHOSEN}",
        "x = 1 if " + " and ".join(["block_size"] * 99) + " else 0",
        "x = 0 if " + "not " * 99 + "lane else 1",
    ],
)
def test_lanes_that_are_not_at_work_are_walked_over_too(line, monkeypatch):
    """One warp of 256 issues: that is no reason for the other 255 to cost nothing here."""
    monkeypatch.setattr(frame, "MOST_WALKED", 20_000_000, raising=False)
    text = f"z = zeros(32, int)\nif thread < 32 and block == 0:\n    for k in range(100):\n        {line}"
    found = fault(text, 32, 256, a=np.zeros(2), out=np.zeros(32))
    assert (found.kind, found.line) == ("budget", 4) and "walks over all 8,192 lanes" in found.words
    assert fault(text.replace("100", "1"), 32, 256, a=np.zeros(2), out=np.zeros(32)) is None


def test_masks_are_not_kept():
    """A mask has a byte for each lane, 10 rounds of 60 masks each would be 39 MB."""
    tracemalloc.start()
    try:
        ran(ONE_WARP.replace("ROUNDS", "10"), 256, 256, a=np.zeros(2))
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()


def test_the_last_statement_counts_its_instructions_too(monkeypatch):
    monkeypatch.setattr(frame, "MOST_ISSUED", 1_000)
    assert fault("x = lane" + " + lane" * 101, 1, 320).kind == "budget"
    assert fault("x = lane" + " + lane" * 100, 1, 320) is None


PLACES = st.lists(st.integers(0, 199), min_size=64, max_size=64)
LANES = st.lists(st.booleans(), min_size=64, max_size=64)


def by_hand(places, works):
    """(sectors, distinct bytes, turns, alike) of two warps, by sets and lists."""
    found = np.zeros(4, int)
    for warp in (0, 1):
        own = [p for p, w in zip(places[warp::2], works[warp::2], strict=True) if w]
        if own:
            banks = [[w for w in set(own) if w % 32 == bank] for bank in range(32)]
            busiest = max(map(len, banks)), max(map(own.count, own))
            found += [len({p // 8 for p in own}), 4 * len(set(own)), *busiest]
    return found.tolist()


@settings(max_examples=50)
@given(PLACES, LANES)
def test_loads_stores_and_atomics_are_counted_lane_by_lane(places, works):
    order = [places[2 * lane + warp] for warp in (0, 1) for lane in range(32)]
    on = [works[2 * lane + warp] for warp in (0, 1) for lane in range(32)]
    source = TABLE["loads_stores_and_atomics_are_counted_lane_by_lane"]
    given = {"t": np.array(order), "w": np.array(on), "a": np.zeros(200), "b": np.zeros(200, int)}
    made = ran(source, 1, 64, **given)
    sectors, asked, turns, alike = by_hand(places, works)
    counted, nothing = made.counted, kernels.counted.Traffic()
    load, atomic = counted.loads.get("a", nothing), counted.stores.get("b", nothing)
    assert (load.sectors, load.asked_bytes) == (atomic.sectors, atomic.asked_bytes) == (sectors, asked)
    assert (counted.lines[9].shared_turns if any(works) else 0) == turns
    assert (counted.lines[13].atomic_turns if any(works) else 0) == turns
    assert (counted.lines[10].atomic_turns if any(works) else 0) == alike
    for step in (state.step for state in ladder.replay(made)):
        if step.line in (8, 9) and step.array:
            access = Access(
                4 * np.array(order)[32 * step.warp : 32 * step.warp + 32][step.mask][:, None] + np.arange(4)
            )
            assert (step.sectors, step.turns) == ((len(access.sectors), 0) if step.line == 8 else (0, access.turns))


def test_arrays_begin_at_multiples_of_256_bytes_and_shared_ones_at_multiples_of_16():
    made = ran("x = a[lane % 3]\ny = b[lane]", a=np.zeros(3), b=np.zeros(32))
    assert made.words == {"a": 0, "b": 64} and made.counted.loads["b"].sectors == 4
    made = ran("p = shared(5)\nq = shared(40)\nq[lane] = 1.0\nif lane < 5:\n    p[lane] = 2.0")
    assert made.words == {"p": 0, "q": 8}


def test_a_sector_crosses_from_dram_once_each_way():
    made = ran("for k in range(3):\n    a[thread] += 1.0", 1, 64, a=np.zeros(64))
    assert made.counted.global_bytes == 6 * 256 and made.counted.dram_bytes == 2 * 256
    shared = ran("x = a[lane + 4 * warp]", 1, 64, a=np.zeros(64))
    part = ran("a[2 * thread] = 1.0", 1, 64, a=np.zeros(128))  # each sector is read to be filled
    assert part.filled == 16 and part.counted.dram_bytes == 2 * part.counted.global_bytes == 2 * 512
    assert shared.counted.dram_bytes == 3 * 64 and shared.issued.new.tolist() == [0, 4, 0, 2]


def test_atomics_add_up_and_may_not_grow_beyond_32_bits():
    made = ran("old = atomic_add(a, lane % 2, 0.5)\nout[lane] = old", a=np.ones(2), out=np.zeros(32))
    assert made.arrays["a"].tolist() == [9, 9]
    assert made.arrays["out"].tolist() == [1 + 0.5 * (lane // 2) for lane in range(32)]
    found = fault("x = 1\natomic_add(a, 0, big)", a=np.zeros(1, int), big=2**30)
    assert (found.kind, found.line) == ("value", 2)


PLACES_RACES = ["thread", "(thread + 1) % 8", "thread // 2", "3", "7 - thread", "(thread * 3) % 8", "block", "0"]
FORMS = {"reads": "x = s[{0}]", "writes": "s[{0}] = x", "adds to": "atomic_add(s, {0}, 1)"}
STEP = st.one_of(st.just("barrier()"), st.tuples(st.sampled_from(list(FORMS)), st.sampled_from(PLACES_RACES)))


def meet(steps, blocks, shared):
    """Whether any two accesses make a race: all pairs, one by one."""
    seen, passed = [], 0
    for step in steps:
        if step == "barrier()":
            passed += 1
            continue
        way, place = step
        for block in range(blocks):
            for thread in range(8):
                at = eval(place, {"thread": thread, "block": block})
                seen.append((block if shared else 0, at, block, thread, passed, way))
    for number, (space, at, block, thread, interval, way) in enumerate(seen):
        for other in seen[:number]:
            if other[:2] != (space, at) or other[2:4] == (block, thread):
                continue
            ordered = other[2] == block and other[4] != interval
            harmless = way == other[5] and way != "writes"
            if not ordered and not harmless:
                return True
    return False


@settings(max_examples=120)
@given(st.lists(STEP, min_size=1, max_size=6), st.integers(1, 2), st.booleans())
def test_a_race_is_found_exactly_where_two_accesses_meet(steps, blocks, shared):
    lines = [step if step == "barrier()" else FORMS[step[0]].format(step[1]) for step in steps]
    head = ["s = shared(8, int)", "s[thread] = 0", "barrier()"] if shared else []
    found = fault("\n".join([*head, "x = 1", *lines]), blocks, 8, **({} if shared else {"s": np.zeros(8, int)}))
    assert (found is not None) == meet(steps, blocks, shared)
    assert found is None or found.kind == "race"


@pytest.mark.parametrize(("source", "said"), TABLE["cases"])
def test_the_line_says_who_met_whom(source, said):
    found = fault(source, 1, 64, a=np.zeros(64), b=np.zeros((3, 4)))
    assert str(found) == said and found.kind == "race"


def test_races_of_blocks_and_of_one_thread():
    source = "if block == 0 and thread == 5:\n    a[9] = 1.0\nbarrier()\nif block == 1:\n    x = a[9]"
    said = "thread 0 of block 1 reads a[9], written by thread 5 of block 0 in line 2, and no barrier reaches from block to block"
    assert said in str(fault(source, 2, 32, a=np.zeros(32)))
    assert fault(source.replace("block == 1", "block == 0"), 2, 32, a=np.zeros(32)) is None
    source = "x = a[3]\nif block == 2 and thread == 0:\n    a[3] = x"
    assert "read by several threads in line 1, and no barrier reaches" in str(fault(source, 3, 32, a=np.zeros(32)))
    assert fault("a[thread] = 1.0\na[thread] += 2.0\nx = a[thread]", 2, 32, a=np.zeros(32)).kind == "race"
    assert fault("a[thread] = 1.0\na[thread] += 2.0\nbarrier()\nx = a[31 - thread]", 1, 32, a=np.zeros(32)) is None
    assert fault("s = shared(32)\ns[thread] = 1.0\ns[thread] += 2.0\nbarrier()\nx = s[31 - thread]", 3, 32) is None


def test_the_question_about_a_missing_barrier_has_a_race_in_its_last_statement_and_what_it_says_mends_it():
    (item,) = [item for item in bank.items("kernels") if item["id"] == "missing-barrier"]
    filled, last = "s = shared(32)\ns[thread] = a[thread]\nbarrier()\n", "s[thread] + s[(thread + 1) % 32]"
    assert f"s[thread] = {last}" in item["ask"] and "shows" not in item
    assert all("not both a" in text and "no barrier" in text for text in (item["why"], races.__doc__))
    found = fault(f"{filled}s[thread] = {last}", 1, 32, a=np.zeros(32))
    assert found.kind == "race" and found.line == 4
    assert fault(f"{filled}x = {last}\nbarrier()\ns[thread] = x", 1, 32, a=np.zeros(32)) is None


def test_every_warp_has_its_instructions_in_order_with_what_they_touch():
    made = ran("x = a[2 * lane]\nif warp == 1:\n    y = x + 1.0", 2, 64, a=np.zeros(64))
    record, lines = made.issued, [op.line for op in made.program.ops]
    assert record.ends.tolist() == [3, 7, 10, 14] and (record.warps, record.blocks) == (2, 2)
    assert [lines[op] for op in record.op] == [1, 1, 2, 1, 1, 2, 3] * 2
    assert record.warp.tolist() == [0] * 3 + [1] * 4 + [2] * 3 + [3] * 4
    assert record.sectors.tolist() == [0, 8, 0, 0, 8, 0, 0] * 2 and record.new.tolist() == [0, 8] + [0] * 12
    assert record.asked.tolist() == [0, 128, 0, 0, 128, 0, 0] * 2 and record.lanes.tolist() == [128, 128, 128, 64]


def test_turns_are_those_of_shared_memory_and_nothing_issues_nothing():
    record = ran("s = shared(64)\ns[2 * lane] = 1.0\nx = shuffle_up(lane, 1)").issued
    assert record.turns.tolist() == [0, 2, 1] and record.sectors.sum() == 0
    record = ran("pass", 2, 64).issued
    assert record.op.size == 0 and record.ends.tolist() == [0, 0, 0, 0] and record.lanes.size == 0


def test_a_guarded_map_is_counted_line_by_line():
    source = "i = block * block_size + thread\nif i < n:\n    out[i] = 2.0 * a[i] + b[0]"
    counted = ran(source, 2, 64, a=np.zeros(100), b=np.zeros(9), out=np.zeros(100), n=100).counted
    lines = {line: (row.instructions, row.lanes) for line, row in counted.lines.items()}
    assert lines == {1: (4, 128), 2: (4, 128), 3: (16, 400)}
    assert counted.loads == {"a": Traffic(4, 400, 13), "b": Traffic(4, 16, 4)}
    assert counted.stores == {"out": Traffic(4, 400, 13)}
    assert (counted.instructions, counted.lanes, counted.efficiency) == (24, 656, 656 / 768)
    assert counted.lines[3].loads == Traffic(8, 416, 17) and counted.lines[3].stores == Traffic(4, 400, 13)
    assert counted.lines[3].efficiency == 400 / 512 and counted.lines[2].loads == Traffic()
    assert counted.asked_bytes == 816 and counted.global_bytes == 30 * 32 and counted.dram_bytes == 29 * 32
    assert counted.traffic.excess == 960 / 816 and counted.traffic.efficiency == 816 / 960
    assert (counted.occupancy.name, counted.occupancy.warps) == ("A100 (8.0)", 64)
    assert counted.lines[3].text == "out[i] = 2.0 * a[i] + b[0]"


def test_a_reduction_has_its_barriers_and_half_its_lanes():
    counted = ran(SUM, 3, 64, a=np.zeros(192), out=np.zeros(3)).counted
    assert counted.barriers == 3 * 2 * 7 and counted.lines[7].barriers == 0 and counted.lines[8].barriers == 36
    assert counted.lines[7].lanes == 3 * 5 * 63 and counted.lines[7].instructions == 3 * 5 * 6
    assert counted.shared_accesses == 3 * (2 + 3 * 6 + 1) and counted.conflicts == 0 == counted.atomics


def test_atomics_are_stores_and_turns_and_whole_numbers_for_one_word_of_shared_memory_are_added_up_first():
    counted = ran(TABLE["atomics_are_stores_and_turns"], a=np.zeros(4, int)).counted
    assert counted.stores == {"a": Traffic(1, 16, 1)} and (counted.atomics, counted.atomic_turns) == (2, 1 + 8)
    assert counted.lines[5].shared_turns == 1 and counted.lines[5].conflicts == counted.lines[6].shared_turns == 0


def test_nothing_has_no_share_and_counts_are_frozen():
    nothing = ran("pass").counted
    assert nothing.instructions == 0 and nothing.efficiency is None and nothing.lines == {} and nothing.dram_bytes == 0
    assert Traffic().efficiency is None and Traffic().excess is None and nothing.traffic == Traffic()
    assert Traffic(1, 2, 3) + Traffic(10, 20, 30) == Traffic(11, 22, 33) and Traffic(1, 64, 4).brought_bytes == 128
    counted = ran("x = 1").counted
    with pytest.raises(AttributeError):
        counted.dram_bytes = 3
    assert isinstance(counted.lines[1], LineCount) and counted.lines[1].instructions == 1
