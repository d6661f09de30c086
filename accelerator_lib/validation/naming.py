"""Names of rows: what was run on what, and beside it what tells a row from the others that ran the same there.

dense matmul BF16, H100 SXM: M 8192, N 8192, K 8192      FlashAttention attention, A100 40GB: seq 128, forward
"""

from accelerator_lib import data

LONG = 28  # letters of a condition that is worth telling
RESULTS = ("reported", "tokens_per", "method")  # found or done, not asked for
# conditions whose value tells by itself
BARE = ("pass", "options", "dtype", "framework", "library", "parallel", "algorithm", "mode", "level", "metric")


@data.kept
def beside(kind):
    """{id: what tells it from those of the same workload and device, "" where it is alone} of all rows of a kind."""
    rows, alike, found = data.published(kind), {}, {}
    for id, row in rows.items():
        alike.setdefault((row.get("workload") or "", row["device"]), []).append(id)
    for ids in alike.values():
        stated = {id: (rows[id].get("conditions") or {}) | _more(rows[id]) for id in ids}
        found |= _told(stated) if len(ids) > 1 else {ids[0]: ""}
    return found


def _more(row):
    return {"metric": row["metric"], "chips": row.get("n_devices")}


def name(kind, id):
    """What was run on what, and what tells the row from others; no two rows of a kind have the same."""
    row, more = data.published(kind)[id], beside(kind)[id]
    return ", ".join(filter(None, (row.get("workload"), row["device"]))) + (f": {more}" if more else "")


def _told(stated):
    """The fewest conditions that tell all of these rows apart, those that tell most first; at last, ids."""
    keys = list(dict.fromkeys(key for conditions in stated.values() for key in conditions))
    keys = [key for key in keys if all(len(str(each.get(key))) <= LONG for each in stated.values())]
    keys = [key for key in keys if not key.startswith(RESULTS)] or keys
    chosen, apart = [], 1
    while apart < len(stated):
        best = max(keys, key=lambda key: _apart(stated, [*chosen, key]), default=None)
        if best is None or _apart(stated, [*chosen, best]) == apart:
            return {id: f"{_words(each, chosen)}, {id}".removeprefix(", ") for id, each in stated.items()}
        chosen.append(best)
        apart = _apart(stated, chosen)
    return {id: _words(each, sorted(chosen, key=keys.index)) for id, each in stated.items()}


def _apart(stated, keys):
    return len({_words(each, keys) for each in stated.values()})


def _words(conditions, keys):
    given = [(key, conditions[key]) for key in keys if conditions.get(key) not in (None, "")]
    return ", ".join(
        f"{value}".replace("_", " ") if key in BARE else f"{key.replace('_', ' ')} {value}" for key, value in given
    )
