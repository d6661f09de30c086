"""A chapter in the hall, in a real browser: one slide at a time, large type, one key forward, the keys of a slider."""

import contextlib
import hashlib

from browser import IN_BROWSER, ROOT, Page, free_port, server, session

SIZE = {"width": 1600, "height": 900}
pytestmark = IN_BROWSER

SMALLEST = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), sizes = [99];
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const seen = element.checkVisibility({ visibilityProperty: true }) && !element.closest("svg, math, .acc-voice, .acc-hush");
    if (walk.currentNode.textContent.trim() && seen) sizes.push(parseFloat(getComputedStyle(element).fontSize));
    if (sizes.at(-1) < 23.9) return `${sizes.at(-1)}: ${element.className} ${walk.currentNode.textContent}`;
  }
  return "";
}"""
OUTSIDE = """() => [...document.querySelectorAll(".acc-now .acc-prose > *, .acc-now img, .acc-now .acc-control, .acc-now li")]
  .map((element) => element.getBoundingClientRect())
  .filter((box) => box.width && (box.right > innerWidth + 1 || box.bottom > innerHeight - 30)).length"""

LAST = """() => location.hash === `#${document.querySelectorAll(".acc-slide").length}`
  && ![...document.querySelectorAll(".acc-now [data-forward]")].some((button) => button.checkVisibility())"""
MARK = ".acc-now :is(.acc-mark-label, .acc-pill).acc-mark-truth"


@contextlib.contextmanager
def hall(chapter, home):
    """The hall's page, all panels live."""
    port = free_port()
    arguments = ["accelerator_lib.pages", "present", chapter, "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    with session() as browser, server(arguments, port, home):
        page = Page(browser.new_page(viewport=SIZE))
        away = []
        page.page.on("request", lambda request: away.append(request.url) if "127.0.0.1" not in request.url else None)
        page.page.goto(f"http://127.0.0.1:{port}", wait_until="domcontentloaded", timeout=150_000)
        page.page.wait_for_selector("body[data-deck=ready]", timeout=150_000)
        assert not [url for url in away if not url.startswith(("data:", "blob:"))], "the hall needs no network"
        yield page


def place(page):
    """The slide, and of its question, the one that is in sight, the step, its heading and which of them it is."""
    return page.page.evaluate("""() => {
      const cards = [...document.querySelectorAll(".acc-now .acc-lecture")];
      const at = cards.findLastIndex((card) => card.checkVisibility());
      return [location.hash, cards[at]?.dataset.step, cards[at]?.querySelector(".acc-kicker").textContent, at];
    }""")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_chapter_is_walked_through_with_one_key_and_nothing_is_small(tmp_path):
    notebook = ROOT / "notebooks" / "03_roofline.ipynb"
    before = digest(notebook)
    with hall("03_roofline", tmp_path) as page:
        keyboard, seen, panels, marks = page.page.keyboard, [], 0, 0
        assert page.page.get_by_role("heading", name="3 · Roofline: which limit binds?").first.is_visible()
        while (here := place(page)) not in seen:
            seen.append(here)
            if here[1] == "shown":  # what is said of the guess comes from the kernel, after the picture
                page.wait_until(page.page.locator(MARK).first.is_visible, what="the mark of the answer")
                marks += 1
            assert page.page.evaluate(SMALLEST) == "", here
            assert page.page.evaluate(OUTSIDE) == 0, here
            panel = page.page.locator(".acc-now .acc-panel")
            if panel.count() and panel.is_visible():
                panels += 1
                assert "What you saw" not in page.page.locator(".acc-now").inner_text(), "the panel gives nothing away"
            if page.page.evaluate(LAST):
                break
            keyboard.press("PageDown")
            page.wait_until(lambda here=here: place(page) != here, what=f"what follows {here}")
        slides = page.page.locator(".acc-slide").count()
        assert panels >= 12 and marks >= 2 and len({slide for slide, *_ in seen}) == slides
        assert page.page.locator(".acc-now .jp-InputArea-editor").count() == 0, "no code"
        keyboard.press("Home")
        handle = page.page.get_by_role("slider", name="kernels per step", exact=True)  # found on the open slide only
        for _ in range(3 * slides):
            if handle.count():
                break
            keyboard.press("PageDown")
            page.page.wait_for_timeout(60)
        number = int(page.page.evaluate("location.hash")[1:])
        handle.focus()
        value = handle.get_attribute("aria-valuenow")
        keyboard.press("ArrowRight")
        page.wait_until(lambda: handle.get_attribute("aria-valuenow") != value, what="the slider's own step")
        assert page.page.evaluate("location.hash") == f"#{number}", "the key was the slider's"
        keyboard.press("Escape")
        keyboard.press("ArrowRight")
        assert page.page.evaluate("location.hash") == f"#{number + 1}"
        keyboard.press("PageUp")
        assert page.page.evaluate("location.hash") == f"#{number}"
        assert page.errors == []
    assert digest(notebook) == before
