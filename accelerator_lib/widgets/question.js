// Draws one question from the model's traits and sends back what the reader answered.
let count = 0;

// HTML that Python made from Markdown, every tag of the author's escaped (quiz/markdown.py).
function rich(tag, html, attributes = {}) {
  const made = node(tag, attributes);
  made.innerHTML = html;
  return made;
}

// A way to an exploration: to its heading, here or in its notebook.
function link({ notebook, heading, chapter }) {
  const words = heading ? `See it move: ${heading}, chapter ${chapter}` : `See it move in chapter ${chapter}`;
  return node("p", {}, notebookLink(notebook, words, heading));
}

// Lines of Python, folded away, with a button that copies them.
function listing(code) {
  const copy = node("button", { type: "button", ...quiet }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard?.writeText(code).catch(() => null);
    copy.textContent = navigator.clipboard ? "Copied: paste it into a cell" : "Select the lines and copy them";
  });
  const summary = node("summary", quiet, "Compute it yourself");
  return node("details", {}, summary, node("pre", { class: "acc-code", tabindex: "0", ...quiet }, code), copy);
}

function render({ model, el }) {
  const group = `acc-question-${++count}`;
  const form = node("form", { class: "acc-question" });
  const body = node("fieldset");
  const feedback = node("div", { class: "acc-feedback", role: "status", "aria-live": "polite", tabindex: "-1" });
  const voice = node("span", { class: "acc-voice", role: "status" });
  const buttons = node("div", { class: "acc-buttons" });
  const kicker = node("p", { class: "acc-kicker" });
  form.append(kicker, body, buttons, feedback, voice);
  el.replaceChildren(form);

  function drawQuestion() {
    kicker.textContent = model.get("kicker");
    kicker.hidden = !model.get("kicker");
    const code = model.get("code");
    const printed = code ? [node("pre", { class: "acc-code", tabindex: "0", ...quiet }, code)] : [];
    body.replaceChildren(rich("legend", model.get("ask")), ...printed, ...ANSWERS[model.get("kind")].draw());
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
      read: () => ({ value: body.querySelector("input").value, unit: body.querySelector("select").value }),
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
      button.focus();
      voice.textContent = `Now at place ${[...list.children].indexOf(line) + 1}.`;
    };
    model.get("options").forEach((html, position) => {
      const line = node("li", { "data-line": position });
      const text = rich("span", html);
      const button = (sign, word, by) => {
        const made = node("button", { type: "button", "aria-label": `${word}: ${text.textContent}`, ...quiet }, sign);
        made.addEventListener("click", () => move(line, by, made));
        return made;
      };
      line.append(button("▲", "move up", -1), button("▼", "move down", 1), text);
      list.append(line);
    });
    return list;
  }
  function partner(html) {
    const text = rich("span", html);
    const menu = node("select", { "aria-label": `partner of ${text.textContent}`, ...quiet }, node("option", {}, "choose …"));
    menu.append(...model.get("units").map((name) => node("option", {}, name)));
    return node("label", { class: "acc-pair" }, text, menu);
  }
  function option(html, position) {
    const radio = node("input", { type: "radio", name: group, value: position, ...quiet });
    return node("label", { class: "acc-option" }, radio, rich("span", html));
  }
  function entry() {
    const value = node("input", { type: "text", size: 12, autocomplete: "off", "aria-label": "your number", ...quiet });
    const unit = node("select", { "aria-label": "unit", ...quiet });
    unit.append(...model.get("units").map((name) => node("option", {}, name)));
    return node("div", { class: "acc-number" }, value, unit);
  }
  function drawButtons() {
    const had = form.contains(document.activeElement);
    const focused = document.activeElement?.dataset?.ask;
    const closed = model.get("closed");
    const main = node("button", { type: "submit", class: "acc-main", ...quiet }, model.get("action"));
    main.hidden = closed || model.get("kind") === "none";
    const kept = had && document.activeElement?.type === "submit" ? main : null;
    buttons.replaceChildren(main, ...model.get("asides").map(([name, label]) => {
      const button = node("button", { type: "button", "data-ask": name, ...quiet }, label);
      button.addEventListener("click", () => model.send({ ask: name }));
      return button;
    }));
    for (const field of body.querySelectorAll("input, select, button")) field.disabled = closed;
    const next = buttons.querySelector(`[data-ask="${focused}"]`) ?? kept;
    if (next && !next.hidden) next.focus({ preventScroll: true });
    else if (had && closed) feedback.focus({ preventScroll: true }); // the keyboard goes on from the reply
  }
  function drawFeedback() {
    feedback.dataset.verdict = model.get("verdict");
    const parts = model.get("feedback");
    feedback.replaceChildren(...parts.map((part) => {
      if (part.see) return link(part.see);
      return part.code ? listing(part.code) : rich("div", part.html, { class: "acc-said" });
    }));
    if (!parts.length && model.get("reserve").length) {
      feedback.append(node("div", { class: "acc-said acc-waiting" }, "Your answer is met here, with its reason."));
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
  const watcher = new ResizeObserver(makeRoom);
  watcher.observe(form);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = ANSWERS[model.get("kind")].read();
    if (answer) return model.send(answer);
    feedback.dataset.verdict = "hint";
    feedback.replaceChildren(node("div", { class: "acc-said" }, "Choose an option first."));
  });
  form.addEventListener("keydown", (event) => event.stopPropagation()); // Enter and arrows belong to the question

  for (const name of ["ask", "kind", "options", "units", "kicker", "code"]) model.on(`change:${name}`, drawQuestion);
  for (const name of ["verdict", "feedback"]) model.on(`change:${name}`, drawFeedback);
  for (const name of ["action", "asides", "closed", "options", "kind"]) model.on(`change:${name}`, drawButtons);
  drawQuestion();
  drawButtons();
  drawFeedback();
  return () => watcher.disconnect();
}

export default { render };
