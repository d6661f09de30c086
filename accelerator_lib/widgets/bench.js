// A rung: what is asked, an editor, and what is said of a run. Everything that was typed is shown as text, never as HTML.
const PAUSE = 1200; // ms without a key before a draft is kept
let benches = 0;

function render({ model, el }) {
  const name = `acc-kernel-${++benches}`;
  const told = model.get("rung");
  const button = (label, act, attributes = {}) => {
    const made = node("button", { type: "button", ...attributes, ...quiet }, label);
    made.addEventListener("click", act);
    return made;
  };
  const listing = (text, label) => node("pre", { class: "acc-code", tabindex: "0", "aria-label": label, ...quiet }, text);
  // Words between backticks as code; all of it is text.
  const marked = (text) => text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? node("code", {}, part) : part));
  const ask = (what) => () => model.send({ ask: what });

  const title = node("p", { class: "acc-ask", id: name }, told.title);
  const task = node("div", { class: "acc-said" });
  task.innerHTML = told.task; // made in Python from Markdown, every tag of the author's escaped
  const keys = node("p", { class: "acc-keys", id: `${name}-keys` }, "Tab indents; Escape, then Tab, leaves the editor. Ctrl + Enter runs.");
  const editor = written(`kernel: ${told.title}`, `${name}-keys`, { changed: typed, left: save, run });
  const saved = node("p", { class: "acc-saved", role: "status" });
  const go = button("Run", run, { class: "acc-main" });
  const again = button("Start again", restart);
  const hint = button("Hint", ask("hint")), replay = button("Replay", ask("replay")), step = button("", ask("step"));
  const verdict = node("div", { class: "acc-feedback acc-verdict", role: "status", "aria-live": "polite" });
  const bars = node("div", { class: "acc-scores" });
  const hints = node("ol", { class: "acc-hints", role: "status" });
  const note = node("p", { class: "acc-note", role: "status" });
  const counters = node("details", {}, node("summary", quiet, "Counters, by array and by line"));
  const cuda = node("details", {}, node("summary", quiet, "The same kernel as CUDA C"));
  const steps = node("div", { class: "acc-worked" });
  const token = node("textarea", { readonly: "", rows: 1, "aria-label": "token of your kernels", ...quiet });
  const copy = button("Copy the token", async () => {
    token.select();
    note.textContent = (await copied(token.value)) ? "Token copied." : "The token is selected: copy it.";
  });
  const missing = node("p", { class: "acc-note" });
  const share = node("details", {}, node("summary", quiet, "Token: your best kernels in one line"),
    node("p", {}, "It holds no score: whoever reads it runs the kernels again."), missing, node("div", { class: "acc-number" }, token, copy));
  const card = node("section", { class: "acc-question acc-kernel", "aria-labelledby": name }, title, node("p", { class: "acc-kicker" }, told.after), task,
    node("p", { class: "acc-goal" }, told.goal, ...told.constants.flatMap((each) => [" · ", node("code", {}, each)])),
    node("div", {},
      node("div", { class: "acc-spec" }, node("p", { class: "acc-kicker" }, "What it must do, as NumPy"), listing(told.specification, "specification")),
      node("div", {}, node("p", { class: "acc-kicker" }, told.yours), editor.element, keys)),
    node("div", { class: "acc-buttons" }, go, hint, replay, again), saved, verdict, bars, hints, note, counters, cuda, share, steps, step);
  el.replaceChildren(card);
  card.addEventListener("keydown", (event) => event.stopPropagation());

  let timer, before = null, running = false;
  function save() {
    clearTimeout(timer);
    if (!running && (editor.text !== model.get("text") || model.get("saved") === "no")) model.send({ draft: editor.text });
  }
  function typed() {
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
    before = null;
    again.textContent = "Start again";
    if (editor.text !== model.get("text")) saved.textContent = "Not saved yet …";
  }
  function run() {
    if (running) return;
    clearTimeout(timer);
    running = true;
    go.setAttribute("aria-disabled", "true");
    verdict.dataset.verdict = "";
    verdict.replaceChildren(node("p", {}, "Running on all sizes …"));
    model.send({ run: editor.text });
  }
  // The blank kernel; and back, until something is typed.
  function restart() {
    const kept = before;
    before = kept === null ? editor.text : null;
    editor.put(kept ?? told.blank);
    again.textContent = kept === null ? "Bring my kernel back" : "Start again";
    save();
    editor.box.focus();
  }

  function tell() {
    const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const said = {
      "": "", before: "Kept from before.", yes: `✔ Saved at ${time}`, no: "Could not be saved: the folder is not writable.",
    };
    if (editor.text === model.get("text")) saved.textContent = said[model.get("saved")];
  }
  const WORD = { wrong: "✘ Not right yet.", right: "✔ Right.", star: "★ Right." };
  function judged() {
    const { mark, said, line } = model.get("verdict");
    running = false;
    go.removeAttribute("aria-disabled");
    if (!mark) return;
    verdict.dataset.verdict = mark === "wrong" ? "wrong" : "right";
    verdict.replaceChildren(node("p", {}, node("strong", {}, WORD[mark]), " ", ...marked(said)));
    editor.blame(line ?? 0);
  }
  function scored() {
    const all = model.get("bars"), most = Math.max(...all.map(({ value }) => value), 1);
    bars.replaceChildren(...all.map(({ name, value, words }) => {
      const bar = node("i", { "data-of": name, "aria-hidden": "true" });
      bar.style.width = `${(100 * value) / most}%`;
      return node("p", {}, node("span", {}, name), node("span", { class: "acc-track" }, bar), node("span", {}, words));
    }));
    bars.hidden = !all.length;
  }
  function hinted() {
    hints.replaceChildren(...model.get("hints").map((text) => node("li", {}, ...marked(text))));
    hints.hidden = !model.get("hints").length;
    hint.hidden = !model.get("more_hints");
    hint.textContent = model.get("hints").length ? "Another hint" : "Hint";
  }
  function counted() {
    const tables = model.get("tables").map(({ caption, head, rows }) => node("div", { class: "acc-counters", tabindex: "0", ...quiet },
      node("table", { class: head.includes("text") ? "acc-lines" : "" }, node("caption", {}, caption),
        node("thead", {}, node("tr", {}, ...head.map((word) => node("th", { scope: "col" }, word)))),
        node("tbody", {}, ...rows.map((row) => node("tr", {}, ...row.map((word, i) => node(i ? "td" : "th", i ? {} : { scope: "row" }, word))))))));
    counters.replaceChildren(counters.firstChild, node("p", { class: "acc-busiest" }, model.get("busiest")), ...tables);
    counters.hidden = !tables.length;
  }
  function printed() {
    cuda.replaceChildren(cuda.firstChild, listing(model.get("cuda"), "CUDA C"));
    cuda.hidden = !model.get("cuda");
  }
  function shared() {
    token.value = model.get("token");
    share.hidden = !token.value;
    missing.textContent = model.get("left_out");
    missing.hidden = !missing.textContent;
  }
  function stepped() {
    const shown = model.get("steps");
    steps.replaceChildren(...shown.map(({ name, says, text }, i) => node("details", i === shown.length - 1 ? { open: "" } : {},
      node("summary", quiet, `Step ${i + 1}: ${name}`), node("p", {}, ...marked(says)), listing(text, name))));
    step.hidden = !model.get("more_steps");
    step.textContent = shown.length ? "Show the next step" : "Show a slow kernel that is right";
  }
  function more() {
    replay.hidden = !model.get("replays");
    note.textContent = model.get("note");
  }
  // A replay begins below the card: into view with it, as soon as its first state is drawn.
  function opened() {
    const drawn = () => around(el, `.acc-at-kernel-${told.id}`)?.querySelector(".acc-stage:has(> * > .acc-screen[aria-label])");
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    when(el, drawn, (stage) => stage.scrollIntoView({ behavior, block: "nearest" }));
  }
  model.on("change:replayed", opened);
  const draws = {
    text: tell, saved: tell, verdict: judged, bars: scored, hints: hinted, more_hints: hinted, tables: counted, busiest: counted,
    cuda: printed, token: shared, left_out: shared, steps: stepped, more_steps: stepped, replays: more, note: more,
  };
  for (const [trait, draw] of Object.entries(draws)) model.on(`change:${trait}`, draw);
  editor.put(model.get("text"));
  for (const draw of new Set(Object.values(draws))) draw();
  return () => save();
}

export default living(render);
