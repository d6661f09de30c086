"""Language models as sources write them: which shape is meant, in how many bits, on how many chips."""

import re
from functools import lru_cache

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, shown
from accelerator_lib.llm.passes import work
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import amount, is_number, one
from accelerator_lib.workload.models import Model, model, models

GIB = 2**30


def shape(row):
    """The Model that a row is about. Raises NotAvailable."""
    given = row["conditions"].get("model")
    return _shape(given if isinstance(given, str) else "", row["workload"])


@lru_cache(4096)
def _shape(given, workload):
    if given in models():
        return model(given)
    text = _plain(f"{given} {workload}")
    llama = re.search(r"llama ?(?:v?([123])(?:\.\d)? )?(\d+)b\b", text)
    name = f"llama-{max(int(llama[1] or 2), 2)}-{llama[2]}b" if llama else ""
    if name in models():
        return model(name)
    for pattern, id in data.load("validation")["model_names"].items():
        if re.search(pattern, text):
            return model(id) if id in models() else own_models()[id]
    raise NotAvailable(f"no model whose shape is known here is named in {workload[:80]!r}")


@data.kept
def own_models():
    """{id: Model} of those that stand in data/validation.yaml alone; their shapes are recalled."""
    found = {}
    for id, its in data.load("validation")["models"].items():
        facts = {"params": its["params"], "active_params": its["params"], **its["shape"]}
        found[id] = Model(id, source="recalled", **facts)
    return found


def formats(row):
    """(format of the arithmetic, bits of a stored weight). Raises NotAvailable."""
    said = row["conditions"]
    words = (said.get("weights"), said.get("dtype"), said.get("precision"), row["workload"])
    found = _formats(tuple(each for each in words if isinstance(each, str)))
    if found is None:
        raise NotAvailable(f"{row['id']} does not state in how many bits the weights are")
    return found


@lru_cache(4096)
def _formats(words):
    for text in map(_plain, words):
        for pattern, dtype, bits in data.load("validation")["bits"]:
            if re.search(rf"\b({pattern})\b", text):
                group = re.search(r"group (\d+)", text)
                return dtype, 4 + 32 / int(group[1]) if group and bits < 8 and int(group[1]) else bits
    return None


def stored_bytes(row, shape):
    """(format of the arithmetic, bytes of all weights as they are stored)."""
    if "weights_gib" in row["conditions"]:
        return "fp16", amount(row, "weights_gib") * GIB  # unpacked before they are multiplied
    dtype, bits = formats(row)
    return dtype, shape.params * bits / 8


def chips(row):
    """Chips that share each layer: 1 where they take layers one after the other. Raises NotAvailable."""
    if _says(r"one after the other|pipeline|layers? split", row["workload"]):
        return 1
    if "tensor_parallel" in row["conditions"]:
        return _whole(row, "tensor_parallel", amount(row, "tensor_parallel"))
    return _few_enough(row) if row["n_devices"] is None else _whole(row, "n_devices", row["n_devices"])


def _few_enough(row):
    """Chips as the device's name counts them, "8x H100", or one where it holds the weights. Raises NotAvailable."""
    found = re.match(r"\s*(\d+)\s*[x×]\s", re.sub(r"(?<=\d[x×])(?=[A-Za-z])", " ", row["device"]))
    if found:
        return _whole(row, "n_devices", int(found[1]))
    size = named(row["device"])[0].capacity_bytes
    if size is None or stored_bytes(row, shape(row))[1] > size:
        raise NotAvailable(f"{row['id']} does not state n_devices, and one does not hold the weights")
    return 1


def hold(row, chip, stored):
    """Raises NotAvailable where so many bytes of weights are more than all chips of a row hold: then they move."""
    count = max(chips(row), row["n_devices"] or 1)
    if chip.capacity_bytes and stored > count * chip.capacity_bytes:
        raise NotAvailable(f"{stored / 1e9:,.0f} GB of weights do not fit on {count} x {chip.short_name}")


def crowded(chip, n, stored, caches):
    """A sentence where weights and caches of a stated batch [bytes] are more than n chips hold; else an empty one."""
    size = (chip.capacity_bytes or 0) / 1e9  # in words GB, on the board GiB
    if not size or stored + caches <= n * size * GIB:
        return ""
    much = f"{stored / GIB:,.0f} GiB of weights and {caches / GIB:,.0f} GiB of caches"
    return f" The stated batch does not fit: {much} on {n} x {chip.short_name} of {size:,.0f} GiB."


def tokens(row, name, *others, default=None):
    """A number of tokens as the row states it: 512, "up to 1024", "about 90 tokens of text". Raises NotAvailable."""
    for each in (name, *others):
        said = one(row, each)
        if isinstance(said, str) and re.search(r"\d", said):
            said = float(re.search(r"\d[\d,]*", said)[0].replace(",", ""))
        if said == 0 and default == 0:
            return 0
        if is_number(said):
            return int(_whole(row, each, said))
    if default is not None:
        return default
    raise NotAvailable(f"{row['id']} does not state {name}")


def pieces(row):
    """Whether llama.cpp ran it: prompts in pieces, simple kernels."""
    return _says(r"llama\.?cpp", f"{row['conditions'].get('software')} {row['workload']}")


def eager(row):
    """Whether every operation is called from Python, rather than launched by a program made beforehand."""
    return _says(r"eager|plain pytorch", f"{row['conditions'].get('software')} {row['workload']}")


@lru_cache(4096)
def _says(pattern, text):
    return bool(re.search(pattern, text, re.I))


@lru_cache(4096)
def passed(shape, new, batch, cached, stored, kv_dtype, fused=True):
    """llm.passes.work, remembered: fitting asks for the same passes again and again."""
    return work(shape, new, batch, cached, kv_dtype=kv_dtype, stored_bytes=stored, fused=fused)


def _whole(row, name, value):
    if not (is_number(value) and 1 <= value <= 1e6 and value == int(value)):
        raise NotAvailable(f"{row['id']}: {name} must be a whole number from 1 to a million, not {shown(value)}")
    return int(value)


def _plain(text):
    return " ".join(re.sub(r"[^a-z0-9.]+", " ", str(text).lower()).split())


def memory_gb(device):
    """The memory that a device's name states, as in "M3 10-core GPU 16GB"; None where it does not."""
    size = re.search(r"\b(\d+) ?G(?:i?B)\b", device, re.I)
    return int(size[1]) if size else None


def peak(chip, dtype, tokens=1):
    """FLOP/s of a format, or of 16 bits where a chip has no such units: then numbers are widened first.
    Without end for one token alone where neither is published, since bytes decide there. Raises NotAvailable."""
    for each in (dtype, "fp16", "bf16"):
        if each in chip.matrix or each in chip.vector:
            return chip.peak(each)
    return chip.peak(dtype) if tokens > 1 else 1e30


def half_sums(chip):
    """How many times faster a chip multiplies 16-bit numbers where it may keep their sums in 16 bits too."""
    return 2 if re.search(data.load("validation")["half_sums"], chip.id) else 1
