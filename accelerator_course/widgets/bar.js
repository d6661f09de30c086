// The bar on top of a chapter: put at the head of what scrolls, where it sticks; it counts what has passed beneath it, and
// each of its marks leads to a panel.
const SETTLE = 1500; // ms that JupyterLab may go on scrolling after a panel has come
const AIM = 15_000; // ms that a page of Voila may go on growing above the section that was asked for
const ACTS = ["wheel", "pointerdown", "keydown"]; // of a reader
const SHORT = { prev: "←", start: "⌂", next: "→" };

function render({ model, el }) {
  el.classList.add("acc-bar-origin");
  const where = node("span", { class: "acc-bar-where", role: "status", "aria-live": "off" });
  const marks = node("span", { class: "acc-bar-marks", role: "group", "aria-label": "panels: arrow keys go from one to the next" });
  const buttons = model.get("places").map(({ panel }) => {
    const made = node("button", { type: "button", ...quiet });
    made.addEventListener("click", () => arrive(el, panel, true));
    return made;
  });
  marks.append(...buttons);
  marks.addEventListener("keydown", ({ key, target }) => buttons[buttons.indexOf(target) + ({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? NaN)]?.focus());
  const most = [`panel ${buttons.length} of ${buttons.length}`, `tasks ${model.get("tasks")[1]} of ${model.get("tasks")[1]}`, `${model.get("minutes")} minutes`];
  where.style.minWidth = `${(0.92 * Math.max(most.slice(0, 2).join(", ").length, most.join(", ").length - 9)).toFixed(1)}ch`; // the marks keep their places
  const title = node("span", { class: "acc-bar-title" }, model.get("title"));
  const more = node("span", { class: "acc-bar-more" }); // room for what other widgets have to say to the whole chapter
  const to = Object.fromEntries(model.get("ways").map((way) => [way.rel, wayTo(model, way)]));
  const [at, words] = model.get("here");
  const here = node("button", { type: "button", class: "acc-bar-here", ...quiet }, `◎ ${words}`);
  here.title = `You are here: ${words}. Opens the machine, to scale`;
  here.hidden = !at;
  here.addEventListener("click", () => machine(model, here, at));
  const bar = node("nav", { class: "acc-bar", "aria-label": "this chapter" },
    ...["prev", "start"].filter((rel) => to[rel]).map((rel) => to[rel]), title, here, marks, where, comesBack(model, el), door(model), more, to.next ?? "");

  // A notebook hands focus and keys outside its cells to the active cell: here they stay.
  for (const kind of ["focusin", "focusout", "keydown"]) bar.addEventListener(kind, (event) => event.stopPropagation());

  let stop, watcher;
  const attach = () => {
    const box = around(el, ".jp-WindowedPanel-outer"); // JupyterLab and Notebook 7; elsewhere the page itself scrolls
    const root = box ?? el.getRootNode(); // in a shadow root, where the page is another's, the bar stays where it is
    for (const old of root.querySelectorAll(".acc-bar")) old.remove();
    (box ?? el.closest(".jp-Notebook") ?? (root === document ? document.body : el)).prepend(bar);
    if (!box) for (const button of document.querySelectorAll("button[data-commandlinker-command]")) {
      (button.closest(".jp-Cell") ?? button).style.display = "none"; // a page without JupyterLab has run by itself
    }
    const back = box ? backToTheStart(box) : null;
    const keep = box ? keeper(box) : document.body.dataset.voila ? (served() ? aimed() : plain) : null;
    const look = () => (stop ||= requestAnimationFrame(() => ((stop = 0), back?.(), keep?.(), draw(root))));
    (box ?? window).addEventListener("scroll", look, { passive: true, capture: true });
    for (const name of ["panels", "done", "tasks"]) model.on(`change:${name}`, look);
    watcher = new ResizeObserver(look); // a panel that appears moves the end of the chapter
    watcher.observe(box?.querySelector(".jp-WindowedPanel-viewport") ?? document.body);
    look();
  };

  // Voila shows a page when all of it has run: the section that the address names is looked for again, until the reader acts.
  function aimed() {
    const section = document.querySelector(":target"), until = performance.now() + AIM, acted = readerActs();
    return () => !section || acted.aborted || performance.now() > until || section.scrollIntoView();
  }

  // "Run All" goes to the last cell, where nothing is to be seen yet: go back to where the chapter begins. On a slow
  // machine JupyterLab goes there again when the run ends, so this stays in force until the reader acts.
  function backToTheStart(box) {
    const own = around(el, ".jp-Cell"), atTheEnd = () => [...box.querySelectorAll(".jp-Cell")].at(-1)?.matches(".jp-mod-active");
    if (!atTheEnd()) return null;
    const acted = readerActs();
    return () => {
      if (acted.aborted || !atTheEnd()) return;
      box.scrollTop = 0;
      for (const kind of ["mousedown", "mouseup"]) { // and let Shift+Enter go on from here
        own?.querySelector(".jp-InputPrompt, .jp-InputArea")?.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
      }
    };
  }

  // Shift+Enter brings the next cell into sight, and JupyterLab does so again when the panel has come: a panel that is
  // new keeps its first control in sight all the same, until the reader scrolls.
  function keeper(box) {
    const seen = new WeakSet(box.querySelectorAll(".acc-panel"));
    let fresh = null, until = 0;
    for (const kind of ACTS) box.addEventListener(kind, () => (until = 0), { passive: true });
    return () => {
      for (const panel of box.querySelectorAll(".acc-panel")) {
        if (!seen.has(panel)) [fresh, until] = [panel, performance.now() + SETTLE];
        seen.add(panel);
      }
      if (performance.now() > until || !fresh.closest(".jp-Cell")?.nextElementSibling?.matches(".jp-mod-active")) return;
      const hidden = bar.getBoundingClientRect().bottom + 6 - fresh.getBoundingClientRect().top;
      if (hidden > 0) box.scrollTop -= hidden;
    };
  }

  function draw(root) {
    const tried = model.get("panels"), top = bar.getBoundingClientRect().bottom;
    const line = top + 0.4 * (window.innerHeight - top); // what stands above it has been looked at
    const shown = [...root.querySelectorAll(".acc-panel")].map((panel) => panel.closest(".acc-predict") ?? panel)
      .filter((panel) => panel.offsetParent); // what goes deeper waits folded
    const at = Math.min(tried.length, shown.filter((panel) => panel.getBoundingClientRect().top < line).length);
    const [ticked, tasks] = model.get("tasks"), done = model.get("done");
    where.textContent = [
      at ? `panel ${at} of ${tried.length}` : `${tried.length} panel${tried.length === 1 ? "" : "s"}`,
      ...(tasks ? [`tasks ${ticked} of ${tasks}`] : []), ...(at ? [] : [`${model.get("minutes")} minutes`]),
    ].join(", ");
    buttons.forEach((button, place) => {
      const state = done[place] ? "done" : tried[place] ? "tried" : "not tried yet";
      button.className = `acc-${state.replaceAll(" ", "-")}${place === at - 1 ? " acc-here" : ""}`;
      button.disabled = !root.querySelector(`.acc-at-${model.get("places")[place].panel}`);
      button.tabIndex = place === Math.max(at - 1, 0) ? 0 : -1;
      button.title = `${model.get("places")[place].heading}: ${state}`;
      button.setAttribute("aria-label", `panel ${place + 1}, ${button.title}`);
    });
    marks.classList.toggle("acc-crowded", marks.scrollWidth > marks.clientWidth);
  }

  const leave = when(el, () => el, attach);
  return () => {
    leave();
    cancelAnimationFrame(stop);
    watcher?.disconnect();
    bar.remove();
  };
}

// How many questions come back today, with the way to them; nothing where there are none. It is computed when all else stands.
function comesBack(model, el) {
  const link = notebookLink(model, "00_start_here.ipynb", "", "#cell-id=due");
  link.classList.add("acc-bar-due");
  link.addEventListener("click", (event) => arrive(el, "due") && (event.preventDefault(), event.stopImmediatePropagation()), true);
  const draw = () => {
    const due = model.get("due");
    link.hidden = !due;
    link.textContent = `↻ ${due} due`;
    link.title = `${due} question${due === 1 ? "" : "s"} to answer before you forget: about ${due} min`;
  };
  model.on("change:due", draw);
  draw();
  model.send({ ask: "due" });
  return link;
}

// Where in a machine the chapter is: the picture lies over the page until it is closed. Its scenes are sent when it is first opened.
function machine(model, opener, at) {
  const room = node("div"), close = button("Close", () => over.close());
  const over = node("dialog", { class: "acc-scale-over", "aria-label": opener.title }, close, room);
  const scenes = () => model.get("scenes");
  let end = () => {};
  const show = () => scenes().length && (end = toScale(room, scenes(), at));
  over.addEventListener("keydown", (event) => event.stopPropagation());
  over.addEventListener("close", () => {
    model.off("change:scenes", show);
    end();
    over.remove();
    opener.focus();
  });
  opener.after(over);
  over.showModal();
  model.on("change:scenes", show);
  if (!show()) model.send({ ask: "scenes" });
}

// A signal that is aborted when the reader acts for the first time; what a script sends is no act.
function readerActs() {
  const acted = new AbortController();
  for (const kind of ACTS) {
    addEventListener(kind, (event) => event.isTrusted && acted.abort(), { passive: true, capture: true, signal: acted.signal });
  }
  return acted.signal;
}

// Links to notebooks that this server does not have become words, those to a section of one as well.
function plain() {
  for (const link of document.querySelectorAll("a[href*='.ipynb']:not([href*='//'])")) link.replaceWith(...link.childNodes);
}

function wayTo(model, { rel, notebook, words }) {
  const made = notebookLink(model, notebook, SHORT[rel]);
  made.rel = rel;
  made.title = words;
  made.setAttribute("aria-label", words);
  return made;
}

export default { initialize: begun, render, door, comesBack };
