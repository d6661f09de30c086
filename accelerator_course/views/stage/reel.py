"""Reel: states as one block of numbers and a head that says where each column lies: what the player reads.

A column that does not change is not sent again, nor is one that returns; words are sent once and then by number.

    head = {"start": 0, "layers": [[name, kind], ...], "strings": [...],
            "states": [{"say": sentence, "columns": [[layer, column, type, offset, length], ...]}, ...]}
"""

import numpy as np

from accelerator_course.views.stage import palette
from accelerator_course.views.stage.marks import PLACES, Picked

TYPES = {"f4": "f", "i4": "i", "u1": "b", "u2": "h"}  # of NumPy: of the player


class Reel:
    """Encodes states of one view, in order; `head` and `data()` are what has been added so far."""

    def __init__(self, view, start=0):
        self.view, self.marks = view, 0
        self.head = {"start": start, "layers": [], "strings": [], "states": []}
        self._numbers, self._roles, self._blocks, self._size = {}, set(), [], 0
        self._places, self._last, self._sent = {}, {}, {}

    def add(self, state):
        """Add the marks of a state; returns its sentence."""
        columns, seen = [], set()
        for layer in self.view.marks(state):
            place = self._place(layer)
            if place in seen or self.head["layers"][place][1] != layer.kind:
                raise ValueError(f"a state has one layer of a name, of one kind; {layer.name!r} is another")
            seen.add(place)
            self.marks += len(layer)
            for name, values in layer.columns.items():
                self._column(columns, place, name, values)
        for place in set(self._places.values()) - seen:
            self._column(columns, place, "key", np.zeros(0, np.int32))
        sentence = self.view.say(state)
        self.head["states"].append({"say": sentence, "columns": columns})
        return sentence

    def data(self):
        """The block of numbers."""
        return b"".join(self._blocks)

    bytes = property(lambda self: self._size)  # the size of the block so far

    def _place(self, layer):
        if layer.name not in self._places:
            self._places[layer.name] = len(self._places)
            self.head["layers"].append([layer.name, layer.kind])
        return self._places[layer.name]

    def _column(self, columns, place, name, values):
        """Note a column, unless it is as it was."""
        given, sent = self._last.get((place, name), (None, None))
        if given is values or (type(given) is type(values) is tuple and given == values):
            return
        fresh = values if name in PLACES else self._coded(name, values)
        packed = TYPES[fresh.dtype.str[1:]], fresh.tobytes()  # bytes are compared faster than small arrays
        if packed != sent:
            kind, block = packed
            if packed not in self._sent:
                self._sent[packed] = self._size
                block += b"\0" * (-len(block) % 4)  # every column begins at a whole word
                self._blocks.append(block)
                self._size += len(block)
            columns.append([place, name, kind, self._sent[packed], len(fresh)])
        self._last[place, name] = values, packed

    def _coded(self, name, values):
        """Words as numbers; whole keys as they are, keys that are words below zero."""
        if isinstance(values, np.ndarray):
            return values
        if isinstance(values, Picked):
            codes = np.array([self._number(name, word) for word in values.choices])
            codes = codes[values.index]
        else:
            codes = np.array([self._number(name, word) for word in values], dtype=np.int64)
        if name == "key":
            return (-1 - codes).astype(np.int32)
        most = codes.max(initial=0)
        return codes.astype(np.uint8 if most < 256 else np.uint16 if most < 65536 else np.int32)

    def _number(self, name, word):
        """The number of a word in the table; a role is checked when it first appears."""
        if name == "role" and word not in self._roles:
            palette.check(word)
            self._roles.add(word)
        if word not in self._numbers:
            self._numbers[word] = len(self.head["strings"])
            self.head["strings"].append(word)
        return self._numbers[word]
