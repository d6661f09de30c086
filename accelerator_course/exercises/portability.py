"""Exercise of chapter 12b."""

from itertools import permutations

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, shown

BY_HAND = (
    {"products": (64, 1.0, 2, ()), "norms": (900, 0.02, 3, ()), "lookups": (8, 5.0, 1, ())},
    {"products": (64, 1.0, 2, ()), "scores": (32, 0.5, 1, ()), "attention": (32, 4.0, 3, ("products", "scores"))},
)


def served(ops, order):
    """Seconds a step that run on the chip, summed over the months until all is written."""
    done, now, total = sum(months for _, _, months, _ in ops.values()), 0, 0.0
    for name in order:
        calls, seconds, months, _ = ops[name]
        now += months
        total += calls * seconds * (done - now)
    return total


def legal(ops, order):
    """Whether each operation comes after what it needs."""
    return all(set(ops[name][3]) <= set(order[:at]) for at, name in enumerate(order))


def best(ops):
    return max(served(ops, order) for order in permutations(ops) if legal(ops, order))


def hidden():
    """Jobs of six operations that are drawn, some of which need others."""
    draw, names = np.random.default_rng(121), ["products", "steps", "norms", "softmax", "lookups", "sorting"]
    for _ in range(12):
        ops = {}
        for place, name in enumerate(names):
            needs = tuple(str(one) for one in draw.permutation(names[:place])[: int(draw.integers(0, 2))])
            calls, seconds = int(draw.integers(1, 500)), round(float(draw.uniform(0.01, 2)), 2)
            ops[name] = calls, seconds, int(draw.integers(1, 9)), needs
        yield ops


def check_order(function):
    jobs = [*BY_HAND, *hidden()]
    for number, ops in enumerate(jobs):
        want, where = best(ops), f"job {number + 1}, {', '.join(ops)}"

        def judge(got, ops=ops, want=want, where=where):
            if not isinstance(got, (list, tuple)) or sorted(map(str, got)) != sorted(ops):
                raise Wrong(f"For {where} return every name once, in an order; you returned {shown(got)}.")
            if not legal(ops, got):
                late = next(name for at, name in enumerate(got) if not set(ops[name][3]) <= set(got[:at]))
                raise Wrong(f"For {where}: {late} is written before {', '.join(ops[late][3])}, which it needs.")
            if served(ops, got) < want * (1 - 1e-9):
                raise Wrong(f"For {where}: your order serves {served(ops, got):,.0f} s × months, the best {want:,.0f}.")

        yield case(where, f"{want:,.0f} s × months", lambda ops=ops: function(dict(ops)), judge)
    return f"the best order for {len(jobs)} jobs."


def order(ops):
    """Of all orders in which each operation comes after what it needs, the one that serves most time."""

    def value(names):
        now, total = 0, 0.0
        for name in names:
            calls, seconds, months, _ = ops[name]
            now += months
            total -= calls * seconds * now
        return total

    def able(names):
        return all(set(ops[name][3]) <= set(names[:at]) for at, name in enumerate(names))

    return max(filter(able, permutations(ops)), key=value)


EXERCISES = [Exercise("12b.1", check_order, order)]
