"""step: a simulation, state by state, on a stage in the browser: play, step, scrub, speed, pin one thing.

    step(simulate, views.systolic.Array(4, 4), k=(1, 8))

The function yields states, the view turns each into marks (views/stage); the player keeps them all, so that no position
needs the kernel. A run can be saved as an animated GIF or as a page that plays without Python.
"""

from itertools import islice

from accelerator_lib.widgets import screen
from accelerator_lib.widgets.panel import Panel

MOST_STATES = 10_000


class Stepper(Panel):
    """A panel whose function yields states; `position` is the one shown."""

    def __init__(self, function, view, /, *, id=None, **controls):
        self._waiting = None
        super().__init__(function, view, id=id, **controls)
        self.picture.widget.observe(lambda _: self._quiet or self._note(), "position")

    @property
    def states(self):
        """All states of the run."""
        return self.finish().picture.states

    @property
    def position(self):
        return self.picture.position

    @position.setter
    def position(self, value):
        self.picture.widget.position = value

    def refresh(self):
        """Run the simulation anew with the values of the controls: its first state at once, the rest right after."""
        if self._waiting is not None:
            self._waiting.cancel()
        quiet, self._quiet = self._quiet, True
        self._run = None
        self._draw(self._first)
        self._quiet = quiet
        if self._run is not None:
            self._waiting = screen.later(self._rest)

    def _first(self):
        self._run = iter(self.function(**self.values))
        for state in self._run:
            return state
        raise ValueError(f"{self.function.__name__} yielded no state")

    def _rest(self):
        """Collect and send what follows the first state."""
        self._waiting, run, self._run = None, self._run, None
        try:
            states = list(islice(run, MOST_STATES))
            if len(states) == MOST_STATES:
                raise ValueError(f"more than {MOST_STATES:,} states: make the problem smaller")
            self.picture.rest(states)
        except Exception as error:
            self.picture.fail(error)
            raise

    def finish(self):
        """Have the whole run now: before it is displayed, saved or tested."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._rest()
        return self

    def _repr_mimebundle_(self, **more):
        self.finish()
        return super()._repr_mimebundle_(**more)


def step(function, view, /, *, id=None, **controls):
    """A stepping panel: `function(**values)` yields states, `view`, a Stage, lists the marks of each."""
    return Stepper(function, view, id=id, **controls)
