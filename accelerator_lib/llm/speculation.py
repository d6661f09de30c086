"""Speculation: a small model drafts tokens, the large one checks them all in one step.
    accept a drafted token x if u < p(x) / q(x); else draw from max(p - q, 0), scaled, and end the round
    tokens of a round = (1 - a^(k + 1)) / (1 - a)          a = sum of min(p, q), the same for every token
p: the large model's distribution, which comes out; q: the draft's. If all k are accepted, the step brings one more.
Source: Leviathan et al., arXiv 2211.17192, 2023 (recalled; held against a simulation in the tests).
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Share, Single, Whole, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.llm.counts import Batch, Context
from accelerator_lib.llm.steps import Chips, decode_step
from accelerator_lib.workload.models import AModel

Drafted = Whole(high=64)


@checked
def tokens(acceptance: Share, drafted: Drafted):
    """Tokens that a round brings in the mean; scalars or arrays."""
    powers = np.asarray(acceptance, float)[..., None] ** np.arange(np.max(drafted) + 1)
    counted = np.where(np.arange(powers.shape[-1]) <= np.asarray(drafted)[..., None], powers, 0).sum(-1)
    return counted.item() if counted.ndim == 0 else counted


@checked
def speedup(
    model: AModel,
    draft: AModel,
    chip: AChip,
    batch: Batch,
    context: Context,
    acceptance: Share,
    drafted: Drafted,
    n_chips: Chips = 1,
    sum_seconds: Number(low=0, high=1, unit="s") = 0.0,
):
    """Tokens in a second with a draft model over those without; both on all n_chips, one after the other.
    The check reads weights and caches once, and computes drafted + 1 tokens for each user. `sum_seconds`: of an
    all-reduce between the chips, two in each layer of each model."""
    large, small = (decode_step(each, chip, batch, context, n_chips=n_chips) for each in (model, draft))
    talk, chat = (2 * each.layers * sum_seconds for each in (model, draft))
    check = np.maximum(large.memory_seconds, (drafted + 1) * large.compute_seconds) + talk
    found = tokens(acceptance, drafted) * (large.seconds + talk) / (drafted * (small.seconds + chat) + check)
    return found.item() if np.ndim(found) == 0 else found


def acceptance(p, q):
    """Probability that a token drawn from q is accepted."""
    return float(np.minimum(p, q).sum())


def residual(p, q):
    """What a replacement is drawn from: max(p - q, 0), scaled to a sum of 1; p where nothing is left."""
    rest = np.maximum(np.asarray(p) - q, 0)
    return rest / rest.sum() if rest.sum() > 1e-12 else np.asarray(p)


def pick(distribution, u):
    """The token at which the running sum of a distribution passes u, 0 to 1."""
    return min(int(np.searchsorted(np.cumsum(distribution), u, side="right")), len(distribution) - 1)


WORDS = ("the", "a", "cat", "dog", "sees", "hears", "and", ".")
Seed = Count(low=0, high=2**32)


def large_model():
    """p[last word, next word]: the toy language of the stepper, where a noun follows an article and so on."""
    favours = dict.fromkeys(("the", "a"), "cat dog") | dict.fromkeys(("sees", "hears", "."), "the a")
    favours |= {"cat": "sees hears .", "dog": "sees . and", "and": "the a hears"}
    rows = [favours[last].split() for last in WORDS]
    weight = np.array([[6 - 2 * row.index(word) if word in row else 0.3 for word in WORDS] for row in rows])
    return weight / weight.sum(1, keepdims=True)


def draft_model(quality):
    """q[last word, next word]: the large one's, mixed with one that only knows how often a word comes up."""
    p = large_model()
    often = np.array([0.22, 0.06, 0.2, 0.08, 0.14, 0.04, 0.04, 0.22])
    return quality * p + (1 - quality) * often


@dataclass(frozen=True, eq=False)
class Round:  # a moment of speculation: words so far, the draft of this round, and which of its tokens is being checked
    number: int  # of the round, from 1
    text: tuple  # words that are final
    origin: tuple  # of each: "accepted", "replaced" or "one more"
    draft: tuple  # words of this round's draft
    place: int  # the drafted word being checked; -1 while the draft is written, len(draft) for the one more
    verdicts: tuple  # True or False of those checked so far
    p: np.ndarray  # of the place, over WORDS
    q: np.ndarray
    u: float | None
    word: str | None  # the word that a rejection or a full round brings
    rounds: tuple = ()  # words that each finished round brought
    names = property(lambda self: WORDS)  # all words, in the order of p and q

    @property
    def ratio(self):
        """p / q of the word being checked; None while none is."""
        if not 0 <= self.place < len(self.draft):
            return None
        at = WORDS.index(self.draft[self.place])
        return float(self.p[at] / self.q[at])

    words_a_round = property(lambda self: sum(self.rounds) / len(self.rounds) if self.rounds else None)
    left = property(lambda self: residual(self.p, self.q))  # what a replacement is drawn from
    acceptance = property(lambda self: acceptance(self.p, self.q))  # probability that a word drafted here is accepted


@checked
def speculate(drafted: Count(high=64) = 4, quality: Single(Share) = 0.7, words: Count(high=1000) = 12, seed: Seed = 1):
    """Yield a Round when a draft is written, when each word is checked, and when a full round brings one more."""
    p, q, draw = large_model(), draft_model(quality), np.random.default_rng(seed)
    text, origin, rounds = (".",), ("given",), ()
    while len(text) <= words:
        draft = ()
        for _ in range(drafted):
            draft += (WORDS[pick(q[WORDS.index((text + draft)[-1])], draw.random())],)
        number, verdicts, last = len(rounds) + 1, (), WORDS.index(text[-1])
        yield Round(number, text, origin, draft, -1, verdicts, p[last], q[last], None, None, rounds)
        start = text
        for place, word in enumerate(draft):
            last, at, u = WORDS.index(text[-1]), WORDS.index(word), draw.random()
            good = bool(u * q[last, at] < p[last, at])
            verdicts += (good,)
            new = None if good else WORDS[pick(residual(p[last], q[last]), draw.random())]
            text, origin = (*text, new or word), (*origin, "accepted" if good else "replaced")
            yield Round(number, text, origin, draft, place, verdicts, p[last], q[last], u, new, rounds)
            if not good:
                break
        else:
            last = WORDS.index(text[-1])
            new = WORDS[pick(p[last], draw.random())]
            text, origin = (*text, new), (*origin, "one more")
            yield Round(number, text, origin, draft, drafted, verdicts, p[last], q[last], None, new, rounds)
        rounds += (len(text) - len(start),)
