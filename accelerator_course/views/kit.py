"""Kit: what stages are made of, laid out by relation: words in rows, bars with their values, legends, charts.

    words("head", (16, 20, "two kernels", "ink bold start", 15), (16, 44, "bytes moved"))
    below("side", 500, 60, ["first line", ("second", "good bold start"), ""])       one line under the other
    bars("hours", ids, left, rows(74, 48, n), 146 * hours / max(hours), 18, "memory", said=times)
    Chart((60, 420), (300, 40), (0, 50), (1, 1e4), log="y").axes(x=(0, 10, 20), x_name="batch")

All give Layers, or lists of Layers, of `stage`. Places are in pixels of the view, x to the right, y down.
"""

import textwrap

import numpy as np

from accelerator_course.views.stage import boxes, lines, paths, texts

LETTER = 0.55  # width of a letter, in its size
LEAST = 12  # letters of a row that are left to a line, however far it is indented


def wide(text, size=13):
    """About how wide a text is [px]."""
    return LETTER * size * len(text)


def tally(left, top, wide, indent, names, roles, shares, ends, said):
    """What has been counted so far, in bars that grow into the outlines of what they will reach, and its words.

    All share one axis from zero; `shares` of it and `ends`, 0 to 1; names stand `indent` px left of the bars.
    """
    keys, y, high = range(len(names)), rows(top, 27, len(names)), 17
    outline, bold = [f"{role} line dashed" for role in roles], [f"{role} bold start" for role in roles]
    who, long, middle = [f"counter: {name}" for name in names], wide * np.array(shares), y + high / 2
    yield boxes("tally-ends", keys, left, y, wide * np.array(ends), high, outline)
    yield lines("tally-zero", [0], left, y[0] - 5, left, y[-1] + high + 5, "ink", 1.5)
    yield texts("tally-names", keys, left - indent, middle, names, bold)
    yield boxes("tally", keys, left, y, long, high, roles, who=who, says=said)
    yield texts("tally-words", keys, left + wide + 8, middle, said, "ink start")


def cut(text, most, bare=""):
    """A text of so many letters at most: as many words as fit, without the signs `bare` at the end."""
    return text if len(text) <= most else text[: most - 2].rsplit(" ", 1)[0].rstrip(bare or None) + " …"


def nice(value, steps=(1, 2, 5, 10)):
    """A round number at or above a value: one of the steps times a power of ten; the end of an axis."""
    power = 10.0 ** np.floor(np.log10(value))
    return next(float(step * power) for step in steps if step * power >= value)


def rows(first, pitch, count):
    """Where `count` rows lie, the first at `first`."""
    return first + pitch * np.arange(count)


def piled(columns):
    """For each, how many before it stand in the same column."""
    columns = list(columns)
    return np.array([columns[:place].count(column) for place, column in enumerate(columns)])


def _full(lines):
    return [(*line, *("ink start", 13)[len(line) - 3 :]) for line in lines if line[2]]


def words(name, *lines):
    """Texts from rows of (x, y, text, role="ink start", size=13); a row without text is left out."""
    lines = _full(lines)
    return texts(name, range(len(lines)), *(list(column) for column in zip(*lines, strict=True)) if lines else [[]] * 3)


def below(name, x, y, lines, pitch=18, role="ink start", size=13):
    """Texts one below the other, each a text or (text, role) or (text, role, size); an empty one takes its room."""
    full = [(line,) if isinstance(line, str) else line for line in lines]
    return words(name, *((x, y + pitch * i, *line, *(role, size)[len(line) - 1 :]) for i, line in enumerate(full)))


def over(name, *lines):
    """`words` on paper of their own, so that no line runs through them: [paper, words]."""
    made = words(name, *lines)
    if not len(made):
        return [made]
    shapes = []
    for _, _, text, role, size in _full(lines):
        long, half = wide(text, size) + 4, 0.5 * size + 1.5
        left = -2 if "start" in role else 2 - long if "end" in role else -long / 2
        shapes.append(f"M{left:.1f} {-half:g}H{left + long:.1f}V{half:g}H{left:.1f}Z")
    return [paths(f"{name} paper", range(len(shapes)), shapes, *(made.columns[at] for at in "xy"), "paper"), made]


def spots(name, key, x, y, size, role, text="", letters=13, who="", says=""):
    """Boxes of one size around their middles; round where the role says so."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    return boxes(name, key, x - size / 2, y - size / 2, size, size, role, text, letters, who, says)


def bars(name, key, left, y, long, high, role, said=(), look="ink start", who="", says="", least=0, size=13, names=()):
    """Bars to the right of `left`, around their `y`; what is said after their ends, and names before them, if any."""
    long, y = np.maximum(long, least), np.asarray(y, float)
    drawn = [boxes(name, key, left, y - high / 2, long, high, role, who=who, says=says)]
    drawn += [texts(f"{name} names", key, left - 8, y, names, "ink end", size)] if len(names) else []
    return drawn + ([texts(f"{name} said", key, left + long + 8, y, said, look, size)] if len(said) else [])


def stack(name, key, left, y, long, high, role, text="", size=13, who="", says=""):
    """The parts of a bar, side by side from `left`, around its `y`."""
    long = np.asarray(long, float)
    return boxes(name, key, left + np.cumsum(long) - long, y - high / 2, long, high, role, text, size, who, says)


def pillars(name, key, x, floor, across, tall, role, said=(), look="ink", who="", says="", size=13):
    """Bars upwards from `floor`, around their `x`, and what is said above them: [bars] or [bars, words]."""
    tall, x = np.asarray(tall, float), np.asarray(x, float)
    drawn = [boxes(name, key, x - across / 2, floor - tall, across, tall, role, who=who, says=says)]
    return drawn + ([texts(f"{name} said", key, x, floor - tall - 10, said, look, size)] if len(said) else [])


def legend(name, x, y, entries, down=0, side=14, size=13, gap=24):
    """Squares of (role, words) and their words, side by side, or one below the other every `down` px."""
    roles, said = zip(*entries, strict=True)
    ends = np.cumsum([0, *(side + 6 + wide(text, size) + gap for text in said)])[:-1]
    x, y = (x + np.zeros(len(said)), y + down * np.arange(len(said))) if down else (x + ends, y + np.zeros(len(said)))
    yield boxes(name, range(len(said)), x, y - side / 2, side, side, roles)
    yield texts(f"{name} words", range(len(said)), x + side + 6, y, said, "ink start", size)


def shares(size, x, top, bottom=None):
    """A place, or a line from `top` to `bottom`, as shares of a picture of this size: [left, right, top, bottom]."""
    (wide, high), bottom = size, top if bottom is None else bottom
    return [round(float(share), 5) for share in (x / wide, x / wide, top / high, bottom / high)]


def in_rows(lengths, left, right):
    """[(x, row)] for things of these lengths, side by side as far as they fit between two edges."""
    found, x, row = [], left, 0
    for length in lengths:
        if x + length > right and x > left:
            x, row = left, row + 1
        found.append((x, row))
        x += length
    return found


def ticks(low, high, log=False, most=7):
    """Round numbers on an axis: decades of a logarithmic one, with 2 and 5 between them where there are few."""
    if log:
        first, last = np.floor(np.log10(low) + 1e-9), np.ceil(np.log10(high) - 1e-9)
        step = max(1, int(np.ceil((last - first) / 9)))
        found = 10.0 ** np.arange(first, last + 1, step)
        if np.sum((found >= low) & (found <= high)) < 3:
            found = np.ravel(found[:, None] * (1, 2, 5))
    else:
        step = nice((high - low) / most * (1 - 1e-9), (1, 2, 2.5, 5, 10))
        found = step * np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1) + 0.0
    near = 1e-9 * abs(high - low)
    return found[(found >= low - near) & (found <= high + near)]


def kernel(code, now, shown, letters, wide, top, row, head="the kernel, one for all lanes"):
    """Layers: `shown` rows around line `now`, which is lit; a line longer than `letters` goes on in the next row."""
    rows = []
    for number, line in enumerate(code, 1):
        indent = len(line) - len(line.lstrip())
        for part, words in enumerate(textwrap.wrap(line.strip(), max(LEAST, letters - indent)) or [""]):
            rows.append((number, part, indent + 2 * (part > 0), words))
    places = [place for place, each in enumerate(rows) if each[0] == now]
    at = max(0, min(places[0] - shown // 2, len(rows) - shown))
    seen = rows[at : at + shown]
    high = top + row * np.arange(len(seen))
    lit = len([place for place in places if place < at + shown])
    yield boxes("lit", [0], [2], [top + row * (places[0] - at)], wide - 2, row * lit, "compute tint")
    keys, x = [f"{number}.{part}" for number, part, *_ in seen], [30 + 8 * indent for *_, indent, _ in seen]
    yield texts("code", keys, x, high + row / 2, [words for *_, words in seen], "ink mono start")
    first = [i for i, each in enumerate(seen) if not each[1]]
    numbers = [seen[i][0] for i in first]
    yield texts("numbers", numbers, 22, high[first] + row / 2, map(str, numbers), "muted end", 12)
    yield texts("kernel", [0], [2], [top - 16], [head], "ink bold start")


class Chart:
    """A rectangle of pixels (left, right), (floor, top) with two scales (low, high); `log` names logarithmic ones.

    With `inside`, what lies beyond a scale is drawn at its end. `name` begins the names of its layers: one of several.
    """

    def __init__(self, across, up, x, y, log="", inside=False, name=""):
        self.across, self.up, self.scales, self.log, self.inside = across, up, (x, y), log, inside
        self.name = f"{name} " if name else ""

    def x(self, value):
        """Pixels of values across."""
        return self._at(value, self.scales[0], self.across, "x" in self.log)

    def y(self, value):
        """Pixels of values upwards."""
        return self._at(value, self.scales[1], self.up, "y" in self.log)

    def axes(self, x=(), y=(), x_name="", y_name="", x_words="{:g}", y_words="{:g}", size=12):
        """Faint lines at the ticks and their words (a template, or words themselves); names of the axes."""
        (left, right), (floor, top), at, high, name = self.across, self.up, self.x(x), self.y(y), self.name
        if len(x):
            yield lines(f"{name}across", range(len(x)), at, top, at, floor, "muted faint", 1)
            yield texts(f"{name}x ticks", range(len(x)), at, floor + 16, _tick_words(x_words, x), "muted", size)
        if len(y):
            yield lines(f"{name}up", range(len(y)), left, high, right, high, "muted faint", 1)
            yield texts(f"{name}y ticks", range(len(y)), left - 8, high, _tick_words(y_words, y), "muted end", size)
        if x_name or y_name:
            yield words(f"{name}axes", ((left + right) / 2, floor + 38, x_name, "ink"), (left, top - 14, y_name))

    def line(self, name, x, y, role, size=2, who="", says=""):
        """A line through points; nothing where there are fewer than two."""
        points = [f"{a:.1f} {b:.1f}" for a, b in zip(self.x(x), self.y(y), strict=True)]
        drawn = len(points) > 1
        return paths(name, [0] * drawn, ["M" + "L".join(points)] * drawn, 0, 0, role, size, who, says)

    def stairs(self, name, x, y, role, size=2):
        """From the floor right and up from point to point, to the right end."""
        way = "".join(f"H{a:.1f}V{b:.1f}" for a, b in zip(self.x(x), self.y(y), strict=True))
        start = f"M{way.partition('V')[0][1:]} {self.up[0]}"
        return paths(name, [0], f"{start}{way[way.index('V') :]}H{self.across[1]}", role=role, size=size)

    def dots(self, name, key, x, y, role, size=9, who="", says=""):
        """A dot at each point."""
        return spots(name, key, self.x(x), self.y(y), size, role, who=who, says=says)

    def _at(self, value, scale, ends, log):
        value = np.clip(value, min(scale), max(scale)) if self.inside else value
        value, scale = (np.log(np.asarray(one, float)) if log else np.asarray(one, float) for one in (value, scale))
        return ends[0] + (ends[1] - ends[0]) * (value - scale[0]) / (scale[1] - scale[0])


def _tick_words(words, values):
    return [words.format(value) for value in values] if isinstance(words, str) else list(words)
