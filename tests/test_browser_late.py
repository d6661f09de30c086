"""A page so busy that the scripts of widgets come after three seconds, when anywidget has given them up: they work."""

import nbformat
import pytest
from browser import IN_BROWSER, desk, solve
from nbformat.v4 import new_code_cell, new_notebook

pytestmark = IN_BROWSER
LATE = """() => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  window.hurried = 0;
  AbortSignal.timeout = (ms) => (window.hurried += ms === 2000, timeout(ms));
  const made = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => blob.type !== 'text/javascript' ? made(blob) : 'data:text/javascript,' + encodeURIComponent(
    `await new Promise((done) => setTimeout(done, 3000)); export default (await import('${made(blob)}')).default`);
}"""
GIVEN_UP = "page: [anywidget] Failed to initialize model."  # what anywidget itself says of it
CELL = """
from accelerator_course import views, widgets
from accelerator_course.frames.systolic import cycle_by_cycle
import numpy as np
from IPython.display import display

def run(k=4):
    return cycle_by_cycle(np.ones((2, k), int), np.ones((k, 2), int), 2, 2)

display(widgets.step(run, views.systolic.Wavefront(), k=(2, 6)), widgets.quick_check("ridge-point"))
"""


class Busy:
    """A browser in whose windows every module comes late."""

    def __init__(self, browser):
        self.browser = browser

    def new_context(self, **asked):
        context = self.browser.new_context(**asked)
        context.add_init_script(f"({LATE})()")
        return context


@pytest.fixture(scope="module")
def late(browser, tmp_path_factory):
    """A notebook of one cell, run on such a page."""
    home = tmp_path_factory.mktemp("late")
    (home / "notebooks").mkdir()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=[new_code_cell(CELL)], metadata=kernel), home / "notebooks" / "late.ipynb")
    with desk(Busy(browser), home) as opens, opens("late.ipynb") as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-question, .acc-place").count() == 2, 90, "what is shown")
        yield page
        assert page.page.evaluate("window.hurried") > 1, "the page was patient from the start: nothing was tested"
        assert set(page.errors) <= {GIVEN_UP}


def test_a_question_hears_what_the_kernel_says_to_an_answer(late):
    card = late.page.locator(".acc-question")
    solve(card, late.page.keyboard)
    late.wait_until(lambda: "appears here" not in card.locator(".acc-feedback").inner_text(), 40, "the reply")


def test_a_run_is_whole_and_follows_its_controls(late):
    place = late.page.locator("output.acc-place")
    late.wait_until(lambda: place.inner_text().endswith(" of 6"), 40, "the run: 2 + 2 + 4 - 2 cycles")
    late.page.get_by_role("slider", name="K, inputs", exact=True).press("End")
    late.wait_until(lambda: place.inner_text().endswith(" of 8"), 40, "the longer run")
