"""step: a simulation, state by state, on a stage in the browser: play, step, scrub, speed, pin one thing."""

import time
from functools import partial
from math import inf

from accelerator_course.widgets import screen
from accelerator_course.widgets.panel import Panel

MOST_STATES = 10_000
SLICE = 0.02  # seconds of work on the rest of a run, between which the kernel listens


class Stepper(Panel):
    """A panel whose function yields states, which `view`, a Stage, draws; `position` is the one shown."""

    plays = True

    def __init__(self, function, view, /, *, id=None, **controls):
        self._run = self._waiting = self._stays = None
        super().__init__(function, view, id=id, **controls)
        self.picture.widget.observe(
            lambda _: self._quiet or self.picture.untouched or self.touched(), ["position", "opened"]
        )

    loading = property(lambda self: self._run is not None)
    states = property(lambda self: self.finish().picture.states)  # all states of the run

    @property
    def position(self):
        return self.picture.position

    @position.setter
    def position(self, value):
        self.picture.widget.position = value

    def _moved(self, change):
        """As any panel; a run that stood at its end is shown at its end again."""
        ended = self._stays if self.loading else 0 < self.position == len(self.picture.states) - 1
        self._stays = ended and not self._quiet
        super()._moved(change)

    def refresh(self):
        """Run the simulation anew with the values of the controls: its first state at once, the rest right after."""
        with self._turn:
            self._run = self._waiting = None
            quiet, self._quiet = self._quiet, True
            try:
                self._draw(self._first)
            finally:
                self._quiet = quiet
            self._go_on()

    def _first(self):
        run = iter(self.function(**self.values))
        for state in run:
            self._run = run
            return state
        raise ValueError(f"{self.function.__name__} yielded no state")

    def _go_on(self):
        """The rest when the kernel has nothing better to do; at once where it cannot wait."""
        if self._run is not None:
            self._waiting = screen.later(partial(self._slice, self._run))
            if self._waiting is None:
                self.finish()

    def _slice(self, run):
        """A part of the rest, unless another run has begun meanwhile, from another thread."""
        with self._turn:
            if run is self._run:
                self._collect()

    def _collect(self, seconds=None):
        """Collect further states for so long, or a SLICE; then the kernel may listen to the reader."""
        self._waiting, end = None, time.perf_counter() + (SLICE if seconds is None else seconds)
        try:
            for state in self._run:
                if len(self.picture.states) >= MOST_STATES:
                    raise ValueError(f"more than {MOST_STATES:,} states: make the problem smaller")
                self.picture.add(state)
                if time.perf_counter() > end:
                    return self._go_on()
            self.picture.end()
            if self._stays:
                self._stays, self.position = False, len(self.picture.states) - 1
        except Exception as error:
            self.picture.fail(error)
            raise
        finally:
            if self._waiting is None:
                self._run = None
        return None

    def finish(self):
        """Have the whole run now: before it is displayed, saved or tested."""
        with self._turn:
            if self._run is not None:
                self._collect(inf)
        return self

    def _repr_mimebundle_(self, **more):
        self.finish()
        return super()._repr_mimebundle_(**more)
