"""step: a simulation, state by state. Play, pause, back, forward, scrub, speed.

    step(simulate, views.systolic.Array(4, 4), k=(1, 8))

The function yields states; they are kept, so that every position of the scrubber is instant and exact. For a lecture
without Python, a run can be saved as an animated GIF or as a page that steps.
"""

import base64
from itertools import islice

import ipywidgets

from accelerator_lib import settings
from accelerator_lib.views import film
from accelerator_lib.widgets.panel import Panel

MOST_STATES = 10_000
FEW = 4  # pictures of a film in the tests
SPEEDS = {"slow (1 a second)": 1000, "normal (3 a second)": 333, "fast (10 a second)": 100}


class Stepper(Panel):
    """A panel whose function yields states; `position` is the one shown."""

    def __init__(self, function, view, /, *, id=None, **controls):
        self.states = []
        self.scrubber = ipywidgets.IntSlider(description="step", min=0, max=0)
        self.scrubber.add_class("acc-control")
        self._player = ipywidgets.Play(min=0, max=0, interval=333, show_repeat=False)
        super().__init__(function, view, id=id, **controls)
        self.scrubber.observe(self._scrubbed, "value")

    @property
    def position(self):
        return self.scrubber.value

    @position.setter
    def position(self, value):
        self.scrubber.value = value

    def refresh(self):
        """Run the simulation anew with the values of the controls and show its first state."""
        self._draw(self._run)  # the picture goes out first: it is what the reader waits for
        self._rewind()

    def _run(self):
        """Collect the states: returns the first."""
        states = list(islice(self.function(**self.values), MOST_STATES + 1))
        if not states:
            raise ValueError(f"{self.function.__name__} yielded no state")
        if len(states) > MOST_STATES:
            raise ValueError(f"more than {MOST_STATES:,} states: make the problem smaller")
        self.states = states
        return states[0]

    def _rewind(self):
        """The scrubber at the first of the states, without drawing it again."""
        self._quiet, self.saved.value = True, ""
        self.scrubber.value = self._player.value = 0
        self.scrubber.max = self._player.max = max(len(self.states) - 1, 0)
        self._quiet = False

    def _scrubbed(self, _):
        if not self._quiet:
            self._draw(lambda: self.states[self.scrubber.value])
            self._note()

    def _lay_out(self, *buttons):
        speed = ipywidgets.Dropdown(options=SPEEDS, value=333, description="speed")
        speed.add_class("acc-control")
        ipywidgets.jslink((self._player, "value"), (self.scrubber, "value"))
        speed.observe(lambda change: setattr(self._player, "interval", change["new"]), "value")
        back, forward = (self._jump(text, by) for text, by in (("◀ Back", -1), ("Forward ▶", 1)))
        transport = ipywidgets.Box([self._player, back, forward])
        self.saved = ipywidgets.HTML()
        saving = ipywidgets.Box(
            [self._saver("GIF", "image/gif", film.gif), self._saver("HTML", "text/html", film.page)]
        )
        for row in (transport, saving):
            row.add_class("acc-transport")
        return super()._lay_out(transport, self.scrubber, speed, *buttons, saving, self.saved)

    def _saver(self, name, kind, make):
        """A button that makes a film of this run and offers it as a download."""
        button = ipywidgets.Button(description=f"Make {name}", tooltip=f"This run as {name}, for slides")

        def save(_):
            made = make(self.picture.view, self.states, most=FEW if settings.short() else film.MOST)
            data = base64.b64encode(made if isinstance(made, bytes) else made.encode()).decode()
            file = f"{self.id or 'steps'}.{name.lower()}"
            self.saved.value = f'<a download="{file}" href="data:{kind};base64,{data}">Download {file}</a>'
            self._draw(lambda: self.states[self.position])

        button.on_click(save)
        return button

    def _jump(self, text, by):
        button = ipywidgets.Button(description=text)

        def jump(_):
            self.position = min(max(self.position + by, 0), len(self.states) - 1)

        button.on_click(jump)
        return button


def step(function, view, /, *, id=None, **controls):
    """A stepping panel: `function(**values)` yields states, `view` draws the one that the scrubber stands at."""
    return Stepper(function, view, id=id, **controls)
