"""Palette: the colours of a stage in both themes, as CSS for the page and as numbers for a film.

A role is a colour and how it is used: "memory", "compute tint", "muted line dashed". Memory-bound is blue,
compute-bound orange, as in all pictures; text on paper and on every fill has a contrast of 4.5:1 or more.
"""

from functools import cache
from pathlib import Path

BASES = ("ink", "muted", "memory", "compute", "other", "good", "bad", "paper")
LIGHT = "#1a1a1a", "#595959", "#0066a6", "#b84a00", "#6b3fa0", "#00694e", "#b3261e", "#ffffff"
DARK = "#f2f2f2", "#b3b3b3", "#6cbcf5", "#f5a05f", "#c3a5f0", "#56cba6", "#ff9a92", "#111111"
LIGHT, DARK = (dict(zip(BASES, colours, strict=True)) for colours in (LIGHT, DARK))
MODIFIERS = ("tint", "soft", "line")  # a light fill with an edge, one without an edge, an edge alone
MODIFIERS += ("dashed", "dotted", "dashdot", "round")  # its edge or line; a box as an ellipse
MODIFIERS += ("bold", "mono", "start", "end", "faint")  # of text: its place is its start or end; a third of the opacity
MODIFIERS += tuple(f"tenths-{n}" for n in range(1, 10))  # a soft fill with so many tenths of the colour
TINT = {"light": 0.24, "dark": 0.34}  # share of the colour in a light fill; the rest is paper


def check(role):
    """The role, if it is one. Raises ValueError."""
    base, *modifiers = role.split() or [""]
    unknown = [word for word in modifiers if word not in MODIFIERS]
    if base not in BASES or unknown:
        raise ValueError(f"a role is one of {', '.join(BASES)}, then any of {', '.join(MODIFIERS)}; got {role!r}")
    return role


def mixed(colour, paper, share):
    """The colour of a light fill, "#rrggbb"."""
    pairs = [(int(colour[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


@cache
def css():
    """The style sheet of the stage: colours of both themes, then stage.css."""
    dark = f"[data-jp-theme-light='false'] .acc-stage:not(.still) {{ {_variables(DARK, 'dark')} }}\n"
    dark += f"@media (prefers-color-scheme: dark) {{ .acc-page .acc-stage {{ {_variables(DARK, 'dark')} }} }}\n"
    bases = "".join(f".acc-stage .{base} {{ --c: var(--{base}); --t: var(--{base}-tint) }}\n" for base in BASES)
    tenths = ".acc-stage .tenths-{0} {{ --t: color-mix(in srgb, var(--c) {0}0%, var(--paper)) }}\n"
    bases += "".join(map(tenths.format, range(1, 10)))
    sheet = Path(__file__).with_name("stage.css").read_text(encoding="utf-8")
    return f".acc-stage {{ {_variables(LIGHT, 'light')} }}\n{dark}{bases}{sheet}"


def _variables(colours, theme):
    tints = {f"{name}-tint": mixed(colour, colours["paper"], TINT[theme]) for name, colour in colours.items()}
    return "; ".join(f"--{name}: {colour}" for name, colour in {**colours, **tints}.items())
