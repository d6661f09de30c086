"""A learner's results as one line of text: no names, no server, nothing but scores.

    write(events)        "ACC3-..." to paste into a mail or a form
    read_token(text)     Report: one token, or many pasted together, with scores by misconception

Bytes: four that tell one log from another (made from the instant at which it begins), for every chapter its best quiz
in twentieths + 1 (0: not taken), then (misconception, right, asked) for those that were asked, and a checksum of two
bytes, so that a token cut in copying is told from a bad result. It is no seal: whoever wants to can write a better one.
Tokens of the second version (ACC2) have fourteen chapters; those of the first (ACC1) no first four bytes, thirteen
chapters, and a checksum that zeros pass.
"""

import base64
import binascii
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import islice

from accelerator_lib import data
from accelerator_lib.inputs import described
from accelerator_lib.quiz import bank, fields, standing

MARK = "ACC3-"
# bytes that tell learners apart, where the checksum begins, chapters (None: all that there are)
VERSIONS = {"ACC1-": (0, 0, 13), "ACC2-": (4, 0xFFFF, 14), MARK: (4, 0xFFFF, None)}
STEPS = 20
TOLD = 20  # tokens that are not counted are named, up to so many
MOST = 100_000  # tokens of one text


@dataclass(frozen=True)
class Report:
    """`misconceptions` {M1: (right, asked)} over all tokens; `chapters` {topic: best quiz of each learner, 0 to 1};
    `notes`: what was not counted, one line each of the first, and how many more there are."""

    learners: int
    chapters: dict
    misconceptions: dict
    notes: tuple = ()

    def __str__(self):
        many = "learner" if self.learners == 1 else "learners"
        lines = [f"{self.learners} {many}", "", "chapter     taken by   best quiz, mean"]
        for topic, best in self.chapters.items():
            lines.append(f"{topic:<11} {len(best):>8}   {sum(best) / len(best):>14.0%}")
        lines += ["", "first answers that were right, weakest belief first"]
        for tag, (right, asked) in sorted(self.misconceptions.items(), key=lambda entry: entry[1][0] / entry[1][1]):
            lines.append(f"{right:>4} of {asked:<4} {tag:<4} {bank.misconceptions().get(tag, '')}")
        lines += ["", *self.notes] if self.notes else []
        return "\n".join(lines)

    __repr__ = __str__


def write(events):
    """The token of a log of events."""
    body = bytearray(learner(events).to_bytes(4, "big"))
    for topic in data.chapters():
        best = standing.chapter(events, topic).best
        body.append(0 if best is None else 1 + round(best * STEPS))
    known = {tag: score for tag, score in standing.scores(events).items() if tag in bank.misconceptions()}
    for tag, (right, asked) in known.items():
        scale = max(1, asked / 255)
        body += bytes([int(tag[1:]), round(right / scale), round(asked / scale)])
    checked = bytes(body) + _sum(bytes(body), MARK)
    return MARK + base64.urlsafe_b64encode(checked).decode().rstrip("=")


def learner(events):
    """What tells one log from another: a number made from the instant at which it begins; 0 for an empty one."""
    begun = [event["time"] for event in events if fields.time(event.get("time"))]
    return binascii.crc32(repr(float(min(begun))).encode()) if begun else 0


def read_token(text):
    """The Report of one token, or of many separated by anything.

    A token that is damaged costs nothing but itself and is named; of several by one learner that with most answers
    counts. Raises ValueError where no token can be read, or too many are there; TypeError for what is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"tokens are read from a text, not from {described(text)}")
    found, notes, bad = {}, [], 0
    tokens = [token[0] for token in islice(re.finditer(r"ACC\d+-[\w-]+", text), MOST + 1)]
    if not tokens:
        raise ValueError(f"there is no token in {text.strip()[:40]!r}; a token begins with {MARK}")
    if len(tokens) > MOST:
        raise ValueError(f"more than {MOST:,} tokens: that is no list of the tokens of learners")
    for token in tokens:
        try:
            learner, *told = _read(token)
        except ValueError as error:
            bad += 1
            notes += [str(error)] * (bad <= TOLD)
            continue
        found[learner] = max(told, found.get(learner, told), key=_most)
    if not found:
        raise ValueError(notes[0] + (f" (and {bad - 1} more)" if bad > 1 else ""))
    if bad > TOLD:
        notes.append(f"{bad - TOLD} more like these")
    again = len(tokens) - bad - len(found)
    if again:
        notes.append(f"{again} more came from learners who are counted already: the one with most answers counts")
    return _added(found.values(), tuple(notes))


def _added(found, notes):
    """The Report of [(best by chapter, scores)], one for each learner."""
    chapters, right, asked = {topic: [] for topic in data.chapters()}, Counter(), Counter()
    for best, scores in found:
        for topic, share in best.items():
            chapters[topic].append(share)
        for tag, (good, of) in scores.items():
            right[tag] += good
            asked[tag] += of
    total = {tag: (right[tag], asked[tag]) for tag in sorted(asked, key=lambda tag: int(tag[1:]))}
    return Report(len(found), {t: best for t, best in chapters.items() if best}, total, notes)


def _most(one):
    best, scores = one
    return sum(asked for _, asked in scores.values()), sum(best.values())


def _read(token):
    """(what tells the learner apart, {topic: best}, {tag: (right, asked)}) of a token. Raises ValueError naming it."""
    short, body = f"token {token[:16]}...", _body(token)
    own, topics = VERSIONS[token[: len(MARK)]][0], _topics(token[: len(MARK)])
    steps, triples = body[own : own + len(topics)], body[own + len(topics) :]
    if max(steps) > STEPS + 1:
        raise ValueError(f"{short} is not of this course: a quiz of {(max(steps) - 1) / STEPS:.0%}")
    scores = {}
    for number, right, asked in zip(triples[::3], triples[1::3], triples[2::3], strict=True):
        if f"M{number}" not in bank.misconceptions() or f"M{number}" in scores or not right <= asked or not asked:
            raise ValueError(f"{short} is not of this course: M{number} with {right} of {asked} answers right")
        scores[f"M{number}"] = right, asked
    best = {topic: (step - 1) / STEPS for topic, step in zip(topics, steps, strict=True) if step}
    if not own and not best and not scores:
        raise ValueError(f"{short} is empty: nothing was answered")
    return body[:own] if any(body[:own]) else body, best, scores


def _body(token):
    """The checked bytes of one token."""
    mark, text = token[: len(MARK)], token[len(MARK) :]
    if mark not in VERSIONS:
        raise ValueError(f"token {token[:16]}... is of another version; this one reads {MARK}...")
    head = VERSIONS[mark][0] + len(_topics(mark))
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:  # a sign that is none of base64, or not even ASCII
        content = b""
    body, check = content[:-2], content[-2:]
    shaped = len(body) >= head and (len(body) - head) % 3 == 0
    if not shaped or _sum(body, mark) != check:
        raise ValueError(f"token {token[:16]}... is damaged: was all of it copied?")
    return body


@cache
def _topics(mark):
    return tuple(data.chapters())[: VERSIONS[mark][2]]


def _sum(body, mark):
    return binascii.crc_hqx(body, VERSIONS[mark][1]).to_bytes(2, "big")
