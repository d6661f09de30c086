// The deck: slides made from the cells of the page, one at a time, driven by one key.
//
// Every slide has something to look at: a panel, a question, a table, a formula. Words alone have none: those before a
// panel stand beside it first, those after it ("What you saw") stand beside it last, a key forward each. A section of
// words alone is a note, which N shows. Type is as large as it fits; what is too long for the floor comes a key later.
// In a cut of some minutes only the title and the panels of the core are shown, those with a prediction first.
(() => {
  const LARGEST = 36, FLOOR = 26; // pixels of prose on a slide of 1600 x 900
  const BESIDE = [30, 24]; // the same of words beside a panel
  const SHORT = 300; // letters that stand above a panel, its prompt among them; more stand beside it, before its controls
  const TELLING = "table, math[display=block], pre, img, figure"; // what makes words worth a slide
  const CUT = 15, WORDS = 200, PANEL = 1.5, QUESTION = 1; // minutes of the short way; what takes how many (tests/minutes.py)
  const FORWARD = ["PageDown", "ArrowRight", "ArrowDown", " ", "Enter"];
  const BACK = ["PageUp", "ArrowLeft", "ArrowUp", "Backspace"];
  const make = (tag, className, ...children) => {
    const made = Object.assign(document.createElement(tag), { className });
    made.append(...children);
    return made;
  };
  const deck = make("main", "acc-deck");
  const status = make("p", "acc-deck-status");
  status.setAttribute("role", "status");
  const all = []; // every slide; its steps: pages of words beside it, null for the slide alone
  let slides = all, at = 0, ready = false, byPointer = false, cut = 0;

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
    const words = prose(blocks, "acc-words");
    page.append(words);
    page.steps.splice(before ? page.steps.indexOf(null) : page.steps.length, 0, words);
  }

  // What to do at a panel, taken from the last paragraph before it: its italic sentences.
  function prompt(blocks) {
    const last = blocks.at(-1);
    if (!last || last.tagName !== "P") return null;
    const asked = [...last.querySelectorAll("em")].filter((part) => part.textContent.length > 20);
    if (!asked.length) return null;
    const made = make("p", "", ...asked.flatMap((part) => [part, " "]));
    if (!last.textContent.trim()) blocks.pop();
    return made;
  }

  // The cells in order: a heading, a group of words, a live cell; what nobody in a hall reads is left out.
  function* parts() {
    let group = [], computed = false, deep = 0;
    const done = function* () {
      if (group.length) yield { blocks: group, computed };
      [group, computed] = [[], false];
    };
    for (const cell of [...document.querySelectorAll(".acc-cell")]) {
      const { part, slide: kind, tags } = cell.dataset;
      cell.querySelectorAll("script:not([type])").forEach((script) => script.remove());
      if (["left", "silent", "value", "exercise"].includes(part) || kind === "skip") { cell.remove(); continue; }
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
    document.body.append(deck, status);
    let head = null, core = true, last = null, waiting = []; // the section's: last slide, words that wait for its first
    const titled = (kind, ...content) => {
      last = Object.assign(slide(kind, head, ...content), { core });
      return last;
    };
    const left = () => { // no slide came for these words: they follow the last one, or are its note
      if (last) beside(last, waiting, false);
      else if (waiting.length && all.length === 0) titled("prose acc-title", prose(waiting));
      else if (waiting.length) all.at(-1).notes = prose([...(all.at(-1).notes?.childNodes ?? []), head, ...waiting], "acc-notes");
      waiting = [];
    };
    for (const { head: heading, deep, blocks, computed, cell } of parts()) {
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
      } else if (last && (computed || seen(blocks))) beside(last, blocks, false);
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
      if (!tooMuch(box)) return true;
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
    const below = words && page.matches(".acc-slide-prose:not(.acc-title)"); // a table leaves the words below it their room
    for (let size = LARGEST; below && size >= 24; size -= 2) {
      text.style.setProperty("--type", size);
      if (sized(words, words, BESIDE) && !tooMuch(text)) break;
    }
    page.classList.remove("acc-wide");
    if (words && !sized(words, words, BESIDE)) page.classList.add("acc-wide");
    if (words && !sized(words, words, BESIDE)) {
      const rest = prose([make("p", "")], "acc-words");
      rest.replaceChildren();
      while (tooMuch(words) && split(words, rest));
      if (rest.childNodes.length) {
        words.after(rest);
        page.steps.splice(page.step + 1, 0, rest);
      }
    }
    if (page.notes?.isConnected) sized(page.notes, page.notes, [LARGEST, 24]);
    if (!page.matches(".acc-slide-prose") || !text || below || sized(page, text, [LARGEST, FLOOR]) || words) return;
    const first = [...text.children].findIndex(tells);
    if (first > 0) { // too much with the words above it: they come below it, a key later
      beside(page, [...text.children].slice(0, first), false);
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

  // What a cell computed is, from now on, words and tables as any.
  function unwrap(page) {
    for (const cell of page.querySelectorAll(".acc-prose > .acc-cell:has(.jp-RenderedMarkdown)")) {
      cell.replaceWith(...[...cell.querySelectorAll(".jp-RenderedMarkdown")].flatMap((said) => [...said.children]));
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

  // --- one key forward ---------------------------------------------------------------------------------------------

  // Which words stand beside a slide.
  function stand(page) {
    const words = page.steps[page.step], alone = page.steps.indexOf(null);
    for (const one of page.steps) one?.classList.toggle("acc-open", one === words);
    page.classList.toggle("acc-before", Boolean(words) && page.step < alone);
    page.classList.toggle("acc-after", Boolean(words) && page.step > alone);
    page.dataset.step = page.step;
    page.toggleAttribute("data-more", page.step + 1 < page.steps.length);
  }

  function show(wanted) {
    const begins = wanted > at; // who comes forward to a slide begins with its first step, who goes back finds it as it was
    at = Math.max(0, Math.min(wanted, slides.length - 1));
    if (begins && slides[at].step) {
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

  function tell() {
    const hint = at === 0 ? "Space or PageDown: forward · PageUp: back · Esc frees the keys from a slider" : slides[at].notes ? "N: notes" : "";
    status.replaceChildren(make("span", "", hint), make("span", "", `${at + 1} / ${slides.length}`));
  }

  function turn(by) {
    const page = slides[at];
    if (!(page.step + by in page.steps)) return show(at + by);
    page.step += by;
    stand(page);
    fit(page);
  }

  // A question on the slide may have a step of its own to take first, once the words before it are read.
  function forward() {
    const page = slides[at];
    const step = page.step >= page.steps.indexOf(null) && [...page.querySelectorAll("[data-forward]")].find((button) => button.checkVisibility());
    if (step) step.click();
    else turn(1);
  }

  // --- a cut of so many minutes ------------------------------------------------------------------------------------

  function minutes(page) {
    const words = page.textContent.trim().split(/\s+/).length;
    return words / WORDS + PANEL * Boolean(page.querySelector(".acc-panel")) + QUESTION * Boolean(page.querySelector(".acc-question"));
  }

  // The title, and of the core: panels with a prediction, then other panels, then formulas and tables, as time allows.
  function chosen(limit) {
    const ranks = [".acc-predict", ".acc-panel", ":scope > .acc-prose"];
    const rank = (page) => ranks.findIndex((one) => page.querySelector(one) && (one !== ranks[2] || page.matches(".acc-slide-prose")));
    const open = all.slice(1).filter((page) => page.core && rank(page) >= 0).sort((a, b) => rank(a) - rank(b));
    let left = limit;
    const kept = open.filter((page) => minutes(page) <= left && (left -= minutes(page), true));
    return all.filter((page, place) => place === 0 || kept.includes(page));
  }

  function cutTo(limit) {
    const page = slides[at];
    cut = limit;
    slides = cut ? chosen(cut) : all;
    for (const button of deck.querySelectorAll(".acc-cut button")) button.setAttribute("aria-pressed", Number(button.value) === cut);
    show(Math.max(0, slides.indexOf(page)));
  }

  // The switch on the title: the whole chapter, or so many minutes of it.
  function offer(limit) {
    const button = (value, says) => Object.assign(make("button", "", says), { type: "button", value, onclick: () => cutTo(value) });
    const short = chosen(limit);
    all[0].append(make("p", "acc-cut", button(0, `Whole chapter: ${all.length} slides`), button(limit, `${limit} minutes: ${short.length} slides`)));
  }

  function isKept(element, key) {
    if (!element || element === document.body || element.classList.contains("acc-slide")) return false;
    const moving = /^(Arrow|Page|Home|End)/.test(key);
    if (element.matches("textarea, input[type=text], input[type=number], [contenteditable=true]")) return !key.startsWith("Page");
    if (element.matches("select, [role=slider], input[type=range], input[type=radio]") || element.closest(".acc-stage")) {
      return moving || (key !== "Escape" && !element.matches("[role=slider]"));
    }
    return element.matches("button, a, summary, input") && (key === " " || key === "Enter");
  }

  function pressed(event) {
    byPointer = false;
    const { key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (key === "Escape") return document.activeElement?.blur();
    if (isKept(document.activeElement, key)) return;
    if (key === "n" || key === "N") return slides[at].classList.toggle("acc-noted", !slides[at].matches(".acc-noted") && Boolean(slides[at].notes));
    const back = BACK.includes(key) || (key === " " && event.shiftKey);
    if (!back && !FORWARD.includes(key) && key !== "Home" && key !== "End") return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Home") show(0);
    else if (key === "End") show(slides.length - 1);
    else if (back) turn(-1);
    else forward();
  }

  // After the mouse has let go of a slider or a menu, the keys are the deck's again: a clicker would move it otherwise.
  function letGo() {
    const held = document.activeElement;
    if (byPointer && held?.matches("button, [role=slider], input[type=checkbox], select")) held.blur();
  }

  document.addEventListener("keydown", pressed, true);
  document.addEventListener("pointerdown", () => (byPointer = true), true);
  document.addEventListener("pointerup", (event) => event.target.matches("select") || setTimeout(letGo), true);
  document.addEventListener("change", () => setTimeout(letGo), true);
  addEventListener("resize", () => all.slice().forEach(fit));

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
      const asked = Number(document.body.dataset.cut), place = Number(location.hash.slice(1)) - 1;
      offer(asked || CUT);
      cutTo(asked);
      if (place > 0) show(place);
      document.getElementById("acc-wait").remove();
    }
    if (missing) setTimeout(settle, 1000, 0);
    else document.body.dataset.deck = "ready";
  }

  addEventListener("DOMContentLoaded", () => { build(); settle(); });
})();
