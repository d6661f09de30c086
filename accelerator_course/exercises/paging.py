"""Page tables: the exercise on the key-value cache in blocks, and what looks at the tables that a learner returned."""

from collections import Counter

from accelerator_course import time_limit
from accelerator_course.exercises import page_judge
from accelerator_course.exercises.cases import Wrong, case, shown

SPARE = 100_000  # blocks of a pool that cannot run empty


def page_tables(events, blocks, size):
    """The page tables after each event; a block that several requests hold is copied before one of them writes."""
    free, holders, tables, made, seen = list(range(blocks)), Counter(), {}, {}, []
    for kind, request, *child in events:
        if kind == "start":
            tables[request], made[request] = [], 0
        elif kind == "token":
            table, shared = tables[request], False
            if made[request] % size:
                shared = holders[table[-1]] > 1
                if shared:
                    holders[table.pop()] -= 1
            if shared or not made[request] % size:
                table.append(free.pop())
                holders[table[-1]] += 1
            made[request] += 1
        elif kind == "fork":
            tables[child[0]], made[child[0]] = list(tables[request]), made[request]
            holders.update(tables[request])
        else:
            for block in tables.pop(request):
                holders[block] -= 1
                if not holders[block]:
                    free.append(block)
        seen.append({name: tuple(table) for name, table in tables.items()})
    return seen


def check_page_tables(function):
    for name, (once, blocks, size) in page_judge.traces().items():
        events = [*once, *once]  # what is lost in the first round is missing in the second
        where = f"{name}, {blocks} blocks"
        call = lambda e=events, b=blocks, s=size: _call(function, e, b, s)  # noqa: E731
        yield case(
            where, f"{len(events)} tables", call, _judge(events, blocks, size, where), lambda got: f"{len(got)} tables"
        )
    events, _, size = page_judge.traces()["a random trace (seed 1)"]
    return (
        "right for five traces, twice each and with not a block to spare: no block has two writers, and none is lost. "
        f"With pages of {size} tokens {page_judge.useful(events, size):.0%} of the slots hold one."
    )


class _Tables(list):
    """Tables of all events with blocks named by the event that took them, as equal solutions need not take the same."""

    def __init__(self, got, short):
        self.got, self.short = got, short  # as they were returned; whether the pool ran empty on the way
        super().__init__(_by_birth(got))


def _by_birth(got):
    names, before = {}, set()
    for at, tables in enumerate(got):
        held = [block for _, table in sorted(tables.items()) for block in table]
        names |= {block: (at, place) for place, block in enumerate(held) if block not in before}
        before = set(held)
        yield {name: tuple(names[block] for block in table) for name, table in tables.items()}


def _call(function, events, blocks, size):
    """The tables that a function returns; where it stops, those with blocks to spare."""
    short = False
    try:
        got = function(list(events), blocks, size)
    except time_limit.TooLong:
        raise
    except Exception:  # no block left, perhaps: which error that is depends on how the pool is kept
        got, short = function(list(events), SPARE, size), True
    try:
        return _Tables(got, short)
    except (AttributeError, TypeError):  # no tables at all
        return got


def _judge(events, blocks, size, where):
    """What looks at the tables that a learner returned, event by event."""

    def judge(value):
        got, short = (value.got, value.short) if isinstance(value, _Tables) else (value, False)
        if not isinstance(got, (list, tuple)) or len(got) != len(events):
            raise Wrong(f"For {where} return one dict of tables for each of the {len(events)} events.")
        found = [table for tables in got if isinstance(tables, dict) for table in tables.values()]
        lists = [id(table) for table in found if isinstance(table, list)]  # a tuple cannot change later
        alias = len({id(tables) for tables in got}) < len(got) or len(set(lists)) < len(lists)
        copy = " If you return the same lists each time, copy them: they change later." if alias else ""
        before, made = {}, {}
        for event, tables in zip(events, got, strict=True):
            tables = _read(tables, event, where)
            page_judge.tally(event, made)
            problem = page_judge.broken(event, before, tables, made, SPARE if short else blocks, size)
            if problem:
                spare = f", tried with {SPARE:,} blocks, as these did not do," if short else ","
                raise Wrong(f"For {where}{spare} at {shown(event)}: {problem}{copy}")
            before = tables
        if short:
            raise Wrong(
                f"For {where}: your function ends with more blocks, not with these. They are enough: is one lost that "
                "nobody holds any more?"
            )

    return judge


def _read(tables, event, where):
    try:
        return {name: [int(block) for block in table] for name, table in tables.items()}
    except (AttributeError, TypeError, ValueError):
        raise Wrong(f"For {where}, at {shown(event)}: a dict of page tables was expected, {{name: blocks}}.") from None
