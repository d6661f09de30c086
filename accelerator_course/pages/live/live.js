// The page's half of the live page: draws what the widgets of its room are (room.py), sends back what the reader does. Until
// Python is there, the tables of book.js answer.
(() => {
const here = new URL("../live/", document.currentScript.src), chapter = location.pathname.split("/").at(-1).replace(/\.html$/, "");
const lives = [...document.querySelectorAll(".acc-live[data-cell]")];
if (!lives.length || location.protocol === "file:") return;
const node = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

// ---- Widgets: the contract of anywidget.
const models = new Map(), scripts = new Map();
const manager = { rendermime: { linkHandler: { handleLink: (link, path) => (link.href = paged(path)) } }, context: { path: "" } };
const paged = (path) => path.replace(/\.ipynb/, ".html");
class Model {
  constructor({ id, kind, type }) { Object.assign(this, { id, kind, type, state: {}, heard: new Map(), unsaved: {}, widget_manager: manager }); }
  get(name) { return this.state[name]; }
  set(name, value) {
    for (const [one, to] of typeof name === "string" ? [[name, value]] : Object.entries(name)) {
      this.state[one] = this.unsaved[one] = to;
      this.tell(`change:${one}`);
    }
    return this;
  }
  save_changes() { send(this, this.unsaved); this.unsaved = {}; }
  on(event, act) { for (const one of event.split(" ")) this.heard.set(one, [...(this.heard.get(one) ?? []), act]); }
  off(event, act) { this.heard.set(event, (this.heard.get(event) ?? []).filter((one) => act && one !== act)); }
  tell(event, ...more) { for (const act of this.heard.get(event) ?? []) act(...more); }
  send(content, again = false) { // again: told for a page that is read anew
    if (!again) noted(this, content);
    queue.push({ msg: [this.id, content], again });
    pump();
  }
  update(state) {
    const names = Object.keys(state).filter((name) => !(name in this.unsaved));
    for (const name of names) this.state[name] = state[name];
    for (const name of names) this.tell(`change:${name}`);
    if (names.length) this.tell("change");
  }
}

// ---- Turns: one is under way; of further moves of a control only the last is kept.
const queue = [], ended = []; // who waits until all that was sent is answered
let busy = 0, count = 0;
function send(model, state) {
  const last = queue.at(-1);
  if (last?.set) last.set[model.id] = { ...last.set[model.id], ...state };
  else queue.push({ set: { [model.id]: { ...state } } });
  pump();
}
function pump() {
  if (busy || !queue.length || !python) return;
  busy = ++count;
  python.postMessage({ turn: JSON.stringify({ ...queue.shift(), turn: busy }) });
}
const idle = () => (busy || queue.length ? new Promise((done) => ended.push(done)) : null);

function unpack(value, buffers) {
  if (Array.isArray(value)) return value.map((one) => unpack(one, buffers));
  if (!value || typeof value !== "object") return value;
  if ("@" in value) return models.get(value["@"]);
  if ("#" in value) return new DataView(buffers[value["#"]].buffer);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpack(one, buffers)]));
}

// ---- Python: one worker for all pages of the book, where the browser can share one.
let python = null, ready = null;
// Who keeps what is read (sw.js) is waited for a little: what Python reads is kept from the first visit on.
const worker = navigator.serviceWorker?.register(new URL("../sw.js", here)).then(() => navigator.serviceWorker.ready);
const keeper = Promise.race([worker, new Promise((done) => setTimeout(done, 1000))]).catch(() => {}); // it does without
const waiting = new Map(); // {cell: what is called with the parts that it shows}
function wakePython() {
  return (ready ??= keeper.then(() => new Promise((done, fail) => {
    const address = new URL("worker.js", here);
    const begin = (port) => {
      python = port;
      port.onmessage = (event) => hear(event.data, done, fail);
      port.postMessage({ load: chapter });
    };
    const own = () => {
      const alone = new Worker(address, { type: "module" });
      alone.onerror = fail;
      begin(alone);
    };
    if (!window.SharedWorker) return own();
    const shared = new SharedWorker(address, { type: "module", name: "accelerator-course", extendedLifetime: true });
    shared.onerror = own;
    begin(shared.port);
  })).then(() => (say(""), attend()), (error) => {
    say((accLive.trouble = "Python cannot run in this browser. One control at a time answers all the same."));
    throw error;
  }));
}
addEventListener("pagehide", (event) => event.persisted || python?.postMessage({ bye: true }));

function hear({ stage, text, buffers, failed }, done, fail) {
  if (failed) {
    console.error(failed);
    busy = 0;
    return fail(new Error(failed));
  }
  if (stage === "ready") return done();
  if (stage) return say(`${stage} …`);
  const said = JSON.parse(text);
  for (const entry of said.new) models.set(entry.id, new Model(entry));
  for (const { id, state } of said.new) models.get(id).state = unpack(state, buffers);
  for (const [id, state] of Object.entries(said.set)) models.get(id)?.update(unpack(state, buffers));
  for (const [id, content, more] of said.msg) models.get(id)?.tell("msg:custom", content, more.map((one) => unpack(one, buffers)));
  if (said.failed) console.error(said.failed);
  if (said.cell) {
    waiting.get(said.cell)?.(said);
    waiting.delete(said.cell);
  }
  if (said.done) {
    busy = 0;
    pump();
    if (!busy) for (const done of ended.splice(0)) done();
  }
}

// ---- The light controls; all else is the widget's own script.
const kinds = {
  Box: ["div", "widget-box", (model, el) => {
    fill(model, "children", () => el.replaceChildren(...model.get("children").map(drawn)));
  }],
  Tab: ["div", "widget-tab", (model, el) => {
    const tabs = node("div", { role: "tablist" }), room = node("div");
    const go = (at) => {
      room.replaceChildren(drawn(model.get("children")[at]));
      [...tabs.children].forEach((tab, place) => tab.setAttribute("aria-selected", place === at));
    };
    fill(model, "titles", () => {
      tabs.replaceChildren(...model.get("titles").map((title, place) => {
        const tab = node("button", { type: "button", role: "tab" }, title);
        tab.addEventListener("click", () => go(place));
        return tab;
      }));
      go(0);
    });
    el.append(tabs, room);
  }],
  HTML: ["div", "widget-html", (model, el) => fill(model, "value", () => (el.innerHTML = model.get("value")))],
  Label: ["span", "widget-label", (model, el) => fill(model, "value", () => (el.textContent = model.get("value")))],
  Progress: ["progress", "widget-progress", (model, el) => fill(model, "value", () => Object.assign(el, { max: model.get("max"), value: model.get("value") }))],
  Button: ["button", "widget-button", (model, el) => {
    el.type = "button";
    fill(model, "description", () => (el.textContent = model.get("description")));
    el.title = model.get("tooltip");
    if (model.get("description") === "Reset") el.classList.add("acc-reset");
    el.addEventListener("click", () => model.send("click"));
  }],
  Slider: ["label", "acc-slider", (model, el) => {
    const name = node("span", { class: "widget-label" }), said = node("output", { class: "widget-readout" });
    const range = node("input", { type: "range", min: 0, autocomplete: "off" });
    el.append(name, range, said);
    const show = (at) => {
      said.textContent = model.get("labels")[at];
      range.setAttribute("aria-valuetext", said.textContent);
    };
    fill(model, "description labels index", () => {
      name.textContent = model.get("description");
      range.max = model.get("labels").length - 1;
      range.value = model.get("index");
      show(range.value);
    });
    range.addEventListener("input", () => {
      show(range.value);
      model.state.index = Number(range.value);
      send(model, { index: Number(range.value) });
    });
  }],
  Dropdown: ["label", "acc-menu", (model, el) => {
    const name = node("span", { class: "widget-label" }), menu = node("select", { autocomplete: "off" });
    el.append(name, menu);
    fill(model, "description labels index", () => {
      name.textContent = model.get("description");
      menu.replaceChildren(...model.get("labels").map((text) => node("option", {}, text)));
      menu.selectedIndex = model.get("index");
    });
    menu.addEventListener("change", () => {
      model.state.index = menu.selectedIndex;
      send(model, { index: menu.selectedIndex });
    });
  }],
  Checkbox: ["label", "acc-switch", (model, el) => {
    const box = node("input", { type: "checkbox", autocomplete: "off" }), name = node("span");
    el.append(box, name);
    fill(model, "description value", () => {
      name.textContent = model.get("description");
      box.checked = model.get("value");
    });
    box.addEventListener("change", () => {
      model.state.value = box.checked;
      send(model, { value: box.checked });
    });
  }],
  Any: ["div", "", async (model, el) => {
    const { default: made } = await script(model.type);
    await made.initialize?.({ model });
    made.render({ model, el });
  }],
};
function fill(model, names, act) {
  for (const name of names.split(" ")) model.on(`change:${name}`, act);
  act();
}
function script(type) {
  if (!scripts.has(type)) {
    document.head.append(node("link", { rel: "stylesheet", href: new URL(`widgets/${type}.css`, here) }));
    scripts.set(type, import(new URL(`widgets/${type}.js`, here)));
  }
  return scripts.get(type);
}
function drawn(model) {
  if (model.el) return model.el;
  const [tag, worn, make] = kinds[model.kind] ?? kinds.Box, el = (model.el = node(tag));
  let dressed = [];
  fill(model, "_wears", () => { // what its own script added stays
    el.classList.remove(...dressed);
    dressed = [...worn.split(" "), ...(model.get("_wears") ?? [])].filter(Boolean);
    el.classList.add(...dressed);
  });
  model.drawn = Promise.resolve(make(model, el)).then(() => el);
  return el;
}
const whole = (model) => (drawn(model), Promise.all([model.drawn, ...(model.get("children") ?? []).map(whole)]));

// ---- A cell comes alive where it stands, with the positions that its controls were brought to meanwhile.
const opened = new Map();
let held = null; // what the pointer holds: nothing is put in its place
addEventListener("pointerdown", ({ target }) => (held = target.closest?.(".acc-live")), true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => (held = null), true);
const pause = () => new Promise((done) => setTimeout(done, 30));

function show(live) {
  if (!opened.has(live)) opened.set(live, wakePython().then(() => new Promise((done) => {
    waiting.set(live.dataset.cell, done);
    python.postMessage({ cell: live.dataset.cell });
  })).then((said) => bring(live, said)).catch((error) => console.error(error)));
  return opened.get(live);
}
// A position by what it prints: a table has some more, those that the text asks for.
function placed(live, name, model, at) {
  const labels = model?.get("labels") ?? [], said = live.querySelector(`[data-control="${CSS.escape(name)}"] output`)?.textContent;
  const found = labels.indexOf(said);
  return found < 0 ? Math.min(at, labels.length - 1) : found;
}
// What was done with its questions while they were still: an option or an answer that was unfolded, in the order of doing.
const acts = new Map();
document.addEventListener("toggle", ({ target }) => {
  const card = target.open && target.closest(".acc-live:not([data-live]) .acc-ask"), live = card && card.closest(".acc-live");
  if (!card || target.dataset.kept) return;
  const options = [...card.querySelectorAll(".acc-option")], aside = target.firstElementChild.textContent === "Hint" ? "hint" : "show";
  const act = target.matches(".acc-option") ? { option: options.indexOf(target) } : { ask: aside, show: true };
  acts.set(live, [...(acts.get(live) ?? []), [asks(card), act]]);
  if (!anew(live)) keep(live, (own) => own.acts.push([asks(card), act]));
}, true);
const pressed = new Map(); // the line that was pressed last, unless something was moved since
for (const kind of ["click", "input"]) {
  document.addEventListener(kind, ({ target }) => {
    const live = target.closest?.(".acc-live:not([data-live])"), line = target.closest?.(".acc-lines button");
    if (live && (line || kind === "input" || target.matches(".acc-reset"))) pressed.set(live, line?.textContent);
  }, true);
}
const within = (one) => (one instanceof Model ? [one, ...(one.get("children") ?? []).flatMap(within)] : []);
const ASKS = ["Prediction", "Question", "Decision"];
async function bring(live, { shows = [], failed }) {
  if (failed) return;
  const parts = shows.map((part) => (part.widget ? models.get(part.widget) : part));
  const figure = live.querySelector("figure[data-film]"), find = (type) => parts.flatMap(within).filter((one) => one.type === type);
  live.asked = () => parts.flatMap(within).filter(({ type }) => ASKS.includes(type));
  live.dealt = new Set(live.asked());
  const tell = async ([asked, act], again) => { // the same again, for Python
    const meant = () => live.asked().find((one) => words(one.get("ask")) === asked);
    if (!meant()) live.asked().at(-1)?.send({ ask: "next" }), await idle(); // of several predictions the next
    meant()?.send(act, again);
    await idle();
  };
  for (const one of live.kept?.acts ?? []) await tell(one, true);
  for (const one of parts) if (one instanceof Model) await whole(one);
  for (const [asked, { value, unit }] of live.kept?.acts ?? []) { // what was typed stands in its field
    const [field, menu] = live.asked().find((one) => words(one.get("ask")) === asked)?.el?.querySelectorAll(".acc-fields :is(input, select)") ?? [];
    if (field && typeof value === "string") field.value = value, menu && (menu.value = unit);
  }
  for (const one of live.dealt) for (const name of ["feedback", "said"]) one.on(`change:${name}`, () => replied(live, one));
  for (const one of find("Card")) { // a bench
    const [ran, verdict] = live.kept?.run ?? [];
    if (verdict && ran === one.get("text")) one.update({ verdict });
    one.on("change:verdict", () => keep(live, (own) => (own.run = [one.get("text"), one.get("verdict")])));
  }
  for (const one of find("Tasks")) one.on("change:done", () => keep(live, (own) => (own.lines = one.get("lines").filter((_, place) => one.get("done")[place]))));
  const holds = () => held === live || (live.contains(document.activeElement) && document.activeElement.matches("textarea"));
  let moved = null, told = 0;
  for (;;) { // the reader goes on while Python answers
    const now = figure?.accMoved?.() ?? {}, did = acts.get(live) ?? [];
    if (!holds() && told === did.length && JSON.stringify(now) === JSON.stringify(moved)) break;
    if (!holds()) {
      const guessed = told < did.length;
      for (const one of did.slice(told)) await tell(one, false);
      told = did.length;
      if (live.querySelector(".acc-cover[open]")) for (const veil of find("Veil")) if (veil.get("state") === "asked") veil.send({ open: true }); // by a link
      if (guessed && Object.keys(now).length) parts.flatMap(within).find((one) => one.kind === "Button" && one.get("description") === "Reset")?.send("click");
      await idle(); // what a guess and a reset moved has come back: it must not come after what is told next
      moved = now;
      const names = shows[0]?.controls ?? {};
      for (const [name, at] of Object.entries(moved)) {
        const model = models.get(names[name]);
        const there = model?.kind === "Checkbox" ? { value: Boolean(at) } : { index: placed(live, name, model, at) };
        if (model) model.update(there), send(model, there);
      }
      await idle();
    } else await pause();
  }
  const line = pressed.get(live), ticked = [...live.querySelectorAll(".acc-ticked")].map((line) => line.textContent);
  for (const tasks of find("Tasks")) {
    if (line && !ticked.includes(line)) tasks.send({ press: tasks.get("lines").indexOf(line) }); // it waited for Python
    if (ticked.length) tasks.send({ done: ticked.map((line) => tasks.get("lines").indexOf(line)) });
    if (live.nextElementSibling?.matches(".acc-cover[open]")) tasks.send({ tell: true }); // what was seen was read
  }
  await idle();
  const typed = live.querySelector("textarea")?.value, before = live.kept?.text, unfolded = live.querySelector(":scope > .acc-fold[open], .acc-ask:has(textarea) > .acc-fold[open]");
  for (const explain of typed && typed !== before ? find("Explain") : []) {
    const text = before ? typed : [explain.get("text"), typed].filter(Boolean).join("\n"), [box, model] = drawn(explain).querySelectorAll("textarea, details");
    box.value = text;
    explain.send({ text });
    keep(live, (own) => (own.text = text));
    await idle();
    model.open = Boolean(unfolded);
  }
  const had = live.contains(document.activeElement) && document.activeElement, focus = had && twin(live, had), steady = eye(live);
  if (live.clientHeight < innerHeight) live.style.minHeight = `${live.clientHeight}px`; // what is below stays
  live.replaceChildren(...parts.map((one) => (one instanceof Model ? drawn(one) : shown(one.html))));
  live.dataset.live = "yes";
  opens(live);
  if (unfolded) live.querySelector(".acc-fold-line")?.click(); // the warm-up
  for (const [name, id] of Object.entries(shows[0]?.controls ?? {})) models.get(id).el.dataset.control = name;
  if (had) again(focus, () => live.querySelector(".acc-feedback, .acc-screen")); // a radio rests once it has answered
  steady();
}
// The keyboard goes to what find() gives, once it can be reached, which takes a frame or two; else to what other() gives.
function again(find, other, left = 10) {
  if (document.activeElement !== document.body) return;
  (left ? find() : other())?.focus({ preventScroll: true });
  if (left) requestAnimationFrame(() => again(find, other, left - 1));
}
// What Python draws in place of a part that the page has drawn: called when that is there.
const TWINS = [
  [".acc-lines button", ".acc-tasks li button"], [".acc-option > summary", ".acc-option input"], [".acc-reset", ".acc-reset"], ["textarea", "textarea"],
  [".acc-stage :is(button, input, select, .acc-screen)", ".acc-stage :is(button, input, select, .acc-screen)"],
  [".acc-ask", ".acc-question"], [".acc-frame", ".acc-picture"],
];
function twin(live, one) {
  const name = one.closest("[data-control]")?.dataset.control, [still, now] = TWINS.find(([still]) => one.matches(still)) ?? [];
  const place = still ? [...live.querySelectorAll(still)].indexOf(one) : -1;
  return () => live.querySelectorAll(name ? `[data-control="${CSS.escape(name)}"] :is(input, select)` : now ?? "none")[Math.max(place, 0)];
}
// What is under the reader's eye stays there: what has the focus, else what is in the middle of the window; of what is
// replaced its nearest part. Returns what sees to it, for as long as pictures find their size.
let free = () => {};
function eye(live) {
  const box = (part) => part.getBoundingClientRect(), middle = innerHeight / 2, article = box(live);
  const seen = (part) => part?.offsetParent && box(part).bottom > 0 && box(part).top < innerHeight, off = (part) => Math.abs(box(part).top - middle);
  const active = document.activeElement, at = document.elementFromPoint(article.left + article.width / 2, middle);
  let part = active !== document.body && seen(active) ? active : at, now = () => part;
  if (!part || part.contains(live)) [part, now] = article.bottom < middle ? [live.nextElementSibling, () => live.nextElementSibling] : [null];
  else if (live.contains(part)) {
    const parts = [...live.querySelectorAll(["[data-control] :is(input, select)", ...TWINS.map(([still]) => still)].join())].filter(seen);
    part = parts.find((one) => one === active) ?? parts.sort((one, other) => off(one) - off(other))[0];
    now = part && twin(live, part);
  }
  if (!part) return () => {};
  const was = box(part).top;
  return () => {
    const { style } = document.documentElement, moves = ["wheel", "touchmove", "keydown", "pointerdown"];
    let left = 30; // frames
    free();
    free = () => ((left = 0), (style.overflowAnchor = ""), moves.forEach((kind) => removeEventListener(kind, free)));
    style.overflowAnchor = "none"; // the browser would do it as well, by another part
    moves.forEach((kind) => addEventListener(kind, free, { passive: true }));
    const end = free, hold = () => {
      if (left && now()?.offsetParent) scrollBy(0, box(now()).top - was);
      if (left-- > 0) requestAnimationFrame(hold);
      else if (free === end) end();
    };
    hold();
  };
}
const shown = (html) => {
  const made = node("div", { class: "acc-said" });
  made.innerHTML = html;
  return made;
};
// The widgets' scripts know JupyterLab's cells: here a cell is what a code cell shows, and "What you saw". That was folded
// behind the static question; from now on the live one folds it (veil.js, tasks.js).
document.querySelector("article").classList.add("jp-Notebook");
const celled = (...parts) => node("div", { class: "jp-Cell jp-MarkdownCell" }, node("div", { class: "jp-RenderedHTMLCommon jp-RenderedMarkdown" }, ...parts));
for (const saw of document.querySelectorAll(".acc-saw")) saw.replaceWith(celled(...saw.childNodes));
for (const live of lives) live.classList.add("jp-Cell", "jp-CodeCell");
for (const phrase of document.querySelectorAll("[data-lit]")) phrase.replaceWith(node("a", { href: `#lit-${phrase.dataset.lit}` }, ...phrase.childNodes));
function opens(live) {
  const next = live.nextElementSibling;
  if (!next?.matches("details.acc-cover") || next.firstElementChild.textContent !== "What you saw") return;
  next.querySelector("summary").remove();
  next.replaceWith(celled(...next.childNodes));
}

// ---- What was answered is kept by the page as well: read anew it shows that at once, and tells Python when that comes.
const KEY = `accelerator-course ${chapter}`;
const stores = (act) => { try { return act(localStorage); } catch { return null; } };
const answers = () => stores((store) => JSON.parse(store.getItem(`${KEY} answers`))) ?? {};
function keep(live, change) {
  const all = answers(), own = { acts: [], said: {}, lines: [], ...all[live.dataset.cell] };
  change(own);
  stores((store) => store.setItem(`${KEY} answers`, JSON.stringify({ ...all, [live.dataset.cell]: own })));
}
// A question by its words: the position of a number that it asks for is drawn from them as well.
function words(html) {
  const made = node("div");
  made.innerHTML = html;
  return flat(made.textContent);
}
const flat = (text) => text.replace(/\s+/g, " ").trim();
const asks = (card) => flat(card.querySelector(".acc-stem, .acc-case").textContent);
const anew = (live) => live.firstElementChild?.matches(".acc-fold"); // a warm-up asks what is due
function noted(model, content) {
  const live = model.el?.closest(".acc-live"), of = live?.asked?.() ?? [];
  if (!live || anew(live)) return;
  if (model.type === "Explain") keep(live, (own) => (own.text = content.text));
  else if (of.includes(model) && ["hint", "show", undefined, model.type === "Question" ? "again" : ""].includes(content.ask)) {
    keep(live, (own) => own.acts.push([words(model.get("ask")), content])); // asked again, the page draws the same again
  }
}
const afresh = ([, act]) => act.ask === "again"; // other questions were asked for
function replied(live, model) {
  const said = model.get("said") || (model.get("feedback") ?? []).map((part) => (part.html ? `<p>${part.html}</p>` : "")).join("");
  if (said) keep(live, (own) => (own.said[words(model.get("ask"))] = said));
}
function remind(live) {
  const kept = (live.kept = answers()[live.dataset.cell]), cards = [...live.querySelectorAll(".acc-ask")];
  if (!kept) return;
  if (kept.acts.some(afresh)) return cards[0]?.before(shown("<p>The new questions that you asked for come with Python.</p>"));
  const open = (fold) => fold && !fold.open && ((fold.dataset.kept = "yes"), (fold.open = true));
  for (const [asked, act] of kept.acts) {
    const card = cards.find((one) => asks(one) === asked), folds = [...(card?.querySelectorAll(".acc-fold") ?? [])];
    if (!card) continue;
    const hint = folds.find((one) => one.firstElementChild.textContent === "Hint");
    if ("option" in act) open(card.querySelectorAll(".acc-option")[act.option]);
    else if (act.ask) open(act.ask === "hint" ? hint : folds.find((one) => one !== hint));
    else if (kept.said[asked]) {
      const given = act.guess ? `${act.guess}, between ${act.low} and ${act.high}` : Array.isArray(act.value) ? "" : [act.value, act.unit].join(" ");
      card.querySelector(".acc-kept")?.remove();
      card.append(shown(`${given && "<p>You answered <strong></strong>.</p>"}${kept.said[asked]}`));
      card.lastChild.classList.add("acc-kept");
      if (given) card.lastChild.querySelector("strong").textContent = given.trim();
    }
    for (let fold = card.parentElement.closest(".acc-live details"); fold; fold = fold.parentElement.closest(".acc-live details")) open(fold);
  }
  if (kept.text) live.querySelector("textarea").value = kept.text;
  if (kept.run && live.querySelector(".acc-where")) { // a bench
    live.querySelector(".acc-ask pre:last-of-type").textContent = kept.run[0];
    live.querySelector(".acc-where").textContent = `Your last run said: ${kept.run[1].said.replaceAll("`", "")}`;
  }
  const known = kept.acts.map(([asked]) => asked);
  if (cards.length && cards.every((card) => known.includes(asks(card)))) for (const cover of live.querySelectorAll(".acc-cover")) cover.open = true;
  for (const line of live.querySelectorAll(".acc-lines button")) if (kept.lines.includes(line.textContent)) line.classList.add("acc-ticked");
  live.querySelector("figure[data-film]")?.accSeen?.();
}
document.addEventListener("acc-tick", ({ target }) => {
  const live = target.closest(".acc-live");
  if (live) keep(live, (own) => own.lines.push(target.textContent));
});
document.addEventListener("input", ({ target }) => {
  const live = target.matches(".acc-ask textarea") && target.closest(".acc-live:not([data-live])");
  if (live) keep(live, (own) => (own.text = target.value));
});

// ---- An exercise is written on the page.
function exercise(live) {
  const code = live.querySelector("pre"), key = `${KEY} ${live.dataset.cell}`;
  const text = node("textarea", { class: "acc-write", spellcheck: "false", autocomplete: "off", "aria-label": "your code" });
  const run = node("button", { type: "button" }, "Run"), back = node("button", { type: "button" }, "Start over"), out = node("div", { class: "acc-said", role: "status" });
  const blank = code.textContent.trimEnd();
  const high = () => (text.rows = Math.max(3, text.value.split("\n").length + 1));
  text.value = stores((store) => store.getItem(key)) ?? blank;
  high();
  text.addEventListener("input", () => (stores((store) => store.setItem(key, text.value)), high()));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey)) event.preventDefault(), run.click();
  });
  back.addEventListener("click", () => ((text.value = blank), stores((store) => store.removeItem(key)), high()));
  run.addEventListener("click", async () => {
    run.disabled = true;
    out.textContent = "Running …";
    try {
      await wakePython();
      const said = await new Promise((done) => {
        waiting.set(live.dataset.cell, done);
        python.postMessage({ run: [live.dataset.cell, text.value] });
      });
      if (said.failed) out.textContent = `This could not be checked: ${said.failed}`; // no silence, whatever broke
      else out.replaceChildren(...(said.shows ?? []).map(({ html = "", widget }) => (widget ? drawn(models.get(widget)) : shown(html))));
      if (!said.failed) keep(live, (own) => (own.run = [text.value, out.querySelector("svg, canvas") ? "" : out.innerHTML]));
    } catch {
      out.textContent = "Python cannot run in this browser.";
    }
    run.disabled = false;
  });
  (code.closest("div[class*=highlight-]") ?? code).replaceWith(node("div", { class: "acc-written" }, text, node("div", { class: "acc-buttons" }, run, back), out));
  const [ran, said] = answers()[live.dataset.cell]?.run ?? [];
  if (said) out.append(node("p", { class: "acc-told" }, ran === text.value ? "Your last run said:" : "Your last run, of another text, said:"), shown(said));
}

// ---- When Python is woken: at the first touch of what is live; while the reader rests, where the connection is fast.
const status = node("p", { class: "acc-python", role: "status", hidden: "" });
document.body.append(status);
function say(text) {
  status.textContent = text;
  status.hidden = !text;
}
const run = (live) => live.querySelector("figure.acc-run");
const still = (live) => run(live) && !Object.keys(run(live).accMoved?.() ?? {}).length; // it plays without Python
window.accLive = { wake: (live) => (still(live) ? void wakePython().catch(() => {}) : void show(live)), models, show };
const head = document.querySelector(".acc-head");
if (head) head.textContent = "Every control, question and exercise answers on this page. Python comes to your browser with your first touch; what you answer is kept here.";
for (const where of document.querySelectorAll(".acc-where")) where.textContent = "Touch it: you write it here, and here it is run and judged.";
for (const note of document.querySelectorAll(".acc-exercise-note p:first-child")) note.textContent = "Yours to write. Run it, and it is checked here.";
for (const live of lives) {
  remind(live);
  if (live.dataset.exercise !== undefined) exercise(live);
  else for (const kind of ["pointerdown", "focusin", "input", "click"]) live.addEventListener(kind, () => live.dataset.live || accLive.wake(live));
}
const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (isIntersecting && !target.dataset.live && !still(target) && target.dataset.exercise === undefined && !target.querySelector("details[open]:not([data-kept], .acc-cover)")) show(target);
  }
}, { rootMargin: "300px" });
const metered = () => navigator.connection?.saveData || (navigator.connection?.downlink ?? 10) < 5;
function early() {
  for (const kind of ["scroll", "pointermove", "keydown"]) removeEventListener(kind, early);
  (window.requestIdleCallback ?? setTimeout)(() => metered() || wakePython().catch(() => {}));
}
for (const kind of ["scroll", "pointermove", "keydown"]) addEventListener(kind, early, { passive: true });
document.addEventListener("acc-way", ({ detail }) => (location.href = `${paged(detail.notebook)}#panel-${detail.panel}`));
// The door of the chapter's bar, which this page does not have, beside the way to the machine; it opens when Python is there.
const CHOSEN = "accelerator-course yours", chosen = (names) => names.join(", ") || "your model or chip";
const knock = node("button", { type: "button", class: "acc-knock" }, chosen(stores((store) => JSON.parse(store.getItem(CHOSEN))) ?? []));
knock.addEventListener("click", () => {
  knock.disabled = true;
  wakePython().then(hang).then((door) => {
    door.querySelector("details").open = true;
    door.querySelector("textarea").focus({ preventScroll: true });
  }).catch(() => (knock.disabled = false));
});
const place = document.querySelector("details.acc-scaled"), doors = node("div", { class: "acc-doors" });
(place ?? head)?.[place ? "before" : "after"](doors);
doors.append(...[place, knock].filter(Boolean));
let hung = null;
const hang = () => (hung ??= (async () => {
  const said = await new Promise((done) => {
    waiting.set("bar", done);
    python.postMessage({ cell: "bar" });
  });
  const model = models.get(said.shows[0].widget), { default: made } = await script(model.type), door = made.door(model), due = made.comesBack(model, head ?? place);
  const note = () => stores((store) => store.setItem(CHOSEN, JSON.stringify(model.get("yours")))); // the next page says it at once
  model.on("change:yours", note);
  note();
  due.href += "#where-you-stand";
  knock.replaceWith(door, due);
  return door;
})());
const attend = () => (hang().catch((error) => console.error(error)), lives.forEach((live) => near.observe(live)));
})();
