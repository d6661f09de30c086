"""A learner's results as one line of text: no names, no server, nothing but scores.

Bytes: four that tell logs apart, a best quiz for each chapter (twentieths + 1; 0: none), (right, asked) for each, a
number for each diagnosed belief, a checksum of two, which is no seal.
"""

import base64
import binascii
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from accelerator_course import syllabus
from accelerator_course.quiz import bank, beliefs, fields, standing
from accelerator_lib.checks.inputs import described

MARK = "ACC5-"
OWN = 4  # bytes that tell learners apart
STEPS = 20
TOLD = 20  # tokens that are not counted are named, up to so many
MOST = 100_000  # tokens of one text


@dataclass(frozen=True)
class Report:
    """What the tokens of learners say together."""

    learners: int
    chapters: dict  # {topic: best quiz of each learner, 0 to 1}
    answers: dict  # {topic: (right, asked)} of first answers
    beliefs: dict  # {M1: learners whose answers showed it}
    notes: tuple = ()  # what was not counted

    def __str__(self):
        many = "learner" if self.learners == 1 else "learners"
        lines = [f"{self.learners} {many}", "", "chapter     taken by   best quiz, mean"]
        for topic, best in self.chapters.items():
            lines.append(f"{topic:<11} {len(best):>8}   {sum(best) / len(best):>14.0%}")
        lines += ["", "first answers that were right, weakest chapter first"]
        for topic, (right, asked) in sorted(self.answers.items(), key=lambda entry: entry[1][0] / entry[1][1]):
            lines.append(f"{right:>4} of {asked:<4} {topic}")
        lines += ["", "beliefs that two answers or more had in common"] if self.beliefs else []
        for name, count in sorted(self.beliefs.items(), key=lambda entry: -entry[1]):
            lines.append(f"{count:>4} {name:<4} {bank.misconceptions()[name]['says']}")
        lines += ["", *self.notes] if self.notes else []
        return "\n".join(lines)

    __repr__ = __str__


def write(events):
    """The token of a log of events."""
    body = bytearray(learner(events).to_bytes(4, "big"))
    for topic in syllabus.chapters():
        best = standing.chapter(events, topic).best
        body.append(0 if best is None else 1 + round(best * STEPS))
    scores = standing.scores(events)
    for topic in syllabus.chapters():
        right, asked = scores.get(topic, (0, 0))
        scale = max(1, asked / 255)
        body += bytes([round(right / scale), round(asked / scale)])
    body += bytes(int(name[1:]) for name in beliefs.diagnosed(events))
    return MARK + base64.urlsafe_b64encode(bytes(body) + _sum(bytes(body))).decode().rstrip("=")


def learner(events):
    """What tells one log from another: a number made of when it begins and of what was drawn then; 0: an empty one."""
    first = min((e for e in events if fields.time(e.get("time"))), key=itemgetter("time"), default=None)
    return binascii.crc32(f"{float(first['time'])}{first.get('log', '')}".encode("utf-8", "replace")) if first else 0


def read_token(text):
    """The Report of one token, or of many separated by anything; a damaged one is named, of several by one learner that
    with most answers counts. Raises ValueError where none can be read or too many are there, TypeError for no text."""
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
        less, found[learner] = sorted((found.get(learner, told), told), key=_most)
        if len(notes) < TOLD and any(share > found[learner][0].get(topic, 0) for topic, share in less[0].items()):
            notes.append(f"token {token[:16]}... and another of its learner contradict each other: no best quiz falls")
    if not found:
        raise ValueError(notes[0] + (f" (and {bad - 1} more)" if bad > 1 else ""))
    if bad > TOLD:
        notes.append(f"{bad - TOLD} more like these")
    again = len(tokens) - bad - len(found)
    if again:
        notes.append(f"{again} more came from learners who are counted already: the one with most answers counts")
    return _added(found.values(), tuple(notes))


def _added(found, notes):
    chapters, right, asked, shown = {topic: [] for topic in syllabus.chapters()}, Counter(), Counter(), Counter()
    for best, scores, names in found:
        for topic, share in best.items():
            chapters[topic].append(share)
        for topic, (good, of) in scores.items():
            right[topic] += good
            asked[topic] += of
        shown.update(names)
    answers = {topic: (right[topic], asked[topic]) for topic in syllabus.chapters() if asked[topic]}
    return Report(len(found), {t: best for t, best in chapters.items() if best}, answers, dict(shown), notes)


def _most(one):
    best, scores, _ = one
    return sum(asked for _, asked in scores.values()), sum(best.values())


def _read(token):
    """(what tells the learner apart, {topic: best}, {topic: (right, asked)}, beliefs). Raises ValueError naming it."""
    short, body, topics = f"token {token[:16]}...", _body(token), list(syllabus.chapters())
    steps, rest = body[OWN : OWN + len(topics)], body[OWN + len(topics) :]
    rights, asked, numbers = rest[: 2 * len(topics) : 2], rest[1 : 2 * len(topics) : 2], rest[2 * len(topics) :]
    if max(steps) > STEPS + 1:
        raise ValueError(f"{short} is not of this course: a quiz of {(max(steps) - 1) / STEPS:.0%}")
    for topic, right, of in zip(topics, rights, asked, strict=True):
        if right > of:
            raise ValueError(f"{short} is not of this course: {right} of {of} answers right in {topic}")
    names = [f"M{number}" for number in numbers]
    if len(set(names)) < len(names) or not set(names) <= set(bank.misconceptions()):
        raise ValueError(f"{short} is not of this course: beliefs {' '.join(names)}")
    best = {topic: (step - 1) / STEPS for topic, step in zip(topics, steps, strict=True) if step}
    scores = {topic: pair for topic, *pair in zip(topics, rights, asked, strict=True) if pair[1]}
    return body[:OWN] if any(body[:OWN]) else body, best, scores, names


def _body(token):
    mark, text = token[: len(MARK)], token[len(MARK) :]
    if mark != MARK:
        raise ValueError(f"token {token[:16]}... is of another version; this one reads {MARK}...")
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:  # a sign that is none of base64, or not even ASCII
        content = b""
    body, check = content[:-2], content[-2:]
    if len(body) < OWN + 3 * len(syllabus.chapters()) or _sum(body) != check:
        raise ValueError(f"token {token[:16]}... is damaged: was all of it copied?")
    return body


def _sum(body):
    return binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "big")
