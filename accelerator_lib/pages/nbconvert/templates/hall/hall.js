// The deck: slides made from the cells of the page, one at a time, driven by one key.
//
// A heading or a sub-slide opens a slide. Every panel or question has a slide of its own, under its heading and its
// prompt; what comes before it on the page is shown first. Computed words ("What you saw") come after, never with it.
// Prose is set as large as it fits, and goes on to a further slide before it would be smaller than the floor.
(() => {
  const LARGEST = 36, FLOOR = 26; // pixels of prose on a slide of 1600 x 900
  const SHORT = 300; // letters that stand beside a panel; more get a slide before it
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
  const slides = [];
  let at = 0, ready = false, byPointer = false;

  // --- cells to slides ---------------------------------------------------------------------------------------------

  function slide(kind, head, ...parts) {
    const made = make("article", `acc-slide acc-slide-${kind}`);
    made.tabIndex = -1;
    if (head) {
      const running = make("header", "acc-head");
      running.append(head.isConnected ? head.cloneNode(true) : head);
      made.append(running);
    }
    made.append(...parts.filter(Boolean));
    deck.append(made);
    slides.push(made);
    return made;
  }

  const prose = (blocks) => blocks.length && make("div", "acc-prose jp-RenderedHTMLCommon", ...blocks);
  const letters = (blocks) => blocks.reduce((sum, block) => sum + block.textContent.length, 0);

  // What to do at a panel: the italic sentences of the last paragraph before it, or that paragraph.
  function prompt(blocks) {
    const last = blocks.at(-1);
    if (!last || last.tagName !== "P") return null;
    const asked = [...last.querySelectorAll("em")].filter((part) => part.textContent.length > 20);
    return make("p", "", ...(asked.length ? asked : [...last.childNodes]).map((part) => part.cloneNode(true)));
  }

  function build() {
    let head = null, pending = [];
    document.body.append(deck, status);
    const flush = () => {
      if (pending.length || (head && !head.isConnected && !head.used)) slide("prose", head, prose(pending));
      if (head) head.used = true;
      pending = [];
    };
    for (const cell of [...document.querySelectorAll(".acc-cell")]) {
      const { part, slide: kind } = cell.dataset;
      if (["left", "silent", "value", "exercise"].includes(part) || kind === "skip") { cell.remove(); continue; }
      if (["slide", "subslide"].includes(kind) && part !== "live") flush();
      if (part === "live") {
        const plain = pending.every((block) => block.tagName === "P" && !block.querySelector("math"));
        const asked = plain && letters(pending) <= SHORT ? pending : [prompt(pending)].filter(Boolean);
        if (asked !== pending) flush();
        slide("live", head, prose(asked), cell);
        if (head) head.used = true;
        pending = [];
      } else if (part === "prose") {
        for (const block of [...(cell.querySelector(".jp-MarkdownOutput")?.children ?? [])]) {
          block.remove();
          block.querySelectorAll?.(".anchor-link").forEach((link) => link.remove());
          if (/^H[1-3]$/.test(block.tagName)) { flush(); head = block; } else pending.push(block);
        }
        cell.remove();
      } else pending.push(cell);
    }
    flush();
    const saved = Number(location.hash.slice(1)) - 1;
    show(saved > 0 ? saved : 0);
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

  function fit(page) {
    fitStage(page);
    const text = page.querySelector(":scope > .acc-prose");
    const side = page.querySelector(".acc-controls");
    if (side) {
      page.classList.remove("acc-tight");
      page.classList.toggle("acc-tight", side.getBoundingClientRect().bottom < side.lastElementChild.getBoundingClientRect().bottom);
    }
    if (!page.classList.contains("acc-slide-prose") || !text) return;
    for (let size = LARGEST; size >= FLOOR; size -= 1) {
      text.style.setProperty("--type", size);
      if (!tooMuch(page)) return;
    }
    const rest = make("div", "acc-prose jp-RenderedHTMLCommon");
    while (tooMuch(page) && split(text, rest));
    if (!rest.childNodes.length) return;
    const head = page.querySelector(".acc-head")?.firstChild;
    const next = slide("prose", head, rest);
    slides.splice(slides.indexOf(page) + 1, 0, slides.pop());
    page.after(next);
    fit(page);
    fit(next);
  }

  // Move the last block of a slide to the next one; a list or a table that stands alone gives its last line.
  function split(text, rest) {
    const last = text.lastElementChild;
    if (text.childElementCount > 1) { rest.prepend(last); return true; }
    const lines = last.querySelector("tbody") ?? (/^[UO]L$/.test(last.tagName) ? last : null);
    if (!lines || lines.childElementCount < 2) return false;
    const twin = rest.firstElementChild?.matches(last.tagName) ? rest.firstElementChild : last.cloneNode(true);
    const taken = twin.querySelector("tbody") ?? twin;
    if (!twin.isConnected && twin.parentNode !== rest) { taken.replaceChildren(); rest.prepend(twin); }
    taken.prepend(lines.lastElementChild);
    return true;
  }

  // --- one key forward ---------------------------------------------------------------------------------------------

  function show(wanted) {
    at = Math.max(0, Math.min(wanted, slides.length - 1));
    slides.forEach((one, place) => {
      one.classList.toggle("acc-now", place === at);
      one.inert = place !== at;
    });
    history.replaceState(null, "", `#${at + 1}`);
    slides[at].focus({ preventScroll: true });
    tell();
  }

  function tell() {
    const hint = at === 0 ? "Space or PageDown: forward · PageUp: back · Esc frees the keys from a slider" : "";
    const place = ready ? `${at + 1} / ${slides.length}` : "Getting the panels ready …";
    status.replaceChildren(make("span", "", hint), make("span", "", place));
  }

  // A question or a veil on the slide may have a step of its own to take first.
  function forward() {
    const step = [...slides[at].querySelectorAll("[data-forward]")].find((button) => button.checkVisibility());
    if (step) step.click();
    else show(at + 1);
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
    const back = BACK.includes(key) || (key === " " && event.shiftKey);
    if (!back && !FORWARD.includes(key) && key !== "Home" && key !== "End") return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Home") show(0);
    else if (key === "End") show(slides.length - 1);
    else if (back) show(at - 1);
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
  addEventListener("resize", () => slides.slice().forEach(fit));

  const waiting = () => document.querySelector("script[type='application/vnd.voila.cell-output+json']")
    || [...deck.querySelectorAll(".acc-slide-live > .acc-cell")].some((cell) => !cell.querySelector(".jupyter-widgets, .acc-question"));

  // After half a minute the deck is shown as far as it has come; what comes later is fitted when it is there.
  function settle(tries = 300) {
    const missing = waiting(), first = !ready;
    if (missing && tries) return setTimeout(settle, 100, tries - 1);
    ready = true;
    if (first || !missing) {
      slides.slice().forEach(fit);
      deck.querySelectorAll(".acc-stage, .acc-stage .acc-screen > *").forEach((stage) => watcher.observe(stage));
    }
    if (first) show(at);
    if (missing) setTimeout(settle, 1000, 0);
    else document.body.dataset.deck = "ready";
  }

  addEventListener("DOMContentLoaded", () => { build(); settle(); });
})();
