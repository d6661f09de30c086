"""What every panel shows and says at 12 settings, to be compared before and after pictures are drawn in another way.

    python tests/pictures.py keep before.pkl [TOPIC ...]       run the chapters, keep marks and sentences
    python tests/pictures.py compare before.pkl after.pkl      list what differs; exit 1 if anything does

Of a run the first, the middle and the last state are kept. Places are rounded to 0.1 px; marks that draw nothing are
left out, and their order and names do not count: what a reader sees does.
"""

import os
import pickle
import sys
from collections import Counter
from pathlib import Path

SETTINGS, PLACES = 12, ("x", "y", "w", "h", "x2", "y2", "size")


def visible(view, state):
    """{mark: how many} of a state."""
    from accelerator_course.views.stage import still

    found = Counter()
    for kind, mark in still.rows(view.marks(state)):
        words = str(mark["text"])
        if (kind == "text" and not words) or (kind == "path" and words in ("", "M")):
            continue
        if kind == "box" and not words:
            mark["size"] = 0  # of its letters
        places = tuple(round(float(mark[name]), 1) + 0.0 for name in PLACES)
        found[(kind, *places, " ".join(mark["role"].split()), words, mark["who"], mark["says"])] += 1
    return found


def kept(topic):
    """{panel: [(setting, [(sentence, marks), ...]), ...]} of a chapter."""
    from played import Played
    from sweep import DEAR, unseen

    chapter, found = Played(topic), {}
    for id, panel in chapter.panels.items():
        found[id], view = [], panel.picture.view
        for setting in [{}, *list(chapter.settings(id))[-(1 if id in DEAR else SETTINGS) :]]:
            with unseen():
                panel.set(**{**panel.defaults, **setting})
            states = getattr(panel.picture, "states", [])
            shown = [states[i] for i in sorted({0, len(states) // 2, len(states) - 1})] if states else []
            drawn = [(view.say(one), visible(view, one)) for one in shown]
            found[id].append((repr(setting), drawn or [(panel.picture.sentence, Counter())]))
        panel.reset()
    return found


def differences(before, after):
    """Lines that say what differs."""
    for name in sorted({*before, *after}):
        one, other = before.get(name), after.get(name)
        if one is None or other is None:
            yield f"{name}: only {'after' if one is None else 'before'}"
            continue
        for (setting, old), (_, new) in zip(one, other, strict=True):
            for place, ((said, marks), (says, drawn)) in enumerate(zip(old, new, strict=False)):
                if said != says:
                    yield f"{name} {setting} state {place}\n  - {said}\n  + {says}"
                if marks != drawn:
                    gone, come = list((marks - drawn).elements()), list((drawn - marks).elements())
                    lines = [f"  - {mark}" for mark in gone[:6]] + [f"  + {mark}" for mark in come[:6]]
                    yield "\n".join([f"{name} {setting} state {place}: {len(gone)} gone, {len(come)} new", *lines])


def main(arguments):
    """Keep or compare."""
    if arguments[0] == "compare":
        before, after = (pickle.loads(Path(path).read_bytes()) for path in arguments[1:3])
        topics = {name.split()[0] for name in after}
        found = list(differences({name: one for name, one in before.items() if name.split()[0] in topics}, after))
        print("\n".join(found) or f"{len(after)} panels show and say the same")
        return bool(found)
    os.environ |= {"ACCELERATOR_COURSE_OPEN": "1", "ACCELERATOR_COURSE_SHORT": "1"}
    from accelerator_course import syllabus

    made = {}
    for topic in arguments[2:] or syllabus.rooms():
        made |= {f"{topic} {id}": rows for id, rows in kept(topic).items()}
        print(topic, len(made), flush=True)
    with open(arguments[1], "wb") as file:
        pickle.dump(made, file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
