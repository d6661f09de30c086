"""Rungs: kernels that a learner writes are judged, kept with the progress, and told to others by a token: whoever gets
it runs them again."""

from accelerator_course.ladder import tokens
from accelerator_course.ladder.catalog import rung
from accelerator_course.ladder.judge import begun, judge
from accelerator_course.quiz import progress
from accelerator_course.quiz.token import learner


def attempt(id, source):
    """Verdict on a kernel, which is kept with its score. Raises UnknownName for a rung that is none."""
    verdict = judge(id, source)
    score = None if verdict.score is None else float(verdict.score)
    event = {"kind": "rung", "id": id, "right": verdict.right, "source": verdict.source, "score": score}
    progress.record({**event, "star": verdict.star})
    return verdict


def draft(id, source):
    """Keep a text as it stands; True if it is safely stored. Raises UnknownName for a rung that is none."""
    return progress.record({"kind": "draft", "id": rung(id).id, "source": source})


def last(id):
    """The learner's last text, attempt or draft; the blank kernel where there is none."""
    blank = rung(id).blank
    kept = [event for event in progress.events() if event.get("kind") in ("rung", "draft") and event.get("id") == id]
    texts = [event["source"] for event in kept if event.get("source")]
    return texts[-1] if texts else blank


def tried(id):
    """Whether the learner has had a text judged that says more than the blank kernel."""
    texts = [event.get("source") for event in progress.events("rung") if event.get("id") == id]
    return any(text and begun(rung(id), text) for text in texts)


def best():
    """{id: the right text that scored best}, as the log has it; the log is no proof."""
    return {id: source for id, (_, source) in _best().items()}


def scores():
    """{id: the best score}, likewise."""
    return {id: score for id, (score, _) in _best().items()}


def _best():
    """{id: (score, text)}."""
    found = {}
    for event in progress.events("rung"):
        id, score, source = event.get("id"), event.get("score"), event.get("source")
        if id and event.get("right") and score is not None and source and score <= found.get(id, (score,))[0]:
            found[id] = score, source
    return found


def stars():
    """Rungs at whose par the learner has arrived, as the log has it."""
    return {event["id"] for event in progress.events("rung") if event.get("star") and event.get("id")}


def token():
    """The learner's best kernels as one line, as many as it has room for."""
    return shared()[0]


def shared():
    """(token, ids of the best kernels that it has no room for)"""
    known = {id: source for id, source in best().items() if tokens.fits(id, source)}  # of an edited log, what is one
    held = tokens.room_for(known)
    return tokens.write(held, learner(progress.events())), tuple(id for id in known if id not in held)
