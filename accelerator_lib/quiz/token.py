"""A learner's results as one line of text: no names, no server, nothing but scores.

    write(events)        "ACC1-..." to paste into a mail or a form
    read_token(text)     Report: one token, or many pasted together, with scores by misconception

Bytes: for every chapter its best quiz in twentieths + 1 (0: not taken), then (misconception, right, asked) for those
that were asked, and a checksum of two bytes, so that a token cut in copying is told from a bad result. Tokens of the
course before it had an epilogue are a byte shorter, and still read.
"""

import base64
import binascii
import re
from collections import Counter
from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.quiz import bank, standing

MARK = "ACC1-"
STEPS = 20


@dataclass(frozen=True)
class Report:
    """`misconceptions` {M1: (right, asked)} over all tokens; `chapters` {topic: best quiz of each learner, 0 to 1}."""

    learners: int
    chapters: dict
    misconceptions: dict

    def __str__(self):
        many = "learner" if self.learners == 1 else "learners"
        lines = [f"{self.learners} {many}", "", "chapter     taken by   best quiz, mean"]
        for topic, best in self.chapters.items():
            lines.append(f"{topic:<11} {len(best):>8}   {sum(best) / len(best):>14.0%}")
        lines += ["", "first answers that were right, weakest belief first"]
        for tag, (right, asked) in sorted(self.misconceptions.items(), key=lambda entry: entry[1][0] / entry[1][1]):
            lines.append(f"{right:>4} of {asked:<4} {tag:<4} {bank.misconceptions().get(tag, '')}")
        return "\n".join(lines)

    __repr__ = __str__


def write(events):
    """The token of a log of events."""
    body = bytearray()
    for topic in data.chapters():
        best = standing.chapter(events, topic).best
        body.append(0 if best is None else 1 + round(best * STEPS))
    known = {tag: score for tag, score in standing.scores(events).items() if tag in bank.misconceptions()}
    for tag, (right, asked) in known.items():
        scale = max(1, asked / 255)
        body += bytes([int(tag[1:]), round(right / scale), round(asked / scale)])
    checked = bytes(body) + binascii.crc_hqx(bytes(body), 0).to_bytes(2, "big")
    return MARK + base64.urlsafe_b64encode(checked).decode().rstrip("=")


def read_token(text):
    """The Report of one token, or of many separated by anything. Raises ValueError naming a token that is damaged."""
    tokens = re.findall(r"ACC\d+-[\w-]+", text)
    if not tokens:
        raise ValueError(f"there is no token in {text.strip()[:40]!r}; a token begins with {MARK}")
    chapters, right, asked = {topic: [] for topic in data.chapters()}, Counter(), Counter()
    for token in dict.fromkeys(tokens):
        body, told = _body(token)
        for topic, step in zip(chapters, body[:told], strict=False):
            if step:
                chapters[topic].append((step - 1) / STEPS)
        for at in range(told, len(body), 3):
            right[f"M{body[at]}"] += body[at + 1]
            asked[f"M{body[at]}"] += body[at + 2]
    scores = {tag: (right[tag], asked[tag]) for tag in sorted(asked, key=lambda tag: int(tag[1:]))}
    return Report(len(dict.fromkeys(tokens)), {t: best for t, best in chapters.items() if best}, scores)


def _body(token):
    """(the checked bytes of one token, how many of them are of chapters)"""
    if not token.startswith(MARK):
        raise ValueError(f"token {token[:16]}... is of another version; this one reads {MARK}...")
    text = token[len(MARK) :]
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        content = b""
    body, check = content[:-2], content[-2:]
    now = len(data.chapters())
    told = next((n for n in (now, now - 1) if len(body) >= n and (len(body) - n) % 3 == 0), None)
    if told is None or binascii.crc_hqx(body, 0).to_bytes(2, "big") != check:
        raise ValueError(f"token {token[:16]}... is damaged: was all of it copied?")
    return body, told
