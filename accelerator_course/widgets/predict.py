"""predict: guess first, then see: the guess is marked on the picture, and moves to the truth; nothing is ever locked.

The question file names under `show` where the answer is seen, under `mark` where on the picture a guess lies (veil.py).
"""

import re

from accelerator_course import settings
from accelerator_course.quiz import bank, keys, progress
from accelerator_course.quiz.grade import reason
from accelerator_course.quiz.markdown import plain, words
from accelerator_course.quiz.marks import Mark
from accelerator_course.widgets.question import Question
from accelerator_course.widgets.veil import Veiled
from accelerator_lib.units import DIMENSIONS, number, percent, quantity

LETTERS = "ABCDEFGH"  # of the options in a hall (votes.js)
SHORT = 14  # letters of options of which two stand side by side on a narrow page
KICKER = "Predict first. A wrong guess costs nothing and is remembered better."
NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?)(?:\s?(million|%|[A-Za-zµ/]+))?")
SIZES = {unit: size for units in DIMENSIONS.values() for unit, size in units.items()} | {"million": 1e6}


class Prediction(Question):
    """One guess. `state` is asked, then shown or committed: `opened` is called then, `wanted` for further buttons."""

    def __init__(self, chapter, id):
        self.chapter, self.entry = chapter, bank.item(chapter, id, "predict")
        self.choices, unit = self.entry["options"], self.entry.get("unit", "")
        self.texts = [choice.get("text") or _printed(choice["value"], unit) for choice in self.choices]
        self.right = next(i for i, choice in enumerate(self.choices) if bank.is_answer(choice, self.entry))
        self.state, self.guesses, self.hands = "asked", [], []
        self.opened, self.wanted = lambda card: None, lambda card, name: None
        reserve = [[len(words(part)) for part in self._reply(place)] for place in range(len(self.choices))]
        shown = {"kicker": KICKER, "ask": self.entry["ask"], "options": self.texts, "action": "Commit"}
        shown |= {"asides": [["show", "Show me without predicting"]], "reserve": reserve}
        super().__init__(self.commit, self.asked, **shown)
        if max(map(len, self.texts)) <= SHORT:
            self.add_class("acc-short")

    def commit(self, content):
        """The reader's guess, {"option": i}: kept, answered with its reason, and shown on the picture."""
        guess = content["option"]
        self._keep(self.choices[guess]["value"], guess == self.right)
        self._meet(guess)

    def _meet(self, guess):
        self._open("committed", [guess], "right" if guess == self.right else "wrong", *self._reply(guess))

    def restore(self):
        """Open it as it was left: with the guess that is kept, or as shown; False where there is neither."""
        own = self.chapter, self.entry["id"]
        kept = [e for e in progress.events("predict") if (e.get("chapter"), e.get("id")) == own]
        guess = kept[-1].get("guess") if kept else None
        places = [place for place, choice in enumerate(self.choices) if choice["value"] == guess]
        if places:
            self._meet(places[0])
        elif kept:
            self._tell()
        return bool(kept)

    def asked(self, name):
        """A button below the question: to be shown ends it without a guess; others belong to whoever added them."""
        if name != "show":
            self.wanted(self, name)
        elif self.state == "asked":
            self._keep(None, False)
            self._tell()

    def _tell(self):
        told = f"**The answer is {self._quoted(self.right)}.** {self.choices[self.right]['why']}"
        self._open("shown", [], "told", told, self.entry["why"])

    def vote(self, hands):
        """A hall's guess, so many hands for each option: shown on the picture; no learner's record is written."""
        if self.state == "asked":
            most = sorted((i for i, count in enumerate(hands) if count), key=lambda i: -hands[i])
            self.hands = hands
            self._open("committed", most, "told", *self._reply(self.right)[1:])

    def marked(self, view=None):
        """{"guesses": [{text, spot}], "truth": {text, spot}, "gap"}; spot is None where no axis has it."""
        values = [choice["value"] for choice in self.choices]
        values[self.right] = keys.evaluate(self.entry["answer"])  # an option may be rounded
        spots = [self._spot(view, value) for value in values]
        said = {i: f"your guess: {self._short(i)}" for i in self.guesses}
        if self.hands:
            said = {i: f"{self._short(i)}: {self.hands[i]} of {sum(self.hands)} hands" for i in self.guesses}
        guesses = [{"text": said[i], "spot": spots[i]} for i in self.guesses]
        gap = self.gap(self.guesses[0]) if self.guesses and not self.hands else ""
        return {"guesses": guesses, "truth": {"text": self._short(self.right), "spot": spots[self.right]}, "gap": gap}

    def offered(self, view):
        """[{text, spot}] of all options as they stand, none of them set off: where a guess would lie."""
        spots = [self._spot(view, choice["value"]) for choice in self.choices]
        return [{"text": self._short(place), "spot": spot} for place, spot in enumerate(spots)]

    def gap(self, guess):
        """How far a guess lies from the truth, in numbers; "" where they are words."""
        if guess == self.right:
            return "as you guessed"
        plain = all(map(self._is_number, (guess, self.right)))
        share = "%" in self._short(guess) and "%" in self._short(self.right)
        return apart(self.choices[guess]["value"], self.choices[self.right]["value"], share) if plain else ""

    def _open(self, state, guesses, verdict, *paragraphs):
        self.state, self.guesses = state, guesses
        marks = []
        for place, text in enumerate(self.texts):
            note = "your guess" if place in guesses and not self.hands else ""
            marks.append(Mark(text, "right" if place == self.right else "wrong" if place in guesses else "", note))
        self.mark(marks)
        self.say(verdict, *(self._reasons() if settings.hall() else paragraphs), closed=True)
        self.opened(self)

    def _reply(self, guess):
        choice = self.choices[guess]
        opening = "Yes." if guess == self.right else f"It is {self._quoted(self.right)}, not {self._quoted(guess)}."
        return f"**{opening}** {reason(choice)}", self.entry["why"]

    def _reasons(self):
        for place, choice in enumerate(self.choices):
            sign = "✔" if place == self.right else "✘"
            yield f"{sign} **{LETTERS[place]} · {self._quoted(place)}** {reason(choice)}"
        yield self.entry["why"]

    def _quoted(self, option):
        """An option within a sentence: words in quotes, a number with its unit as it is."""
        text = self.texts[option]
        return f"“{text}”" if "text" in self.choices[option] and re.search(r"[a-z]{2}", text) else text

    def _short(self, option):
        """An option as a mark says it: its number with its unit, where the question file names one for marks."""
        mark = self.entry.get("mark", {})
        if "unit" in mark:
            return quantity(self.choices[option]["value"], mark["unit"])
        return plain(self.texts[option]).partition(": ")[0]

    def _is_number(self, option):
        """Whether an option's words say its value, and nothing else that is a number."""
        value, found = self.choices[option]["value"], NUMBER.search(self._short(option))
        if isinstance(value, str) or not found:
            return False
        said = float(found[1].replace(",", "")) * SIZES.get(found[2], 1)
        return abs(said - value) <= 0.035 * abs(value)

    def _spot(self, view, value):
        """Where a value lies on the picture: on the axis that carries it, or what a key makes of it."""
        mark = self.entry.get("mark", {})
        if "axis" not in mark or view is None:
            return None
        there = keys.evaluate(mark["at"], {"guess": value}) if "at" in mark else value
        return view.place(mark["axis"], there, mark.get("row"))

    def _keep(self, guess, hit):
        about = {"kind": "predict", "chapter": self.chapter, "id": self.entry["id"]}
        progress.record({**about, "guess": guess, "right": hit})


def predict(chapter, *parts):
    """Predictions of a chapter, by id, then their panel. Raises UnknownName, BadQuiz, ValueError for another panel."""
    panel = parts[-1] if parts and not isinstance(parts[-1], str) else None
    ids = parts[:-1] if panel is not None else parts
    if panel is None and len(ids) == 1:
        return Prediction(chapter, ids[0])
    if panel is None or not ids:
        raise ValueError('predict("roofline", "batch-128", explore(...)) takes ids of predictions, then their panel')
    cards = [Prediction(chapter, id) for id in ids]
    for place, card in enumerate(cards if len(cards) > 1 else ()):
        card.kicker = KICKER.replace("first.", f"first, {place + 1} of {len(cards)}.")
    return Veiled(cards, panel)


def apart(guess, truth, share=False):
    """How far two numbers lie apart: a ratio from 2 on, below it a difference, of two shares in points."""
    if guess and truth and not 0.5 < truth / guess < 2:
        more = truth > guess
        times = number(truth / guess if more else guess / truth, 2)
        return f"it is {times} times your guess" if more else f"your guess is {times} times too much"
    more = "more" if truth > guess else "less"
    if share:
        return f"it is {number(100 * abs(truth - guess), 2)} points {more}"
    return f"it is {percent(abs(truth - guess) / abs(guess))} {more}" if guess else ""


def _printed(value, unit):
    return f"x{number(value)}" if unit == "x" else quantity(value, unit)
