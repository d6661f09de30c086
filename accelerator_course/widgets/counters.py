"""Counters: what a kernel's run was counted, as rows of words by array, line, operand, pass or layer."""

from accelerator_lib.kernels.feeding import Fed
from accelerator_lib.kernels.machine import Run
from accelerator_lib.kernels.mapping import Mapped
from accelerator_lib.kernels.pallas import Tiled
from accelerator_lib.units import number, percent

ARRAYS = ["array", "bytes asked for", "bytes moved", "moved / asked for"]
LINES = ["line", "text", "instructions", "lanes at work", "sectors an access", "turns an access", "of the time"]
OPERANDS = ["operand", "bytes brought", "bytes taken away"]
PASSES = ["line", "text", "runs", "rows", "waited for blocks", "sums out and back", "PEs with work"]
LAYERS = ["layer", "cycles of the array", "of the memory", "inputs", "weights", "outputs", "sums", "PEs with work"]
LEAST = 0.005  # of the time; less is not worth a word


def tables(made):
    """The counters of a run as {caption, head, rows}; none where nothing ran."""
    parts = KINDS[type(made)][:-1] if made else ()
    rows = [(caption, head, counted(made)) for caption, head, counted in parts]
    return [{"caption": caption, "head": head, "rows": found} for caption, head, found in rows if found]


def busiest(made):
    """What binds a run, in one line: of warps, of Pallas, of a feed, of a network; "" where nothing ran."""
    return KINDS[type(made)][-1](made) if made else ""


def causes(made):
    """The time of a run of warps by cause, the largest share first: {name, share, words}."""
    parts = sorted(made.why.causes.items(), key=lambda part: -part[1])
    return [{"name": name, "share": share, "words": percent(share)} for name, share in parts if share > LEAST]


def _busy_warps(made):
    change, (many, ridge, reached) = made.why.advice, made.why.roof
    told = "No single change that this machine knows makes it faster."
    if change:
        line = f" at line {change.line}" if change.line else ""
        told = f"Seen{line}: {change.seen}. Try next: {change.do}. Foretold: {number(change.gain)} times as fast."
    roof = "the issue slots" if many > ridge else "main memory"
    return f"{told} Roofline: {number(many)} instructions a byte, so the roof is {roof}; {percent(reached)} reached."


def _busy_tiles(made):
    share = percent(made.footprint_bytes / made.room_bytes)
    told = f"Room on the chip: {share} taken, {made.footprint_bytes:,} of {made.room_bytes:,} bytes."
    return told if made.calls else ""


def _busy_feed(made):
    rows = {"rows pass": made.pass_cycles, "rows wait for blocks": made.waited_cycles}
    return _shares(rows | {"sums go out and come back": made.spilled_cycles}, made.cycles) if made.passes else ""


def _busy_network(made):
    array, memory = sum(each.array_cycles for each in made.laid), sum(each.memory_cycles for each in made.laid)
    return _shares({"array": array, "memory": memory}, made.cycles) if made.laid else ""


def _shares(parts, whole):
    """ "Busiest: DRAM 80 %, L2 31 %.", the largest first."""
    found = sorted(parts.items(), key=lambda part: -part[1])
    return f"Busiest: {', '.join(f'{name} {percent(part / (whole or 1))}' for name, part in found)}."


def by_array(made):
    """Rows for the arrays of global memory: what was read of each, then what was written."""
    rows = []
    for way, traffic in (("read", made.counted.loads), ("written", made.counted.stores)):
        for name, moved in traffic.items():
            asked, brought = f"{moved.asked_bytes:,}", f"{moved.brought_bytes:,}"
            rows.append([f"{name}, {way}", asked, brought, f"{moved.excess:.1f}" if moved.sectors else ""])
    return rows


def by_operand(made):
    """Rows for the blocks of each call's operands."""
    rows = []
    for at, call in enumerate(made.calls, 1):
        ways = call.fetched_bytes, call.written_bytes
        for name in dict.fromkeys([*ways[0], *ways[1]]):
            rows.append([f"call {at}: {name}", *(f"{moved[name]:,}" if name in moved else "" for moved in ways)])
    return rows


def by_pass(made):
    """Rows for the lines that let rows pass."""
    rows = []
    for line in sorted({each.line for each in made.passes}):
        here = [each for each in made.passes if each.line == line]
        passed = sum(each.length for each in here)
        spilled = sum(each.spilled for each in here)
        worked = sum(each.macs for each in here) / (passed * made.edge**2)
        numbers = (len(here), passed, sum(each.waited for each in here), spilled)
        rows.append([str(line), made.lines[line - 1].strip(), *(f"{many:,}" for many in numbers), percent(worked)])
    return rows


def by_layer(made):
    """Rows for the layers, in the text's order; bytes by operand."""
    rows = []
    for each in made.laid:
        cycles = f"{each.array_cycles:,.0f}", f"{each.memory_cycles:,.0f}"
        worked = percent(each.least_array_cycles / each.array_cycles)
        rows.append([f"layer {each.number}", *cycles, *(f"{moved:,}" for moved in each.moved.values()), worked])
    return rows


def by_line(made):
    """Rows for the lines that cost anything."""
    rows = []
    for at, line in made.counted.lines.items():
        sectors = _each(line.loads.sectors + line.stores.sectors, line.loads.accesses + line.stores.accesses)
        turns, heat = _each(line.shared_turns, line.shared_accesses), percent(made.why.heat.get(at, 0))
        work = f"{line.instructions:,}", percent(line.efficiency)
        rows.append([str(at), line.text, *work, sectors, turns, heat])
    return rows


def _each(many, accesses):
    return f"{many / accesses:.1f}" if accesses else ""


KINDS = {  # of a run -> its tables, and what binds it
    Run: (("by array", ARRAYS, by_array), ("by line", LINES, by_line), _busy_warps),
    Tiled: (("by operand", OPERANDS, by_operand), _busy_tiles),
    Fed: (("by line", PASSES, by_pass), _busy_feed),
    Mapped: (("by layer", LAYERS, by_layer), _busy_network),
}
