"""A row as a source might state it, for tests of the models that foretell one."""


def stated(kind, device, workload, metric, unit, n_devices=1, **conditions):
    """The row; a condition that is None is not stated."""
    row = {"id": "", "kind": kind, "device": device, "n_devices": n_devices, "workload": workload}
    said = {name: value for name, value in conditions.items() if value is not None}
    return row | {"metric": metric, "unit": unit, "conditions": said}
