"""Slips of the exercises of chapter 12."""


def fuses_whatever_follows(ops, outputs):
    """You joined operations to whatever they read. A value that somebody else reads, too, must be written."""
    return joined(ops, outputs, lone=False)


def forgets_the_outputs(ops, outputs):
    """You let a value disappear that is wanted in the end. It must be the last of its kernel."""
    return joined(ops, ())


def joins_products(ops, outputs):
    """You joined products or reductions to a kernel, too. Only element-wise operations can follow inside one."""
    return joined(ops, outputs, kinds=("elementwise", "product", "reduction"))


def first_input_only(ops, outputs):
    """You looked at the first input alone. Of several that could stay on the chip, the largest saves most."""
    return joined(ops, outputs, pick=lambda values, sizes: values[0])


def one_step_behind_a_product(ops, outputs):
    """You joined one operation to each product and stopped. The next can join the same kernel."""
    return joined(ops, outputs, longest=2)


def joined(ops, outputs, lone=True, kinds=("elementwise",), pick=None, longest=99):
    """Greedy fusion, with one thing changed."""
    sizes, ending = {name: elements for name, _, _, elements in ops}, {}
    for name, kind, inputs, _ in ops:
        read = lambda value: sum(value in needs for _, _, needs, _ in ops)  # noqa: E731
        ready = [v for v in inputs if v in ending and v not in outputs and (not lone or read(v) == 1)]
        ready = [v for v in ready if len(ending[v]) < longest]
        chosen = (pick(ready, sizes) if pick else max(ready, key=sizes.get)) if ready and kind in kinds else None
        ending[name] = [*(ending.pop(chosen) if chosen else []), name]
    return list(ending.values())
