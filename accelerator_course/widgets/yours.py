"""Yours: the reader's own model (a config.json) and chip (ten fields), kept with the progress; menus that cells mark
with yours("model", MODELS) list them, and a panel stands at them from its beginning. Reset leads back."""

from contextlib import suppress
from functools import lru_cache
from weakref import WeakSet

from accelerator_course.quiz import progress
from accelerator_lib.hardware import chip, read_sheet
from accelerator_lib.units import si
from accelerator_lib.workload.config import parsed, read_config
from accelerator_lib.workload.models import Model, model

WRONG = (LookupError, ValueError, TypeError, AttributeError)  # a field may hold anything
followers = WeakSet()  # panels, which `follow`


class Menu:
    """A menu that lists the reader's own: "model", "chip", or "pair", with Llama 3 8B or H100 for what is not given."""

    def __init__(self, takes, menu):
        self.takes, self.menu = takes, menu


@lru_cache(8)
def read(text):
    """The Model or the Chip of a text. Raises NotAvailable, ValueError, TypeError in one line."""
    given = parsed(text)
    return read_sheet(given) if "peak_tflops" in given else read_config(given)


def own(panel=None):
    """{"model": (name, Model), "chip": (name, Chip), "pair": (name, both)} of what the reader chose, if anything; a
    panel that asks hears of the next choice (`follow`)."""
    followers.update([panel] if panel else ())
    kept = {event.get("what"): event.get("text") for event in progress.events("yours")}
    found = {}
    for what in filter(kept.get, ("model", "chip")):
        with suppress(*WRONG):  # written by hand, or by another version
            found[what] = f"yours: {read(kept[what]).name}", read(kept[what])
    if found:
        usual = {"model": model("llama-3-8b"), "chip": chip("h100-sxm5")}
        pair = tuple(found[what][1] if what in found else usual[what] for what in usual)
        found["pair"] = f"yours: {pair[0].name} on {pair[1].short_name}", pair
    return found


def use(text):
    """Choose the model or chip of a text for every menu, or none by an empty one; returns a line about it."""
    try:
        made = read(text) if text.strip() else None
    except WRONG as why:
        return f"Not taken: {why}."
    for what in ("model", "chip") if made is None else ("model",) if isinstance(made, Model) else ("chip",):
        progress.record({"kind": "yours", "what": what, "text": text.strip()})
    for panel in list(followers):
        panel.follow()
    if made is None:
        return "Every menu is the course's own again."
    if not isinstance(made, Model):
        (dtype, peak), *_ = made.matrix.items()
        return (
            f"{made.name}: {si(peak, 'FLOP/s')} dense in {dtype}; its link {si(made.link_bytes_per_s, 'B/s')} one way."
        )
    met = f"; a token uses {made.active_params:,} of them" if made.active_params != made.params else ""
    window = f" {made.windowed_layers} of {made.layers} layers cache {made.window:,} tokens." if made.window else ""
    stored = f", {si(made.stored_bytes, 'B')} as its file stores them" if made.stored_bytes else ""
    return f"{made.name}: {made.params:,} weights{met}; {si(2 * made.params, 'B')} in 16 bits{stored}.{window}"
