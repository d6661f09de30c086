// "What you saw": the prose after a panel, folded for as long as anybody has a reason (veil.js, tasks.js).
const OPENING = { code: "KeyO", name: "Alt+O" }; // opens everything on the page

function opens(event) {
  const typing = event.composedPath()[0].closest?.("input[type=text], textarea, [contenteditable=true]");
  return event.code === OPENING.code && event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !typing;
}

const pageOf = (el) => around(el, ".jp-Notebook") ?? document.body; // JupyterLab, or Voila

// The cells that would give the answer away: "What you saw", and on to the next heading, panel or code.
function takeaway(el) {
  const cells = [...pageOf(el).querySelectorAll(".jp-Cell")];
  const following = cells.slice(cells.indexOf(around(el, ".jp-Cell")) + 1);
  if (following.length === cells.length || !following.length || !prose(following[0]).startsWith("What you saw")) return [];
  const end = following.findIndex((cell, place) => place && !plain(cell));
  return following.slice(0, end < 0 ? undefined : end);
}
function prose(cell) {
  return [...cell.querySelectorAll(".jp-RenderedHTMLCommon")].map((part) => part.textContent).join(" ").trim();
}
function plain(cell) {
  const code = cell.querySelector(".jp-InputArea-editor");
  const seen = cell.classList.contains("jp-CodeCell") && code && !code.closest(".lm-mod-hidden");
  return prose(cell) && !seen && !cell.querySelector("h1, h2, h3, h4, .acc-panel, .acc-question");
}

// Folds the cells it is given, and no others any more, with words in place of the first. A cell may be folded by several:
// the words of the lowest rank stand there.
function folder(words, rank) {
  const own = {};
  let mine = [];
  return (cells) => {
    for (const cell of mine) if (!cells.includes(cell)) cell.accFolded.delete(own);
    cells.forEach((cell, place) => (cell.accFolded ??= new Map()).set(own, { words: place ? "" : words, rank }));
    for (const cell of new Set([...mine, ...cells])) {
      const why = [...cell.accFolded.values()].sort((one, other) => one.rank - other.rank);
      cell.classList.toggle("acc-folded", why.length > 0);
      cell.classList.toggle("acc-folded-first", Boolean(why[0]?.words));
      cell.dataset.accFolded = why[0]?.words ?? "";
    }
    mine = cells;
  };
}
