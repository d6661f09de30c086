"""Film: the states of a simulation as an animated GIF, or as one HTML page that steps and plays without Python."""

import base64
import html
import io
import json

from accelerator_lib.inputs import real
from accelerator_lib.views.render import Renderer

MOST = 80  # pictures; longer simulations are shown every second, third ... state


def gif(view, states, seconds=0.4, most=MOST):
    """Bytes of an animated GIF; each picture stands so many seconds, the last one three times as long."""
    still = round(1000 * real("seconds", seconds, low=0.02, high=60))
    pictures = [renderer.image() for renderer, _ in _frames(view, states, most)]
    few = pictures[len(pictures) // 2].quantize(64)  # one palette for all: colours hold still, and it is fast
    pictures = [picture.quantize(palette=few, dither=0) for picture in pictures]
    out, times = io.BytesIO(), [still] * (len(pictures) - 1) + [3 * still]
    pictures[0].save(out, "gif", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return out.getvalue()


def page(view, states, title="Simulation", most=MOST):
    """An HTML page, as text: pictures, sentences, Back, Forward, Play, a slider; works by keyboard and offline."""
    frames = [
        {"text": sentence, "src": "data:image/png;base64," + base64.b64encode(renderer.png()).decode()}
        for renderer, sentence in _frames(view, states, most)
    ]
    return PAGE.replace("TITLE", html.escape(title)).replace("FRAMES", json.dumps(frames).replace("</", "<\\/"))


def _frames(view, states, most):
    """(renderer, sentence) of the states: all of a short simulation, of a long one a choice with its last."""
    every = -(-len(states) // most)
    renderer = Renderer(view.figure)
    for state in [*states[:-1:every], states[-1]]:
        sentence = view.show(state)
        yield renderer, sentence


PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>TITLE</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a }
img { max-width: 100% } button, input { font: inherit; margin-right: .5rem } input { width: 50% }
</style>
<h1>TITLE</h1>
<p id="text" role="status" aria-live="polite" style="min-height: 3em"></p>
<p><button id="back">Back</button><button id="play">Play</button><button id="forward">Forward</button>
<input id="at" type="range" min="0" value="0" aria-label="step"></p>
<img id="picture" alt="">
<script>
const frames = FRAMES, $ = id => document.getElementById(id);
let timer = null;
function show() {
  const frame = frames[$("at").value];
  $("picture").src = frame.src;
  $("picture").alt = $("text").textContent = frame.text;
}
function go(by) { $("at").value = Number($("at").value) + by; show(); }
function stop() { clearInterval(timer); timer = null; $("play").textContent = "Play"; }
$("at").max = frames.length - 1;
$("at").oninput = show;
$("back").onclick = () => { stop(); go(-1); };
$("forward").onclick = () => { stop(); go(1); };
$("play").onclick = () => {
  if (timer) return stop();
  if (Number($("at").value) === frames.length - 1) $("at").value = 0;
  $("play").textContent = "Pause";
  timer = setInterval(() => { go(1); if (Number($("at").value) === frames.length - 1) stop(); }, 500);
};
show();
</script></html>
"""
