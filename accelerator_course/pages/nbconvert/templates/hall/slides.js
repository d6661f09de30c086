// The slides: made from the cells of the page, with type as large as it fits. hall.js shows them; one function holds both.
//
// Every slide has something to look at: a panel, a question, a table, a formula. Words alone have none: those before a
// panel stand beside it first, those after it ("What you saw") stand beside it last, a key forward each. A section of
// words alone is a note, which N shows; the answer of the chapter alone is a slide. Type is as large as it fits; what is too long for the floor comes a key later.
const LARGEST = 36, FLOOR = 26; // pixels of prose on a slide of 1600 x 900
const BESIDE = [30, 24]; // the same of words beside a panel
const FEW = 8; // words that say no more than that something follows
const SHORT = 300; // letters that stand above a panel, its prompt among them; more stand beside it, before its controls
const TELLING = "table, math[display=block], pre, img, figure"; // what makes words worth a slide
const make = (tag, className, ...children) => {
  const made = Object.assign(document.createElement(tag), { className });
  made.append(...children);
  return made;
};
const deck = make("main", "acc-deck");
const all = []; // every slide; its steps: pages of words beside it, null for the slide alone

// --- cells to slides ---------------------------------------------------------------------------------------------

function slide(kind, head, ...parts) {
  const made = make("article", `acc-slide acc-slide-${kind}`);
  made.tabIndex = -1;
  if (head) made.append(make("header", "acc-head", head.cloneNode(true)));
  made.append(...parts.filter(Boolean));
  Object.assign(made, { steps: [null], step: 0, notes: null });
  deck.append(made);
  all.push(made);
  return made;
}

const prose = (blocks, more = "") => blocks.length && make("div", `acc-prose jp-RenderedHTMLCommon ${more}`, ...blocks);
const letters = (blocks) => blocks.reduce((sum, block) => sum + block.textContent.length, 0);
const coming = (block) => block.querySelector("script[type='application/vnd.voila.cell-output+json']")?.textContent ?? "";
const tells = (block) => block.matches(TELLING) || Boolean(block.querySelector(TELLING)) || /\|:?-+:?\||<table|"stdout"/.test(coming(block));
const seen = (blocks) => /^\s*What you saw/.test(blocks[0]?.textContent);

// Words beside a slide, before or after it is seen alone.
function beside(page, blocks, before) {
  if (!blocks.length) return;
  const goals = /^\s*You will be able to/.test(blocks[0].textContent);
  const words = prose(blocks, `acc-words${goals ? " acc-goals" : ""}`);
  page.append(words);
  page.steps.splice(before ? page.steps.indexOf(null) : page.steps.length, 0, words);
}

// What to do at a panel, taken from the last paragraph before it: its italic sentences.
function prompt(blocks) {
  const last = blocks.at(-1);
  if (!last || last.tagName !== "P") return null;
  const asked = [...last.querySelectorAll("em")].filter((part) => /[.?!]\W*$/.test(part.textContent) && part.textContent.length > 20);
  if (!asked.length) return null;
  const made = make("p", "", ...asked.flatMap((part) => [part, " "]));
  if (!last.textContent.trim()) blocks.pop();
  return made;
}

// Words that lead to what is left out, a bare value, do not wait for it: a few go, more end there.
function close(group) {
  const last = group.at(-1), end = last?.lastChild;
  if (!/:\s*$/.test(last?.textContent) || end.nodeType !== Node.TEXT_NODE) return;
  const whole = end.data.trimEnd(), cut = Math.max(whole.lastIndexOf(". "), whole.lastIndexOf("? "));
  const few = whole.slice(cut + 1).trim().split(/\s+/).length <= FEW && (cut >= 0 || last.childNodes.length === 1);
  end.data = few ? whole.slice(0, cut + 1) : `${whole.slice(0, -1)}.`;
  if (!last.textContent.trim()) group.pop();
}

// The cells in order: a heading, a group of words, a live cell; what nobody in a hall reads is left out: bare values of
// code that is not there, worked checks, and the bar of a measurement that is over.
function* parts() {
  let group = [], computed = false, deep = 0;
  const done = function* () {
    if (group.length) yield { blocks: group, computed };
    [group, computed] = [[], false];
  };
  for (const cell of [...document.querySelectorAll(".acc-cell")]) {
    const { part, slide: kind, tags } = cell.dataset;
    cell.querySelectorAll("script:not([type])").forEach((script) => script.remove());
    if ("checks" in cell.dataset) group = []; // what is asked there stands in the code
    if (part === "value" && kind !== "skip") close(group);
    if (["left", "silent", "exercise", "value"].includes(part) || kind === "skip" || ["waits", "checks"].some((one) => one in cell.dataset)) { cell.remove(); continue; }
    if (["slide", "subslide"].includes(kind) || part === "live") yield* done();
    if (part === "live") yield { cell };
    else if (part === "prose") {
      for (const block of [...(cell.querySelector(".jp-MarkdownOutput")?.children ?? [])]) {
        block.remove();
        block.querySelectorAll?.(".anchor-link").forEach((link) => link.remove());
        if (/^H[1-3]$/.test(block.tagName)) {
          yield* done();
          const level = Number(block.tagName[1]);
          if (level <= deep) deep = 0;
          if (!deep && tags.split(" ").includes("depth")) deep = level;
          yield { head: block, deep: Boolean(deep) };
        } else group.push(block);
      }
      cell.remove();
    } else {
      computed ||= !group.length;
      group.push(cell);
    }
  }
  yield* done();
}

function build() {
  document.body.append(deck);
  let head = null, core = true, last = null, waiting = []; // the section's: last slide, words that wait for its first
  const titled = (kind, ...content) => {
    last = Object.assign(slide(kind, head, ...content), { core });
    return last;
  };
  const left = () => { // no slide came for these words: they follow the last one, or are its note
    if (last) beside(last, waiting, false);
    else if (waiting.length && head?.textContent === "The answer") titled("prose acc-answer", prose(waiting));
    else if (waiting.length && all.length === 0) titled("prose acc-title", prose(waiting));
    else if (waiting.length) all.at(-1).notes = prose([...(all.at(-1).notes?.childNodes ?? []), head, ...waiting], "acc-notes");
    waiting = [];
  };
  for (const { head: heading, deep, blocks, computed, cell } of parts()) {
    if (cell && "quiz" in cell.dataset) waiting = []; // they are for who reads alone
    if (cell && "quick" in cell.dataset && last) { // what a check asks does not follow from them
      beside(last, waiting, false);
      waiting = [];
    }
    if (heading) {
      left();
      [head, core, last] = [heading, !deep, null];
    } else if (cell) {
      const roomy = !("asks" in cell.dataset); // a question and its picture need all the room
      const asked = roomy && prompt(waiting);
      const short = roomy && waiting.every((block) => block.tagName === "P" && !tells(block)) && letters(waiting) + (asked ? asked.textContent.length : 0) <= SHORT;
      const above = [...(short ? waiting : []), ...(asked ? [asked] : [])];
      beside(titled("live", prose(above), cell), short ? [] : waiting, true);
      waiting = [];
    } else if (last?.classList.contains("acc-title")) { // what one will be able to stands beside it from the first
      beside(last, blocks, true);
      last.steps.pop();
    }
    else if (blocks.some(tells)) {
      const asked = prompt(blocks);
      titled("prose", prose([...waiting, ...blocks]));
      waiting = asked ? [asked] : [];
    } else if (last && (computed || seen(blocks))) { // after what was said before
      beside(last, waiting, false);
      beside(last, blocks, false);
      waiting = [];
    }
    else if (all.length === 0) titled("prose acc-title", prose(blocks));
    else waiting.push(...blocks);
  }
  left();
  for (const page of all.filter((one) => one.notes)) page.append(page.notes);
}

// --- type as large as it fits ------------------------------------------------------------------------------------

const tooMuch = (box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;

// A stage is as wide as leaves room for its bar.
function fitStage(page) {
  const screen = page.querySelector(".acc-stage .acc-screen");
  const drawing = screen?.querySelector("svg, canvas");
  const bar = page.querySelector(".acc-stage .acc-bar-transport");
  if (!drawing || !screen.clientWidth) return;
  const [wide, high] = drawing.viewBox ? [drawing.viewBox.baseVal.width, drawing.viewBox.baseVal.height] : [drawing.width, drawing.height];
  const room = page.getBoundingClientRect().bottom - parseFloat(getComputedStyle(page).paddingBottom)
    - screen.getBoundingClientRect().top - (bar?.offsetHeight ?? 0) - 16;
  if (wide && high && room > 0) screen.style.maxWidth = `${Math.floor((room * wide) / high)}px`;
}

const watcher = new ResizeObserver((seen) => seen.forEach(({ target }) => fitStage(target.closest(".acc-slide"))));

// The largest size at which nothing hangs over; true if there is one.
function sized(box, text, [largest, floor]) {
  for (let size = largest; size >= floor; size -= 1) {
    text.style.setProperty("--type", size);
    if (!tooMuch(box) && text.scrollWidth <= text.clientWidth + 1) return true;
  }
  return false;
}

// A slide at its step. What does not fit goes on: words to a further step, tables and formulas to a further slide.
function fit(page) {
  fitStage(page);
  const panel = page.querySelector(".acc-panel"), end = (part) => part.getBoundingClientRect().bottom;
  page.classList.remove("acc-tight");
  const parts = panel ? [...panel.querySelectorAll(".acc-controls > *, .acc-tasks > ol")] : [];
  page.classList.toggle("acc-tight", parts.some((part) => end(part) > end(panel) + 1));
  const words = page.steps[page.step], text = page.querySelector(":scope > .acc-prose:not(.acc-words, .acc-notes)");
  const by = words && page.matches(".acc-slide-prose:not(.acc-title)");
  const below = by && page.step > page.steps.indexOf(null); // a table leaves the words below it their room
  for (let size = LARGEST; by && size >= 24; size -= 2) {
    text.style.setProperty("--type", size);
    if (sized(words, words, BESIDE) && !tooMuch(text)) break;
  }
  page.classList.remove("acc-wide");
  if (words && !sized(words, words, BESIDE)) page.classList.add("acc-wide");
  if (words && (!sized(words, words, BESIDE) || (below && tooMuch(text)))) {
    const rest = prose([make("p", "")], "acc-words");
    rest.replaceChildren();
    while ((tooMuch(words) || (below && tooMuch(text))) && split(words, rest));
    if (rest.childNodes.length) {
      words.after(rest);
      page.steps.splice(page.step + 1, 0, rest);
    }
  }
  if (!page.matches(".acc-slide-prose") || !text || by || sized(page, text, [LARGEST, FLOOR]) || words) return;
  const first = [...text.children].findIndex(tells);
  if (first > 0) { // too much with the words above it: they come first, and it a key later
    beside(page, [...text.children].slice(0, first), true);
    stand(page);
    return fit(page);
  }
  const rest = make("div", "acc-prose jp-RenderedHTMLCommon");
  while (tooMuch(page) && split(text, rest));
  if (!rest.childNodes.length) return;
  if (![...rest.children].some(tells)) return beside(page, [...rest.childNodes], false);
  const next = Object.assign(slide("prose", page.querySelector(".acc-head")?.firstChild, rest), { core: page.core });
  all.splice(all.indexOf(page) + 1, 0, all.pop());
  page.after(next);
  next.steps.push(...page.steps.splice(page.steps.indexOf(null) + 1));
  next.append(...next.steps.filter(Boolean));
  fit(next);
}

// A product's factors stay on one line.
function glue(part) {
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, (node) => (/\d × \d/.test(node.data) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP));
  while (walk.nextNode()) walk.currentNode.data = walk.currentNode.data.replace(/(?<=\d) × (?=\d)/g, "\u00a0×\u00a0");
}

// What a cell computed is, from now on, words and tables as any; a number and its unit stay on one line. A link leads to
// another tab, or, where it would end the deck, nowhere: it is words.
function unwrap(page) {
  glue(page);
  for (const cell of page.querySelectorAll(".acc-prose > .acc-cell:has(.jp-RenderedMarkdown)")) {
    cell.replaceWith(...[...cell.querySelectorAll(".jp-RenderedMarkdown")].flatMap((said) => [...said.children]));
  }
  for (const cell of page.querySelectorAll("td")) if (/^[-−~]?[\d.,]+ \S{1,8}$/.test(cell.textContent.trim())) cell.style.whiteSpace = "nowrap";
  for (const link of page.querySelectorAll(".acc-prose a[href]")) {
    if (/^(https?:|mailto:)/.test(link.getAttribute("href"))) Object.assign(link, { target: "_blank", rel: "noopener" });
    else link.replaceWith(...link.childNodes);
  }
}

// Every slide at every step once: what goes on is then known, and the slides can be counted.
function fitAll() {
  for (let place = 0; place < all.length; place++) {
    const page = all[place], was = page.step;
    unwrap(page);
    for (page.step = 0; page.step < page.steps.length; page.step++) { stand(page); fit(page); }
    page.step = Math.min(was, page.steps.length - 1);
    stand(page);
    fit(page);
  }
}

// Move the last block of a slide to the next one; a list or a table that stands alone gives its last
// line, a paragraph its last sentence.
function split(text, rest) {
  const last = text.lastElementChild;
  if (text.childElementCount > 1) { rest.prepend(last); return true; }
  if (last.tagName === "P") {
    const ends = (node) => (node.nodeType === Node.TEXT_NODE ? node.data.trimEnd().lastIndexOf(". ") : -1);
    const node = [...last.childNodes].findLast((one) => ends(one) >= 0);
    if (!node) return false;
    if (!rest.firstElementChild?.matches(".acc-rest")) rest.prepend(make("p", "acc-rest"));
    const tail = node.splitText(ends(node) + 2), all = [...last.childNodes];
    rest.firstElementChild.prepend(...all.slice(all.indexOf(tail)));
    return true;
  }
  const lines = last.querySelector("tbody") ?? (/^[UO]L$/.test(last.tagName) ? last : null);
  if (!lines || lines.childElementCount < 2) return false;
  const twin = rest.firstElementChild?.matches(last.tagName) ? rest.firstElementChild : last.cloneNode(true);
  const taken = twin.querySelector("tbody") ?? twin;
  if (!twin.isConnected && twin.parentNode !== rest) { taken.replaceChildren(); rest.prepend(twin); }
  taken.prepend(lines.lastElementChild);
  return true;
}

// Which words stand beside a slide.
function stand(page) {
  const words = page.steps[page.step], alone = page.steps.indexOf(null);
  for (const one of page.steps) one?.classList.toggle("acc-open", one === words);
  page.classList.toggle("acc-before", Boolean(words) && page.step < alone);
  page.classList.toggle("acc-after", Boolean(words) && page.step > alone);
  page.dataset.step = page.step;
  page.toggleAttribute("data-more", page.step + 1 < page.steps.length);
}
