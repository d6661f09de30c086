"""watch: run a long measurement behind a progress bar and return its last state."""

import ipywidgets


def watch(states, label="measuring"):
    """Consume a generator whose states have `.fraction` (0 to 1) and `.doing`; returns the last state."""
    from IPython.display import display

    bar = ipywidgets.FloatProgress(min=0, max=1, description=label, layout=ipywidgets.Layout(width="420px"))
    note = ipywidgets.Label()
    display(ipywidgets.HBox([bar, note]))
    state = None
    for state in states:
        bar.value, note.value = state.fraction, state.doing
    return state
