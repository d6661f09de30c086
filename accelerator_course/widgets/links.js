// Ways to other notebooks and to panels; put before a widget's own script, as dom.js is.

// A link to a notebook of the course. JupyterLab opens it beside this one, at `place` ("#cell-id=dot"); a Voila that
// serves the folder opens it there in a tab; a Voila that serves one notebook has none of the others: there it is plain text.
// A hosted notebook has none beside it: it leads to where the course was installed from (address.py).
const served = () => /\/(render|notebooks|tree)\//.test(location.pathname);
function notebookLink(model, notebook, words, place = "") {
  const { context, rendermime } = model.widget_manager ?? {};
  if (model.get("away")) {
    return node("a", { href: model.get("away") + notebook, target: "_blank", rel: "noopener", ...quiet }, words);
  }
  if (context && rendermime?.linkHandler) {
    const made = node("a", { href: notebook, ...quiet }, words);
    rendermime.linkHandler.handleLink(made, [...context.path.split("/").slice(0, -1), notebook].join("/"), place);
    return made;
  }
  if (!served()) return node("span", {}, words);
  return node("a", { href: notebook + place, target: "_blank", rel: "noopener", ...quiet }, words);
}

// The panel of this id that can be seen from an element: on the page, or in the shadow root that it stands in.
function standing(el, id) {
  const roots = new Set([el.getRootNode(), document]);
  return [...roots].flatMap((root) => [...root.querySelectorAll(`.acc-at-${id}`)]).find((found) => found.offsetParent);
}

// Unfold the section of JupyterLab that a panel of this id stands in: what goes deeper waits below its heading. True where
// there was something to unfold.
function unfold(id) {
  let found = false;
  const cell = document.querySelector(`.jp-Cell .acc-at-${id}`)?.closest(".jp-Cell");
  for (let before = cell; before && cell.offsetParent === null; before = before.previousElementSibling) {
    const more = before.querySelector(":scope > .jp-showHiddenCellsButton");
    if (more?.offsetParent) more.click(), (found = true);
  }
  return found;
}

// Bring it into view, `whole` with its question, the focus on its first control; false where it is not there.
function arrive(el, id, whole = false) {
  const panel = standing(el, id);
  if (panel) reveal(panel, whole);
  else if (!unfold(id)) return false;
  else when(el, () => standing(el, id), (later) => reveal(later, whole)); // its cells are shown some frames later
  return true;
}
function reveal(panel, whole) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const box = (whole && panel.closest(".acc-predict")) || panel;
  box.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
  const first = panel.querySelector(".acc-controls :is(.noUi-handle, .ui-slider-handle, select, input, button)") ?? panel;
  if (first === panel) panel.setAttribute("tabindex", "-1");
  first.focus({ preventScroll: true });
}

// In the chapter's bar, until it is pressed: back to what one came from.
function wayBack(link) {
  const more = (around(link, ".jp-WindowedPanel-outer") ?? document).querySelector(".acc-bar-more");
  const back = button("Back to the question", () => {
    back.remove();
    link.scrollIntoView({ block: "center" });
    link.focus({ preventScroll: true });
  });
  more?.replaceChildren(back);
}

// A link to a panel {notebook, panel, section, heading, chapter}: to it, or to its section where it has not been run yet.
function panelLink(model, { notebook, panel, section, heading, chapter }) {
  const whole = heading.startsWith(`${chapter} ·`); // the chapter itself
  const words = `See it move: ${heading}${whole ? "" : `, chapter ${chapter}`}`;
  const made = notebookLink(model, notebook, words, `#cell-id=${section}`);
  if (made.tagName === "SPAN" && !standing(document.body, panel)) return made;
  const link = made.tagName === "A" ? made : node("a", { href: "#", ...quiet }, words);
  link.addEventListener("click", (event) => {
    if (arrive(link, panel)) {
      wayBack(link);
      event.preventDefault();
      event.stopImmediatePropagation(); // it is here: no notebook has to be opened
      return;
    }
    if (link.target) return;
    document.dispatchEvent(new CustomEvent("acc-way", { detail: { notebook, section, panel } })); // shell.js
  }, true);
  return link;
}

