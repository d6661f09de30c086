// A rung: an editor, and beside it what the text does, a verdict, a gauge. Everything that was typed is shown as text.
const PAUSE = 1200, SKETCH = 400; // ms without a key before a draft is kept, and drawn
const GROWS = 1000; // ms that a replay may go on growing
const LEAVES = "Ctrl + Enter runs; Escape, then Tab, leaves the editor.";
let benches = 0;

function render({ model, el }) {
  const name = `acc-kernel-${++benches}`;
  const told = model.get("rung");
  const html = (words, name) => { // made in Python from Markdown, every tag of the author's escaped
    const made = node("div", { class: name });
    made.innerHTML = words;
    return made;
  };
  const listing = (text, label) => node("pre", { class: "acc-code", tabindex: "0", "aria-label": label, ...quiet }, text);
  // Words between backticks as code; all of it is text.
  const marked = (text) => text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? node("code", {}, part) : part));
  const ask = (what) => () => model.send({ ask: what });

  const constants = told.constants.flatMap((each) => [" ", node("code", {}, each)]);
  const title = node("div", { class: "acc-ask", id: name }, node("strong", {}, told.title), " ", html(told.line, "acc-line"), ...constants);
  const spec = node("details", { class: "acc-spec" }, node("summary", quiet, "More, and the same in NumPy"), html(told.rest, "acc-said"),
    listing(told.specification, "specification"), node("p", { class: "acc-kicker" }, told.after));
  const keys = node("p", { class: "acc-keys", id: `${name}-keys` }, LEAVES);
  const editor = written(`kernel: ${told.title}`, `${name}-keys`, { changed: typed, left: save, run });
  const saved = node("span", { class: "acc-saved", role: "status" });
  const go = button("Run", run, { class: "acc-main" });
  const again = button("Start again", restart, { class: "acc-again" });
  const hint = button("Hint", ask("hint"), { class: "acc-hint" }), replay = button("", ask("replay"), { class: "acc-replay" }), step = button("", ask("step"));
  const foot = node("div", { class: "acc-foot" }, node("div", { class: "acc-buttons" }, go, hint, again, replay), saved, keys);
  const picture = node("div", { class: "acc-drawn acc-stage" }), drawing = node("p", { class: "acc-note" });
  const shows = node("figcaption", { class: "acc-kicker" });
  const live = node("figure", { class: "acc-live", tabindex: "0", "aria-label": "what your text does, on a small case", ...quiet }, shows, picture, drawing);
  const verdict = node("div", { class: "acc-feedback acc-verdict", role: "status", "aria-live": "polite" });
  const gauge = node("div", { class: "acc-gauge" });
  const hints = node("ol", { class: "acc-hints", role: "status" });
  const note = node("p", { class: "acc-note", role: "status" });
  const counters = node("details", {}, node("summary", quiet, "Why is it slow? Time by cause, counters by array and by line"));
  const others = node("div");
  const steps = node("div", { class: "acc-worked" });
  const token = node("textarea", { readonly: "", rows: 1, "aria-label": "token of your kernels", ...quiet });
  const copy = button("Copy the token", async () => {
    token.select();
    note.textContent = (await copied(token.value)) ? "Token copied." : "The token is selected: copy it.";
  });
  const missing = node("p", { class: "acc-note" });
  const share = node("details", {}, node("summary", quiet, "Token: your best kernels in one line"),
    node("p", {}, "It holds no score: whoever reads it runs the kernels again."), missing, node("div", { class: "acc-number" }, token, copy));
  const card = node("section", { class: "acc-question acc-kernel", "aria-labelledby": name, ...own }, node("div", { class: "acc-desk" },
    node("div", { class: "acc-pane" }, node("div", { class: "acc-head" }, title, spec), editor.element,
      foot),
    node("div", { class: "acc-pane" }, live, verdict, hints, gauge, node("div", { class: "acc-more" }, note, others, counters, share, steps, step))));
  el.replaceChildren(card);
  card.addEventListener("keydown", (event) => event.stopPropagation());

  let keeping, sketching, before = null, ran = null; // the text that the verdict is of
  const unkept = unsaved(`kernel ${told.id}`);
  // Waiting for a verdict. A Python that is gone sends none: then Run can be pressed again; what was typed stays.
  const wait = {
    on: false,
    begin() {
      this.on = true;
      go.setAttribute("aria-disabled", "true");
      verdict.dataset.verdict = "";
      verdict.replaceChildren(node("p", {}, "Running on all sizes …"));
    },
    end() {
      this.on = false;
      go.removeAttribute("aria-disabled");
    },
  };
  el.addEventListener("acc-asleep", () => {
    if (wait.on) verdict.replaceChildren(node("p", {}, "No verdict."));
    wait.end();
  });
  function save() {
    clearTimeout(keeping);
    if (!wait.on && (editor.text !== model.get("text") || model.get("saved") === "no")) model.send({ draft: editor.text });
  }
  function sketch() {
    clearTimeout(sketching);
    if (!wait.on) model.send({ draw: editor.text }); // a run draws by itself
  }
  function typed() {
    clearTimeout(keeping);
    clearTimeout(sketching);
    keeping = setTimeout(save, PAUSE);
    sketching = setTimeout(sketch, SKETCH);
    before = null;
    unkept.put(editor.text);
    again.textContent = "Start again";
    if (editor.text !== model.get("text")) saved.textContent = "Not saved yet …";
    stale();
  }
  // A verdict and a score stay while another text is typed, as those of the last run.
  function stale() {
    card.classList.toggle("acc-stale", ran !== null && editor.text !== ran);
  }
  function run() {
    if (wait.on) return;
    clearTimeout(keeping);
    clearTimeout(sketching);
    wait.begin();
    ran = editor.text;
    stale();
    model.send({ run: ran });
  }
  // The blank kernel; and back, until something is typed.
  function restart() {
    const kept = before;
    before = kept === null ? editor.text : null;
    editor.put(kept ?? told.blank);
    again.textContent = kept === null ? "Bring my kernel back" : "Start again";
    stale();
    save();
    sketch();
    editor.box.focus();
  }

  function tell() {
    const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const said = {
      "": "", before: "Kept from before.", yes: `✔ Saved at ${time}`, no: "Could not be saved: the folder is not writable.",
    };
    if (editor.text !== model.get("text")) return;
    saved.textContent = said[model.get("saved")];
    if (model.get("saved") === "yes") unkept.drop();
  }
  function drawn() {
    const { svg, case: sizes, note: said, more, stopped } = model.get("sketch");
    shows.textContent = `${stopped ? "Where it goes wrong" : "What it does as you type"}, ${sizes}`;
    if (svg !== null) picture.innerHTML = svg; // made in Python; every word in it is escaped
    picture.classList.toggle("acc-old", svg === null);
    drawing.replaceChildren(...marked(said || (more ? `Another ${more === 1 ? "access is" : `${more} accesses are`} not drawn.` : "")));
  }
  const WORD = { blank: "Not begun.", unread: "Not finished.", wrong: "✘ Not right yet.", right: "✔ Right.", star: "★ Right." };
  function judged() {
    const { mark, said, line } = model.get("verdict");
    wait.end();
    if (!mark) return verdict.replaceChildren(node("p", {}, "Not run yet."));
    verdict.dataset.verdict = { blank: "", unread: "hint", wrong: "wrong" }[mark] ?? "right";
    verdict.replaceChildren(node("p", {}, node("span", { class: "acc-of" }, "Of your last run: "), node("strong", {}, WORD[mark]), " ", ...marked(said)));
    editor.blame(line ?? 0);
    if (editor.text !== model.get("text")) sketch();
  }
  // One logarithmic axis; a row for each mark, so that marks that lie close can still be read.
  function scored() {
    const all = model.get("gauge"), least = all[0].value, most = Math.max(...all.map(({ value }) => value));
    const at = logarithmic(all.map(({ value }) => value), 0, 100), left = (value) => `left: ${at(value).toFixed(2)}%`;
    const rows = all.map(({ name, value, words }) => node("p", { "data-of": name }, node("span", {}, name),
      node("span", { class: "acc-track" }, node("i", { style: left(value) })), node("span", {}, words)));
    const ticks = multiples(most / least).map((times) => node("span", { style: left(times * least) }, `${times} ×`));
    gauge.setAttribute("role", "img");
    gauge.setAttribute("aria-label", `Score on a logarithmic axis: ${all.map(({ name, words }) => `${name} ${words}`).join(", ")}`);
    gauge.replaceChildren(...rows, node("p", { class: "acc-ticks" }, node("span", {}, "as a multiple"), node("span", { class: "acc-track" }, ...ticks), node("span")));
  }
  function hinted() {
    hints.replaceChildren(...model.get("hints").map((text) => node("li", {}, ...marked(text))));
    hints.hidden = !model.get("hints").length;
    hint.disabled = !model.get("more_hints");
    hint.textContent = model.get("hints").length ? "Another hint" : "Hint";
    hint.title = hint.disabled ? "There is no further hint." : "";
    hints.scrollTop = hints.scrollHeight; // the newest is in its own room: nothing else moves
  }
  function counted() {
    const tables = model.get("tables").map(({ caption, head, rows }) => node("div", { class: "acc-counters", tabindex: "0", ...quiet },
      node("table", { class: head.includes("text") ? "acc-by-line" : "" }, node("caption", {}, caption),
        node("thead", {}, node("tr", {}, ...head.map((word) => node("th", { scope: "col" }, word)))),
        node("tbody", {}, ...rows.map((row) => node("tr", {}, ...row.map((word, i) => node(i ? "td" : "th",
          i ? head[i] === "of the time" ? { class: "acc-heat", style: `--share: ${word.replace(/\s/g, "")}` } : {} : { scope: "row" }, word))))))));
    const causes = model.get("causes");
    const bars = causes.length ? [node("div", { class: "acc-causes", role: "img", "aria-label": `Time by cause: ${causes.map(({ name, words }) => `${name} ${words}`).join(", ")}` },
      ...causes.map(({ name, share, words }) => node("p", {}, node("span", {}, name), node("span", { class: "acc-share" }, node("i", { style: `width: ${100 * share}%` })), node("span", {}, words))))] : [];
    counters.replaceChildren(counters.firstChild, node("p", { class: "acc-busiest" }, ...marked(model.get("busiest"))), ...bars, ...tables);
    counters.hidden = !tables.length;
  }
  // The text in other notations; that of a pasted one is open, each line with the number of the line it comes from.
  const noted = ({ name, text, lines }) => node("details", lines.length ? { open: "" } : {}, node("summary", quiet, name),
    lines.length ? numbered(text, lines, name) : listing(text, name));
  function numbered(text, lines, name) {
    const rows = text.trimEnd().split("\n").map((line, i) => [node("span", { class: "acc-from", "data-line": lines[i] }), `${line}\n`]);
    const made = listing("", name);
    made.replaceChildren(...rows.flat());
    return made;
  }
  function printed() {
    others.replaceChildren(...model.get("others").map(noted));
  }
  function shared() {
    token.value = model.get("token");
    share.hidden = !token.value;
    missing.textContent = model.get("left_out");
    missing.hidden = !missing.textContent;
  }
  function stepped() {
    const shown = model.get("steps");
    steps.replaceChildren(...shown.map(({ name, says, text, others }, i) => node("details", i === shown.length - 1 ? { open: "" } : {},
      node("summary", quiet, `Step ${i + 1}: ${name}`), node("p", {}, ...marked(says)), listing(text, name), ...others.map(noted))));
    step.hidden = !model.get("more_steps");
    step.textContent = shown.length ? "Show the next step" : "Show a slow kernel that is right";
  }
  function more() {
    replay.disabled = !model.get("replays");
    replay.textContent = model.get("replays") === "fault" ? "Replay to the fault" : "Replay";
    note.textContent = model.get("note");
  }
  // A replay begins below the card: into view with it, as soon as its first state is drawn.
  function opened() {
    const drawn = () => around(el, `.acc-at-kernel-${told.id}`)?.querySelector(".acc-stage:has(> * > .acc-screen[aria-label])");
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    when(el, drawn, (stage) => {
      const follow = new ResizeObserver(() => stage.scrollIntoView({ behavior, block: "nearest" })); // at once, and as it grows
      follow.observe(stage);
      setTimeout(() => follow.disconnect(), GROWS);
    });
  }
  model.on("change:replayed", opened);
  const draws = {
    text: tell, saved: tell, sketch: drawn, verdict: judged, gauge: scored, hints: hinted, more_hints: hinted, tables: counted, busiest: counted, causes: counted,
    others: printed, token: shared, left_out: shared, steps: stepped, more_steps: stepped, replays: more, note: more,
  };
  for (const [trait, draw] of Object.entries(draws)) model.on(`change:${trait}`, draw);
  editor.put(model.get("text"));
  for (const draw of new Set(Object.values(draws))) draw();
  unkept.restore((text) => (editor.put(text), save(), stale()));
  return () => save();
}

export default living(render);
