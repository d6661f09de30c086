// One open notebook of the course: its button runs it as soon as Python is there, says how far it is, and keeps the place;
// one bar at the foot of the page offers that, and says when Python is gone.
export const RUN = "accelerator-course:run";
const BUTTON = "button[data-commandlinker-command='notebook:run-all-cells']"; // in the notebook's text: there before anything ran
const NOT_YET = ["initializing", "connecting", "unknown", "starting", "restarting", "autorestarting"];
const GONE = ["dead", "restarting", "autorestarting"];
const PATIENCE = 90_000, LOOK = 100, STAY = 1500; // ms: for Python to come; between two looks; that the page goes on growing
const LAID_OUT = 4000, BACK = 15_000; // ms: until a page that opens stands; for pictures to come back
const FIRST = 2; // a Python that counts further has run something
const ACTS = ["wheel", "pointerdown", "keydown"]; // of a reader

// Its signal is aborted when a reader first acts within a node.
function until(node) {
  const acted = new AbortController();
  for (const kind of ACTS) node.addEventListener(kind, () => acted.abort(), { passive: true, capture: true, once: true });
  return acted;
}

export class Chapter {
  // The button tells a notebook of the course from any other.
  static is = (panel) => [...panel.content.model.cells].some((cell) => cell.getMetadata("tags")?.includes("run") &&
    cell.sharedModel.getSource().includes("notebook:run-all-cells"));

  constructor(panel, actions) {
    Object.assign(this, { panel, actions, state: "new", asleep: false });
    this.bar = new Bar(panel.node);
    panel.node.classList.add("acc-chapter"); // shell.css: prose and folded code look as they will when it has run
    panel.node.addEventListener("acc-asleep", () => this.asleep && !this.busy && this.bar.element.hidden && this.gone()); // used in vain
    panel.node.addEventListener("click", ({ target }) => this.unfolded(target.closest?.(".jp-InputPlaceholder")), true);
    // Before JupyterLab hears of it: it would run what there is of Python now, and go to the last cell.
    panel.node.addEventListener("click", (event) => {
      if (!event.target.closest?.(BUTTON) || !this.trusted) return;
      event.preventDefault();
      event.stopPropagation();
      this.press();
    }, true);
    new MutationObserver(() => this.label()).observe(panel.content.node, { childList: true, subtree: true });
    panel.sessionContext.statusChanged.connect((_, status) => GONE.includes(status) && this.gone(status));
    panel.sessionContext.kernelChanged.connect((_, { oldValue, newValue }) => oldValue && this.gone(newValue ? "restarting" : "shut"));
    const wakes = (_, { notebook }) => notebook === panel.content && !this.busy && this.bar.close();
    actions.executionScheduled.connect(wakes);
    panel.disposed.connect(() => actions.executionScheduled.disconnect(wakes)); // or a closed notebook would be kept for ever
    if (panel._onSessionStatusChanged) { // it asks for a press to say what the bar says
      panel.sessionContext.statusChanged.disconnect(panel._onSessionStatusChanged, panel);
    }
    if (panel.content.model.getMetadata("made_from")) this.offer();
    this.label();
  }

  get trusted() {
    return [...this.panel.content.model.cells].every((cell) => cell.type !== "code" || cell.trusted);
  }
  get words() {
    return { new: this.own, ready: "Ready: to the first picture", stopped: "Stopped at an error: show it" }[this.state] ?? this.state;
  }
  get named() { // what its button says
    const button = [...this.panel.content.model.cells].map((cell) => cell.sharedModel.getSource().match(/<button[^>]*run-all-cells[^>]*>([^<]*)/));
    return button.find(Boolean)?.[1] ?? "▶ Run this chapter";
  }
  get busy() {
    return !["new", "ready", "stopped"].includes(this.state);
  }

  offer() {
    const wakes = () => this.bar.say("The pictures come to life when the chapter runs.", this.named, () => this.press());
    const idle = () => this.state === "new" && !this.asleep;
    const back = new MutationObserver(() => { // after a reload they come back by themselves, a little later
      if (!this.panel.node.querySelector(".acc-bar")) return;
      back.disconnect();
      if (!idle()) return;
      this.bar.close();
      this.says("ready");
    });
    back.observe(this.panel.content.node.parentElement, { childList: true, subtree: true });
    if (!this.panel.content.widgets.some((cell) => cell.model.type === "code" && cell.model.outputs.length)) return wakes();
    this.lives().then((lives) => {
      if (!idle()) return;
      if (!lives) return wakes();
      this.bar.progress("Your pictures are coming back …");
      setTimeout(() => idle() && wakes(), BACK);
    }, wakes);
  }
  // Whether Python has run anything before this page came: then it still holds what is shown.
  async lives() {
    const { sessionContext } = this.panel;
    await sessionContext.ready;
    const asked = sessionContext.session?.kernel?.requestExecute({ code: "", silent: true, store_history: false });
    return (await asked?.done)?.content.execution_count > FIRST;
  }

  // To a section that was asked for in another notebook; when the chapter runs, to its panel. Until the reader acts.
  lead({ section, panel }) {
    if (this.state === "ready" && this.panel.node.querySelector(`.acc-at-${panel}`)) return this.reach(panel);
    const box = this.panel.node.querySelector(".jp-WindowedPanel-outer"), acted = until(box);
    const there = () => this.panel.content.widgets.find((cell) => cell.model.id === section)?.node;
    const go = () => acted.signal.aborted || there()?.scrollIntoView({ block: "start" });
    const sizes = new ResizeObserver(go);
    sizes.observe(box.querySelector(".jp-WindowedPanel-viewport") ?? box.firstElementChild);
    acted.signal.addEventListener("abort", () => sizes.disconnect(), { once: true });
    setTimeout(() => sizes.disconnect(), LAID_OUT);
    go();
    this.wanted = panel; // run() goes there
  }

  // To a panel, as soon as it is drawn and the place is no longer held; not when the reader has gone elsewhere by then.
  reach(panel) {
    const end = performance.now() + BACK, acted = until(this.panel.node);
    const look = () => {
      const led = this.panel.node.querySelector(`.acc-at-${panel}`);
      if (acted.signal.aborted || performance.now() > end) return;
      if (led?.offsetParent) this.show(led.closest(".acc-predict") ?? led);
      else setTimeout(look, LOOK);
    };
    setTimeout(look, STAY + LOOK);
  }

  label() {
    const button = this.panel.node.querySelector(BUTTON);
    if (!button) return;
    this.own ??= button.textContent;
    if (button.hasAttribute("aria-live") && button.textContent === this.words) return; // asked at every change of the page
    button.textContent = this.words;
    button.setAttribute("aria-live", "polite");
    button.setAttribute("aria-busy", this.busy);
    this.panel.node.classList.toggle("acc-begun", this.state !== "new");
  }
  says(state) {
    this.state = state;
    this.label();
    this.bar.progress(this.busy ? state : "");
  }

  press() {
    if (this.state === "ready") return this.show(this.panel.node.querySelector(".acc-predict, .acc-panel"));
    if (this.state === "stopped") return this.show(this.failed?.node);
    if (!this.busy) return this.run();
  }
  show(node) {
    node?.scrollIntoView({ block: "start" });
    node?.querySelector(".noUi-handle, select, input, button")?.focus({ preventScroll: true });
  }

  // Runs every code cell. `at`: what stays where it is on the page; else what is at its top.
  async run(at) {
    const { content, sessionContext } = this.panel;
    this.says("Starting Python …");
    try {
      await this.python();
    } catch (error) {
      this.says("new");
      return this.bar.say(`Python did not start: ${error.message}.`, "Try again", () => this.run(at));
    }
    const cells = content.widgets.filter((cell) => cell.model.type === "code" && cell.model.sharedModel.getSource().trim());
    const rooms = new Map(cells.map((cell) => [cell, cell.outputArea.node.closest(".jp-Cell-outputWrapper") ?? cell.outputArea.node]));
    let done = 0;
    this.failed = null;
    const count = (_, { notebook, cell, success }) => {
      if (notebook !== content || !cells.includes(cell)) return;
      if (!success) this.failed ??= cell;
      setTimeout(() => rooms.get(cell)?.style.removeProperty("min-height"), STAY);
      this.says(`Running ${Math.min(++done + 1, cells.length)} of ${cells.length}`);
    };
    this.asleep = false;
    this.says(`Running 1 of ${cells.length}`);
    this.actions.executed.connect(count);
    const letGo = this.hold(at);
    for (const room of rooms.values()) room.style.minHeight = getComputedStyle(room).height; // all are emptied at once
    try {
      content.scrollToItem = async () => {}; // to the active cell, wherever the reader is
      const running = this.actions.runCells(content, cells, sessionContext);
      delete content.scrollToItem;
      const whole = await running;
      this.says(this.asleep ? "new" : whole ? "ready" : "stopped");
      if (this.wanted) this.reach(this.wanted);
      this.wanted = null;
    } finally {
      delete content.scrollToItem;
      this.actions.executed.disconnect(count);
      if (this.failed || this.asleep) for (const room of rooms.values()) room.style.removeProperty("min-height");
      if (!this.asleep) this.panel.node.classList.remove("acc-lost");
      setTimeout(letGo, STAY);
    }
  }

  async python() {
    const { context, sessionContext } = this.panel;
    await context.ready;
    await sessionContext.ready;
    const end = performance.now() + PATIENCE;
    const kernel = sessionContext.session?.kernel;
    if (!kernel) await sessionContext.startKernel();
    else if (kernel.status === "dead") await sessionContext.restartKernel();
    await sessionContext.session?.kernel?.info;
    while (NOT_YET.includes(sessionContext.kernelDisplayStatus)) {
      if (performance.now() > end) throw new Error("it has not answered for a minute and a half");
      await new Promise((next) => setTimeout(next, LOOK));
    }
    if (!sessionContext.session?.kernel) throw new Error("no kernel is chosen");
  }

  // The first cell that begins in sight stays there while cells above it grow, until the reader acts.
  hold(at) {
    const box = this.panel.node.querySelector(".jp-WindowedPanel-outer");
    const top = box.getBoundingClientRect().top, acted = until(box);
    const cells = [...box.querySelectorAll(".jp-Cell")], end = top + box.clientHeight;
    const found = cells.find((one) => one.getBoundingClientRect().bottom > top + 1), next = found?.nextElementSibling;
    const cell = at?.closest(".jp-Cell") ?? (next && next.getBoundingClientRect().top < end - 60 ? next : found);
    if (!cell) return () => {};
    const place = () => cell.getBoundingClientRect().top - top, before = place(), start = box.scrollTop;
    const keep = () => {
      if (start < 1) box.scrollTop = 0;
      else if (Math.abs(place() - before) > 1) box.scrollTop += place() - before;
    };
    const sizes = new ResizeObserver(keep);
    sizes.observe(box.querySelector(".jp-WindowedPanel-viewport") ?? box.firstElementChild);
    box.addEventListener("scroll", () => acted.signal.aborted || keep(), { passive: true, signal: acted.signal });
    const letGo = () => (sizes.disconnect(), acted.abort());
    const leaves = ({ target }) => target.closest?.(".jp-TableOfContents") && letGo(); // a line of the contents leads elsewhere
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, leaves, { capture: true, signal: acted.signal });
    acted.signal.addEventListener("abort", letGo, { once: true });
    return letGo;
  }

  // Folded code that was opened is folded again from where it was opened.
  unfolded(line) {
    const cell = line && this.panel.content.widgets.find((one) => one.node.contains(line));
    if (!cell || cell.node.querySelector(":scope > .acc-fold-code")) return;
    const fold = Object.assign(document.createElement("button"), { type: "button", className: "acc-fold-code", textContent: "hide code" });
    fold.addEventListener("click", () => (fold.remove(), (cell.inputHidden = true)));
    cell.node.append(fold);
  }

  // Python is gone: what it held is gone, what was answered is not.
  gone(status = this.lost) {
    this.lost = status;
    if (this.state === "new" && !this.panel.node.querySelector(".acc-bar")) return; // nothing had run
    this.asleep = true;
    this.panel.node.classList.add("acc-lost");
    if (!this.busy) this.says("new");
    const what = { dead: "Python has stopped.", shut: "Python was shut down." }[status] ?? "Python restarted.";
    this.bar.say(`${what} Your answers are kept.`, "Run again", () => this.run());
  }
}

// A line at the foot of the notebook, over the page: it moves nothing. A live region that is there from the start.
class Bar {
  constructor(node) {
    this.element = document.createElement("div");
    this.element.className = "acc-shell";
    this.element.hidden = true;
    this.text = document.createElement("span");
    this.text.setAttribute("role", "status");
    this.act = Object.assign(document.createElement("button"), { type: "button", className: "jp-mod-styled jp-mod-accept" });
    const close = Object.assign(document.createElement("button"), { type: "button", className: "acc-shell-close", textContent: "×", title: "Close this line" });
    close.setAttribute("aria-label", close.title);
    close.addEventListener("click", () => this.close());
    this.act.addEventListener("click", () => this.then?.());
    this.element.append(this.text, this.act, close);
    node.append(this.element);
  }
  say(text, name, then) {
    this.then = then;
    this.text.textContent = text;
    this.act.textContent = name;
    this.act.hidden = false;
    this.element.hidden = false;
  }
  progress(text) {
    this.text.textContent = text;
    this.act.hidden = true;
    this.element.hidden = !text;
  }
  close() {
    this.element.hidden = true;
  }
}
