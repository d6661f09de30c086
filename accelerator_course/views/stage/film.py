"""Film: a run to take along: an animated GIF with its sentences, or one HTML page that plays without Python."""

import base64
import html
import io
import json
import textwrap
from functools import cache
from pathlib import Path

from accelerator_course.views.stage import palette, raster
from accelerator_course.views.stage.reel import Reel
from accelerator_lib.checks.inputs import real

HERE = Path(__file__).parent
MOST = 120  # pictures of a GIF; longer runs are shown every second, third ... state
SCALE = 1.5  # pixels of a GIF for each of the view's


@cache
def script():
    """The player as JavaScript: `mount` and what it needs."""
    return "".join((HERE / file).read_text(encoding="utf-8") for file in ("paint.js", "player.js"))


def gif(view, states, seconds=0.4, most=MOST):
    """Bytes of an animated GIF; each picture stands so many seconds, the last one three times as long."""
    still = round(1000 * real("seconds", seconds, low=0.02, high=60))
    every = -(-len(states) // most)
    chosen = [*states[:-1:every], states[-1]]
    lines = max(len(textwrap.wrap(view.say(state), raster.LETTERS)) for state in chosen)
    pictures = [raster.image(view, state, SCALE, lines) for state in chosen]
    few = pictures[len(pictures) // 2].quantize(128)  # one palette for all: colours hold still, and it is fast
    pictures = [picture.quantize(palette=few, dither=0) for picture in pictures]
    out, times = io.BytesIO(), [still] * (len(pictures) - 1) + [3 * still]
    pictures[0].save(out, "gif", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return out.getvalue()


def page(view, states, caption=""):
    """An HTML page, as text, that holds the player and the whole run; works by keyboard and without a network."""
    reel = Reel(view)
    for state in states:
        reel.add(state)
    run = {"total": len(states), "size": list(view.size), "noun": view.noun, "follows": view.follows}
    parts = {"TITLE": html.escape(view.title), "CAPTION": html.escape(caption), "STYLE": palette.css()}
    parts |= {"SCRIPT": script(), "RUN": _json(run), "HEAD": _json(reel.head)}
    parts |= {"DATA": base64.b64encode(reel.data()).decode()}
    made = (HERE / "page.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        made = made.replace(f"@{name}@", text)
    return made


def _json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
