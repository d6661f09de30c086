// Draws one question from the model's traits and sends back what the reader answered.
let count = 0;

function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

// Text with `code` and **bold**; everything else stays text, so nothing typed in a bank can run.
function rich(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`.+`$/s.test(part)) return node("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/s.test(part)) return node("strong", {}, part.slice(2, -2));
    return part;
  });
}

function render({ model, el }) {
  const group = `acc-question-${++count}`;
  const quiet = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab leaves this element's keys alone
  const form = node("form", { class: "acc-question" });
  const body = node("fieldset");
  const feedback = node("div", { class: "acc-feedback", role: "status", "aria-live": "polite" });
  const buttons = node("div", { class: "acc-buttons" });
  const kicker = node("p", { class: "acc-kicker" });
  form.append(kicker, body, buttons, feedback);
  el.replaceChildren(form);

  function drawQuestion() {
    kicker.textContent = model.get("kicker");
    const code = model.get("code");
    const listing = code ? [node("pre", { class: "acc-code" }, code)] : [];
    body.replaceChildren(node("legend", {}, ...rich(model.get("ask"))), ...listing, ...ANSWERS[model.get("kind")].draw());
  }
  // How each kind of question is drawn, and read when it is submitted (null: not answered yet).
  const ANSWERS = {
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
      read: () => ({ value: [...body.querySelectorAll("li")].map((line) => Number(line.dataset.line)) }),
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
      if (!other) return;
      by < 0 ? other.before(line) : other.after(line);
      button.focus();
      feedback.replaceChildren(node("p", {}, `Now at place ${[...list.children].indexOf(line) + 1}.`));
    };
    model.get("options").forEach((text, position) => {
      const line = node("li", { "data-line": position });
      const button = (sign, word, by) => {
        const made = node("button", { type: "button", "aria-label": `${word}: ${text}`, ...quiet }, sign);
        made.addEventListener("click", () => move(line, by, made));
        return made;
      };
      line.append(button("▲", "move up", -1), button("▼", "move down", 1), node("span", {}, ...rich(text)));
      list.append(line);
    });
    return list;
  }
  function partner(text) {
    const menu = node("select", { "aria-label": `partner of ${text}`, ...quiet }, node("option", {}, "choose …"));
    menu.append(...model.get("units").map((name) => node("option", {}, name)));
    return node("label", { class: "acc-pair" }, node("span", {}, ...rich(text)), menu);
  }
  function option(text, position) {
    const radio = node("input", { type: "radio", name: group, value: position, ...quiet });
    return node("label", { class: "acc-option" }, radio, node("span", {}, ...rich(text)));
  }
  function entry() {
    const value = node("input", { type: "text", size: 12, autocomplete: "off", "aria-label": "your number", ...quiet });
    const unit = node("select", { "aria-label": "unit", ...quiet });
    unit.append(...model.get("units").map((name) => node("option", {}, name)));
    return node("div", { class: "acc-number" }, value, unit);
  }
  function drawButtons() {
    const focused = document.activeElement?.dataset?.ask;
    const closed = model.get("closed");
    const main = node("button", { type: "submit", class: "acc-main", ...quiet }, model.get("action"));
    main.hidden = closed;
    buttons.replaceChildren(main, ...model.get("asides").map(([name, label]) => {
      const button = node("button", { type: "button", "data-ask": name, ...quiet }, label);
      button.addEventListener("click", () => model.send({ ask: name }));
      return button;
    }));
    buttons.querySelector(`[data-ask="${focused}"]`)?.focus();
    for (const field of body.querySelectorAll("input, select, button")) field.disabled = closed;
  }
  function drawFeedback() {
    feedback.dataset.verdict = model.get("verdict");
    feedback.replaceChildren(...model.get("feedback").map((text) => node("p", {}, ...rich(text))));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = ANSWERS[model.get("kind")].read();
    if (answer) return model.send(answer);
    feedback.dataset.verdict = "hint";
    feedback.replaceChildren(node("p", {}, "Choose an option first."));
  });
  form.addEventListener("keydown", (event) => event.stopPropagation()); // Enter and arrows belong to the question

  for (const name of ["ask", "kind", "options", "units", "kicker", "code"]) model.on(`change:${name}`, drawQuestion);
  for (const name of ["action", "asides", "closed", "options"]) model.on(`change:${name}`, drawButtons);
  for (const name of ["verdict", "feedback"]) model.on(`change:${name}`, drawFeedback);
  drawQuestion();
  drawButtons();
  drawFeedback();
}

export default { render };
