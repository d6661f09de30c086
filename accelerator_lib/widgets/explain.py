"""explain: say it to a colleague, in your own words. What is written is kept and is there again next time."""

import ipywidgets

from accelerator_lib.quiz import progress


def explain(chapter, prompt):
    """A text box for a chapter; saved with the progress whenever it loses focus."""
    kept = [e["text"] for e in progress.events("explain") if e.get("chapter") == chapter and "text" in e]
    box = ipywidgets.Textarea(
        value=kept[-1] if kept else "",
        placeholder="Two or three sentences. Only you will read them.",
        description=prompt,
        continuous_update=False,
        layout=ipywidgets.Layout(width="100%", max_width="760px", height="110px"),
        style={"description_width": "0px"},
    )
    note = ipywidgets.HTML()

    def save(change):
        stored = progress.record({"kind": "explain", "chapter": chapter, "text": change["new"]})
        note.value = f'<p role="status">{"Saved." if stored else "Could not be saved: the folder is not writable."}</p>'

    box.observe(save, "value")
    return ipywidgets.VBox([ipywidgets.HTML(f"<p><strong>{prompt}</strong></p>"), box, note])
