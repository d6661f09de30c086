"""XLA: what the compiler itself counts of a JAX function."""


def cost(staged):
    """{"flops", "bytes", "transcendentals"} of a lowered or compiled JAX function, as XLA counts them.
    Where a backend does not count at this stage the answer is empty: ask `cost(compiled) or cost(lowered)`."""
    found = staged.cost_analysis()
    found = found[0] if isinstance(found, (list, tuple)) and found else found  # one entry for each program
    names = {"flops": "flops", "bytes": "bytes accessed", "transcendentals": "transcendentals"}
    return {name: float(found.get(key, 0)) for name, key in names.items()} if found else {}
