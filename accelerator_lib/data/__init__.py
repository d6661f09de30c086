"""Facts as YAML, each with its source and the basis of the value; parsed on first use and kept.

load("accelerators")    the published peaks, memories and links of 53 accelerators
load("measured")        published measurements that stand beside the models; published(kind) has every row of a kind
"""

from dataclasses import fields, is_dataclass
from functools import cache, wraps
from pathlib import Path

from accelerator_lib.data import ahead

FOLDER = Path(__file__).parent
PARTS = {"training": ("training_1b", "training_scale"), "decode": ("split_decode",)}  # kinds that a chapter set apart


def _refused(self, *_, **__):
    raise TypeError("this table belongs to the whole session: change a copy of it, copy.deepcopy(table)")


class FixedDict(dict):
    """A dict that cannot be written to, and yet is one: to JSON, to a schema, to `|`. A copy of it is a plain dict."""

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refused

    def __reduce__(self):
        return dict, (dict(self),)


class FixedList(list):
    """The same of a list."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = clear = extend = insert = pop = remove = _refused
    reverse = sort = _refused

    def __reduce__(self):
        return list, (list(self),)


def frozen(value):
    """What is kept and handed out to many: dicts, lists and arrays that cannot be written to, however deep.

    Dicts and lists are copied; arrays, and the fields of frozen dataclasses, are closed where they are.
    """
    if type(value) is dict:
        return FixedDict({key: frozen(one) for key, one in value.items()})
    if type(value) in (list, tuple):
        return (FixedList if type(value) is list else tuple)(map(frozen, value))
    if hasattr(value, "setflags"):  # an array of NumPy
        value.setflags(write=False)
    elif is_dataclass(value) and not isinstance(value, type) and value.__dataclass_params__.frozen:
        for field in fields(value):
            object.__setattr__(value, field.name, frozen(getattr(value, field.name)))
    return value


def kept(function):
    """functools.cache for what is handed out to many: nothing of what it returns can be written to."""

    @cache
    @wraps(function)
    def made(*args, **more):
        return frozen(function(*args, **more))

    return made


@kept
def load(name):
    """The content of data/`name`.yaml as dicts and lists that cannot be written to."""
    return parse(FOLDER / f"{name}.yaml")


def parse(path):
    """One YAML file; a key that stands twice in one mapping is an error with its line, not a silent loss."""
    ready = ahead.content(path)
    if ready is not ahead.NOTHING:
        return ready
    with open(path, encoding="utf-8") as stream:
        return read(stream)


def read(stream):
    """The same of an open file."""
    import yaml

    return yaml.load(stream, _strict_loader())


@cache
def _strict_loader():
    import yaml

    class Strict(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        """The safe loader, refusing duplicate keys."""

        def construct_mapping(self, node, deep=False):
            seen = set()
            for key_node, _ in node.value:
                key, mark = self.construct_object(key_node, deep=True), key_node.start_mark
                where = f"{mark.name}, line {mark.line + 1}"
                if isinstance(key, (dict, list)):
                    raise ValueError(f"{where}: a key must be a name, not a list or table")
                if key in seen:
                    raise ValueError(f"{where}: the key {key!r} stands twice")
                seen.add(key)
            return super().construct_mapping(node, deep)

    return Strict


def rows(kind):
    """The published measurements of one kind (gemm, training, decode, memory_bandwidth ...), by id."""
    return {row["id"]: row for row in load("measured")["rows"] if row["kind"] == kind}


def title(row):
    """The title of the source of a published measurement."""
    return load("measured")["sources"][row["source"]]["title"]


def publisher(source):
    """Who published a source: files of one repository, and papers of one group, have one publisher."""
    return _publishers().get(source, source)


@cache
def _publishers():
    return {source: entry["publisher"] for source, entry in load("measured")["sources"].items()}


@kept
def published(kind):
    """Every published measurement of one kind, by id: those of rows(kind) first, then those that no chapter draws."""
    path = FOLDER / "published" / f"{kind}.yaml"
    known = {row["kind"] for row in load("measured")["rows"]}
    if kind not in known and not path.exists():
        known |= {file.stem for file in path.parent.glob("*.yaml")}
        raise ValueError(f"no measurements of kind {kind!r}; there are {', '.join(sorted(known))}")
    found = {id: row for part in (kind, *PARTS.get(kind, ())) for id, row in rows(part).items()}
    more = parse(path)["rows"] if path.exists() else []
    return found | {row["id"]: row for row in more}
