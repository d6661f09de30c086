// Draws one question from the model's traits and sends back what the reader answered.
const JUST = 600; // ms: a second press on Check is none on what has come in its place
const PURE = ["%", "x", ""]; // units that nobody has to know
const COUNTED = /^[a-z]{4,}s$/; // "warps", "cycles": the question names what it counts
let count = 0;

// HTML that Python made from Markdown, every tag of the author's escaped (quiz/markdown.py).
function rich(tag, html, attributes = {}) {
  const made = node(tag, attributes);
  made.innerHTML = html;
  return made;
}

// "✔ right", "✘ yours": a sign for the eye, the same in words for a screen reader.
const WORDS = { right: ["✔", "right"], wrong: ["✘", "not right"], "": ["", ""] };
function badge({ sign, note }) {
  const [mark, word] = WORDS[sign];
  const said = [...new Set([word, note])].filter(Boolean).join(": ");
  return node("span", { class: "acc-badge", "data-sign": sign },
    node("span", { "aria-hidden": "true" }, [mark, note].filter(Boolean).join(" ")),
    node("span", { class: "acc-voice" }, said && ` (${said})`));
}

// Lines of Python, folded away, with a button that copies them.
function listing(code) {
  const copy = button("Copy", async () => {
    copy.textContent = (await copied(code)) ? "Copied: paste it into a cell" : "Select the lines and copy them";
  });
  const summary = node("summary", quiet, "Compute it yourself");
  return node("details", {}, summary, node("pre", { class: "acc-code", tabindex: "0", ...quiet }, code), copy);
}

function render({ model, el }) {
  const group = `acc-question-${++count}`;
  const form = node("form", { class: "acc-question", ...own });
  const body = node("fieldset");
  const feedback = node("div", { class: "acc-feedback", role: "status", "aria-live": "polite", tabindex: "-1" });
  const voice = node("span", { class: "acc-voice", role: "status" });
  const buttons = node("div", { class: "acc-buttons" });
  const kicker = node("p", { class: "acc-kicker" });
  const order = model.get("kind") === "none" ? [feedback, buttons] : [buttons, feedback]; // what only tells, tells first
  form.append(kicker, body, ...order, voice);
  el.replaceChildren(form);

  function drawQuestion() {
    kicker.textContent = model.get("kicker");
    kicker.hidden = !model.get("kicker");
    const code = model.get("code");
    const printed = code ? [node("pre", { class: "acc-code", tabindex: "0", ...quiet }, code)] : [];
    const legend = rich("legend", model.get("ask"), { tabindex: "-1" });
    const ghost = node("ul", { class: "acc-rows acc-ghost", "aria-hidden": "true" }, ...model.get("room").map(row));
    const space = model.get("room").length ? [ghost] : [];
    const fields = node("div", { class: "acc-fields" }, ...ANSWERS[model.get("kind")].draw());
    body.replaceChildren(legend, ...printed, node("div", { class: "acc-area" }, fields, ...space));
    drawMarks();
  }
  // Signs beside the options of a choice; for the others the rows of the answer in place of the fields.
  function drawMarks() {
    const marks = model.get("marks");
    if (model.get("kind") === "choice") {
      body.querySelectorAll(".acc-option").forEach((line, i) => {
        line.querySelector(".acc-badge").replaceWith(badge(marks[i] ?? { sign: "", note: "" }));
        line.dataset.sign = marks[i]?.sign ?? "";
      });
    } else if (marks.length) {
      const list = node(model.get("kind") === "order" ? "ol" : "ul", { class: "acc-rows" }, ...marks.map(row));
      body.querySelector(".acc-fields").replaceChildren(list);
    }
  }
  function row(mark) {
    return node("li", { "data-sign": mark.sign }, rich("span", mark.html), " ", badge(mark));
  }
  // How each kind of question is drawn, and read when it is submitted (null: not answered yet).
  const ANSWERS = {
    none: { draw: () => [], read: () => null },
    choice: {
      draw: () => model.get("options").map(option),
      read: () => {
        const chosen = body.querySelector("input[type=radio]:checked");
        return chosen && { option: Number(chosen.value) };
      },
    },
    numeric: {
      draw: () => [entry()],
      read: () => {
        const [typed, menu] = [body.querySelector("input").value.trim(), body.querySelector("select")];
        const percent = typed.endsWith("%") && model.get("units").includes("%");
        if (percent) menu.value = "%";
        return menu.value || !menu.options.length ? { value: percent ? typed.slice(0, -1) : typed, unit: menu.value } : null;
      },
    },
    code: {
      draw: () => [node("input", { type: "text", size: 24, autocomplete: "off", "aria-label": "what it prints", ...quiet })],
      read: () => ({ value: body.querySelector("input").value }),
    },
    order: {
      draw: () => [ordered()],
      read: () => ({ value: [...body.querySelectorAll("li[data-line]")].map((line) => Number(line.dataset.line)) }),
    },
    match: {
      draw: () => model.get("options").map(partner),
      read: () => ({ value: [...body.querySelectorAll("select")].map((menu) => menu.selectedIndex - 1) }),
    },
  };
  function ordered() {
    const list = node("ol", { class: "acc-order" });
    const move = (line, by, button) => {
      const other = by < 0 ? line.previousElementSibling : line.nextElementSibling;
      if (other) by < 0 ? other.before(line) : other.after(line);
      ends(list);
      button.focus();
      voice.textContent = `Now at place ${[...list.children].indexOf(line) + 1}.`;
    };
    model.get("options").forEach((html, position) => {
      const line = node("li", { "data-line": position });
      const text = rich("span", html);
      const mover = (sign, word, by) => {
        const made = button(sign, () => move(line, by, made), { "aria-label": `${word}: ${text.textContent}` });
        return made;
      };
      line.append(mover("▲", "move up", -1), mover("▼", "move down", 1), text);
      list.append(line);
    });
    ends(list);
    return list;
  }
  function ends(list) { // nothing lies above the first, nothing below the last
    for (const line of list.children) {
      const [up, down] = line.querySelectorAll("button");
      up.setAttribute("aria-disabled", line === list.firstElementChild);
      down.setAttribute("aria-disabled", line === list.lastElementChild);
    }
  }
  function partner(html) {
    const text = rich("span", html);
    const menu = node("select", { "aria-label": `match for ${text.textContent}`, ...quiet }, node("option", {}, "choose …"));
    menu.append(...model.get("units").map((name) => node("option", {}, name)));
    return node("label", { class: "acc-pair" }, text, menu);
  }
  function option(html, position) {
    const radio = node("input", { type: "radio", name: group, value: position, ...quiet });
    return node("label", { class: "acc-option" }, radio, rich("span", html), badge({ sign: "", note: "" }));
  }
  function entry() {
    const value = node("input", { type: "text", size: 12, autocomplete: "off", "aria-label": "your number", ...quiet });
    const unit = node("select", { "aria-label": "unit", ...quiet });
    const units = model.get("units"), choose = units.length > 1 && !PURE.includes(units[0]) && !COUNTED.test(units[0]);
    unit.append(...(choose ? [node("option", { value: "" }, "unit …")] : []), ...units.map((name) => node("option", {}, name)));
    unit.hidden = units.length < 2; // a pure number has none
    return node("div", { class: "acc-number" }, value, unit);
  }
  function drawButtons() {
    const here = focused(form), had = form.contains(here), asking = here?.dataset?.ask;
    const closed = model.get("closed"), drawn = performance.now();
    if (closed && !form.style.minHeight) form.style.minHeight = `${form.getBoundingClientRect().height}px`; // it stays as high
    const main = button(model.get("action"), answer, { class: "acc-main" });
    main.hidden = closed || model.get("kind") === "none";
    const kept = had && here?.classList.contains("acc-main") ? main : null;
    const ask = (name) => closed && performance.now() - drawn < JUST ? null : model.send({ ask: name });
    buttons.replaceChildren(main, ...model.get(closed ? "after" : "asides").map(([name, label]) =>
      button(label, () => ask(name), { "data-ask": name })));
    for (const field of body.querySelectorAll("input, select, button")) field.disabled = closed;
    const next = buttons.querySelector(`[data-ask="${asking}"]`) ?? kept;
    if (next && !next.hidden) next.focus({ preventScroll: true });
    else if (had && closed) feedback.focus({ preventScroll: true }); // the keyboard goes on from the reply
  }
  function drawFeedback() {
    feedback.dataset.verdict = model.get("verdict");
    const parts = model.get("feedback");
    feedback.replaceChildren(...parts.map((part) => {
      if (part.see) return node("p", {}, panelLink(model, part.see));
      return part.code ? listing(part.code) : rich("div", part.html, { class: "acc-said" });
    }));
    if (!parts.length && model.get("reserve").length) {
      feedback.append(node("div", { class: "acc-said acc-waiting" }, "The reply to your answer appears here."));
    }
  }
  // Room for the longest reply, so that nothing below moves when it comes: its paragraphs, wrapped at this width.
  function makeRoom() {
    const sample = "The weights are read once for the whole batch, and they are the bill.";
    const pen = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(feedback);
    pen.font = `${style.fontSize} ${style.fontFamily}`;
    const letters = Math.max(20, (feedback.clientWidth - 16) / ((1.04 * pen.measureText(sample).width) / sample.length));
    const height = (reply) => reply.reduce((sum, n) => sum + 1.45 * Math.ceil(n / letters) + 0.45, 0);
    const tallest = Math.max(0, ...model.get("reserve").map(height));
    feedback.style.minHeight = tallest ? `${tallest.toFixed(2)}em` : "";
  }
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (form.clientWidth !== width) form.style.minHeight = "";
    width = form.clientWidth;
    makeRoom();
  });
  watcher.observe(form);

  // Without the form's own submission, which a frame may forbid.
  function answer() {
    const given = ANSWERS[model.get("kind")].read();
    if (given) return model.send(given);
    if (!buttons.querySelector(".acc-first")) buttons.append(node("span", { class: "acc-first", role: "status" }, model.get("kind") === "numeric" ? "Choose a unit first." : "Choose an option first."));
  }
  form.addEventListener("change", () => buttons.querySelector(".acc-first")?.remove());
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    event.stopPropagation(); // Enter and arrows belong to the question
    if (event.key !== "Enter" || event.isComposing || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    answer();
  });

  for (const name of ["ask", "kind", "options", "units", "kicker", "code"]) model.on(`change:${name}`, drawQuestion);
  for (const name of ["verdict", "feedback"]) model.on(`change:${name}`, drawFeedback);
  model.on("change:marks", drawMarks);
  for (const name of ["action", "asides", "after", "closed", "options", "kind"]) model.on(`change:${name}`, drawButtons);
  drawQuestion();
  drawButtons();
  drawFeedback();
  // A fresh question that another one made way for: view and focus go to it as soon as it can be seen.
  const seen = () => {
    const legend = body.querySelector("legend");
    return legend.offsetParent && getComputedStyle(legend).visibility !== "hidden" && legend;
  };
  const come = (legend) => {
    legend.focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
    model.set("arrive", false);
    model.save_changes();
  };
  const stop = model.get("arrive") ? when(form, seen, come) : () => {};
  return () => (stop(), watcher.disconnect());
}

export default living(render);
