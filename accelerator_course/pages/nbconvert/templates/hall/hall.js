// The deck: one slide at a time, driven by one key, or by the buttons in the line below it. Put behind slides.js.
// In a cut of some minutes only the title and what the syllabus names for it are shown; where it names nothing, the panels
// of the core, those with a prediction first. What was chosen stays chosen.
const CUT = 15, WORDS = 200, PANEL = 1.5, QUESTION = 1; // minutes of the short way; what takes how many (tests/minutes.py)
const FORWARD = ["PageDown", "ArrowRight", "ArrowDown", " ", "Enter"];
const BACK = ["PageUp", "ArrowLeft", "ArrowUp", "Backspace"];
const TEXT = "textarea, input[type=text], [contenteditable=true]", HANDS = ".acc-hands"; // what is typed into
const JUST = 200; // ms between two presses, however late they are heard, in which a clicker that bounces takes no second step of a question
let slides = all, at = 0, ready = false, byPointer = false, answered = false, taken = -JUST, turned = -JUST;

// --- the line below ------------------------------------------------------------------------------------------------

const button = (says, name, act) => {
  const made = Object.assign(make("button", "", says), { type: "button", title: name, onclick: act });
  made.setAttribute("aria-label", name);
  return made;
};
const hint = make("span", "acc-hint"), places = make("ol", "acc-places");
const noted = button("Notes", "notes of this slide (N)", () => note());
const number = Object.assign(button("", "all slides (L)", () => {}), { className: "acc-number" });
const ways = { back: button("◀", "back", (event) => backward(event)), forward: button("▶", "forward", (event) => forward(event)) };
const status = make("nav", "acc-deck-status", hint, noted, ways.back, number, ways.forward);
places.popover = "auto";
number.popoverTargetElement = places;
places.addEventListener("beforetoggle", ({ newState }) => newState === "open" && list());
places.addEventListener("toggle", ({ newState }) => newState === "open" && places.querySelector("[aria-current]")?.focus());

// The headings of the slides, those of a part among its slides left out.
function list() {
  const named = slides.map((page, place) => [place, page.querySelector(".acc-head, h1")?.textContent]);
  const heads = named.filter(([place, name]) => name && name !== named[place - 1]?.[1]);
  const here = heads.findLast(([place]) => place <= at);
  places.replaceChildren(...heads.map((head) => {
    const [place, name] = head, made = button("", name, () => show(place));
    made.append(make("span", "", name), make("span", "", place + 1));
    if (head === here) made.setAttribute("aria-current", "true");
    return make("li", "", made);
  }));
}

function tell() {
  hint.textContent = at ? "" : "Space or PageDown: forward · PageUp: back · L: all slides · Esc frees the keys from a slider";
  noted.hidden = !slides[at].notes;
  noted.setAttribute("aria-pressed", slides[at].matches(".acc-noted"));
  number.textContent = `${at + 1} / ${slides.length}`;
  number.style.minWidth = `${2 * String(slides.length).length + 2}ch`;
  ends();
}

// Nothing comes before the first, nothing after the last.
function ends() {
  const page = slides[at];
  ways.back.disabled = at === 0 && page.step === 0 && !stepOf("back");
  ways.forward.disabled = at === slides.length - 1 && !(next(1) in page.steps) && !stepOf("forward");
}

function note() {
  const page = slides[at];
  if (page.classList.toggle("acc-noted", Boolean(page.notes) && !page.matches(".acc-noted"))) sized(page.notes, page.notes, [LARGEST, 20]);
  noted.setAttribute("aria-pressed", page.matches(".acc-noted"));
}

// --- one key forward ---------------------------------------------------------------------------------------------

function show(wanted) {
  const was = at;
  if (places.matches(":popover-open")) places.hidePopover();
  if (wanted !== at) slides[at]?.querySelectorAll(".acc-bar-transport [aria-label=Pause]").forEach((film) => film.click()); // nobody looks any more
  at = Math.max(0, Math.min(wanted, slides.length - 1));
  taken = -JUST; // what is pressed on another slide is no bounce
  if (at > was && slides[at].step) { // who comes forward to a slide begins with its first step, who goes back finds it as it was
    slides[at].step = 0;
    stand(slides[at]);
    fit(slides[at]);
  }
  all.forEach((one) => {
    one.classList.toggle("acc-now", one === slides[at]);
    one.classList.remove("acc-noted");
    one.inert = one !== slides[at];
  });
  history.replaceState(null, "", `#${at + 1}`);
  slides[at].focus({ preventScroll: true });
  tell();
}

function turn(by) {
  const page = slides[at];
  if (!(next(by) in page.steps)) return show(at + by);
  page.step = next(by);
  page.classList.remove("acc-noted");
  stand(page);
  fit(page);
  tell();
}

// The step before or after this one. What one will be able to belongs to the whole chapter, not to a cut.
function next(by) {
  const { step, steps } = slides[at], skips = slides !== all && steps[step + by]?.matches(".acc-goals");
  return step + (skips ? 2 * by : by);
}

// A question on the slide may have a step of its own to take first, once the words before it are read.
const stepOf = (way) => slides[at].steps[slides[at].step] === null
  && [...slides[at].querySelectorAll(`[data-${way}]`)].find((one) => one.checkVisibility());
function stepped(way, when) {
  const step = stepOf(way);
  if (way === "forward" && (when - taken < JUST || (step && when - turned < JUST))) return true; // a press that bounces
  if (!step) return false;
  step.click();
  taken = when;
  return (answered = true);
}
// Notes, and the list of slides, lie over the slide: the first press closes them.
function uncovered() {
  const listed = places.matches(":popover-open"), noted = slides[at].matches(".acc-noted");
  if (listed) places.hidePopover();
  if (noted) note();
  return !listed && !noted;
}
const forward = ({ timeStamp }) => uncovered() && (stepped("forward", timeStamp) || ((turned = timeStamp), turn(1)));
const backward = ({ timeStamp }) => uncovered() && (stepped("back", timeStamp) || turn(-1));

// --- a cut of so many minutes ------------------------------------------------------------------------------------

function minutes(page) {
  const words = page.textContent.trim().split(/\s+/).length;
  return words / WORDS + PANEL * Boolean(page.querySelector(".acc-panel")) + QUESTION * Boolean(page.querySelector(".acc-question"));
}

// The title and the panels that are named for it; or of the core panels with a prediction, then other panels, then formulas
// and tables, as time allows.
function chosen(limit) {
  const named = limit === CUT ? document.body.dataset.panels.split(" ").filter(Boolean) : [];
  const ranks = [".acc-predict", ".acc-panel", ":scope > .acc-prose"];
  const rank = (page) => ranks.findIndex((one) => page.querySelector(one) && (one !== ranks[2] || page.matches(".acc-slide-prose")));
  const open = all.slice(1).filter((page) => page.core && rank(page) >= 0).sort((a, b) => rank(a) - rank(b));
  let left = limit;
  const kept = named.length ? all.filter((page) => named.some((id) => page.querySelector(`.acc-at-${id}`)))
    : open.filter((page) => minutes(page) <= left && (left -= minutes(page), true));
  return all.filter((page, place) => place === 0 || kept.includes(page));
}

// The switch on the title: the whole chapter, or so many minutes of it. The title says how long.
function offer(limit, asked) {
  const short = chosen(limit), said = all[0].querySelector(".acc-prose p")?.firstChild, whole = said?.data;
  const choices = [[0, `Whole chapter: ${all.length} slides`], [limit, `${limit} minutes: ${short.length} slides`]].map(([value, says]) =>
    Object.assign(make("button", "", says), { type: "button", onclick: () => cutTo(value) }));
  function cutTo(value) {
    const page = slides[at];
    slides = value ? short : all;
    choices.forEach((one, place) => one.setAttribute("aria-pressed", Boolean(place) === Boolean(value)));
    all[0].classList.toggle("acc-brief", Boolean(value));
    if (/^\d+ minutes/.test(whole)) said.data = value ? whole.replace(/^\d+ minutes[^·]*?(\s*)(?=·|$)/, `${value} minutes$1`) : whole;
    show(Math.max(0, slides.indexOf(page)));
  }
  all[0].append(make("p", "acc-cut", ...choices));
  cutTo(asked);
}

// --- keys ----------------------------------------------------------------------------------------------------------

// Whether a key belongs to what has the focus. PageUp and PageDown never do: they are what a clicker sends.
function isKept(element, key) {
  if (!element || element === document.body || element.matches(".acc-slide") || key.startsWith("Page")) return false;
  if (element.matches(HANDS)) return /^(\d|Arrow(Up|Down)|Home|End|Backspace|Delete|Enter)$/.test(key);
  if (element.matches(`${TEXT}, select`)) return true;
  const presses = key === " " || key === "Enter";
  if (element.matches("[role=slider], input[type=range], input[type=radio]") || element.closest(".acc-stage")) {
    return /^(Arrow|Home|End)/.test(key) || (presses && !element.matches("[role=slider]"));
  }
  return element.matches("button, a, summary, input") && presses;
}

// Escape closes what lies over the slide; then it frees the keys of a control, or closes the menu or the story of a picture.
function escape(held) {
  if (!uncovered()) return;
  held?.blur();
  if (!held?.matches("body, .acc-slide, .acc-stage *")) return;
  [...slides[at].querySelectorAll(".acc-stage [aria-expanded=true], .acc-story button")].find((one) => one.checkVisibility())?.click();
}

function pressed(event) {
  const { key } = event;
  if (!ready || event.ctrlKey || event.altKey || event.metaKey) return; // while it prepares, nobody sees what a key does
  if (key === "Tab") byPointer = false;
  if (!document.activeElement?.matches("select")) letGo(); // on a busy machine the key comes before the timer that does so
  const held = document.activeElement;
  if (key === "Escape") return escape(held);
  const listed = places.contains(held) && /^Arrow(Up|Down)$/.test(key);
  if (!listed && isKept(held, key)) return;
  const back = BACK.includes(key) || (key === " " && event.shiftKey), letter = key.toLowerCase();
  if (!back && !FORWARD.includes(key) && !["Home", "End"].includes(key) && letter !== "n" && letter !== "l") return;
  event.preventDefault();
  event.stopPropagation();
  if (listed) held.parentElement[key === "ArrowUp" ? "previousSibling" : "nextSibling"]?.firstChild.focus();
  else if (letter === "n") note();
  else if (letter === "l") places.togglePopover();
  else if (key === "Home") show(0);
  else if (key === "End") show(slides.length - 1);
  else if (back) backward(event);
  else forward(event);
}

// What was reached by mouse, and takes no text, has let go of the keys with the button: a clicker would move it otherwise.
function letGo() {
  const held = document.activeElement;
  if (byPointer && held && !held.matches(`${TEXT}, ${HANDS}`) && !places.contains(held)) held.blur();
}

document.addEventListener("keydown", pressed, true);
document.addEventListener("pointerdown", () => (byPointer = true), true);
document.addEventListener("pointerup", (event) => event.target.matches("select") || setTimeout(letGo), true);
for (const done of ["change", "keyup"]) document.addEventListener(done, () => setTimeout(letGo), true);
document.addEventListener("submit", () => (answered = true), true);
addEventListener("resize", () => all.slice().forEach(fit));
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
addEventListener("beforeunload", (event) => answered && event.preventDefault()); // another load knows nothing of the hall's answers
new MutationObserver(() => ready && (glue(deck), ends())).observe(deck, { childList: true, subtree: true, attributeFilter: ["data-forward", "data-back"] }); // a question has gone on

// --- when it is all there --------------------------------------------------------------------------------------------

const waiting = () => document.querySelector("script[type='application/vnd.voila.cell-output+json']")
  || [...deck.querySelectorAll(".acc-slide-live > .acc-cell")].some((cell) => !cell.querySelector(".jupyter-widgets, .acc-question"));

// After half a minute the deck is shown as far as it has come; what comes later is fitted when it is there.
function settle(tries = 300) {
  const missing = waiting(), first = !ready;
  if (missing && tries) return setTimeout(settle, 100, tries - 1);
  ready = true;
  if (first || !missing) {
    fitAll();
    deck.querySelectorAll(".acc-stage, .acc-stage .acc-screen > *").forEach((stage) => watcher.observe(stage));
  }
  if (first) {
    const place = Number(location.hash.slice(1)) - 1, asked = Number(document.body.dataset.cut);
    document.body.append(status, places);
    offer(asked || CUT, asked);
    if (place > 0) show(place);
    document.getElementById("acc-wait").remove();
  }
  if (missing) setTimeout(settle, 1000, 0);
  else document.body.dataset.deck = "ready";
}

addEventListener("DOMContentLoaded", () => { build(); settle(); });
