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
    const options = model.get("options");
    const answer = options.length ? options.map(option) : [entry()];
    body.replaceChildren(node("legend", {}, ...rich(model.get("ask"))), ...answer);
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
    for (const field of body.querySelectorAll("input, select")) field.disabled = closed;
  }
  function drawFeedback() {
    feedback.dataset.verdict = model.get("verdict");
    feedback.replaceChildren(...model.get("feedback").map((text) => node("p", {}, ...rich(text))));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = body.querySelector("input[type=radio]:checked");
    const typed = body.querySelector("input[type=text]");
    if (typed) return model.send({ value: typed.value, unit: body.querySelector("select").value });
    if (chosen) return model.send({ option: Number(chosen.value) });
    feedback.dataset.verdict = "hint";
    feedback.replaceChildren(node("p", {}, "Choose an option first."));
  });
  form.addEventListener("keydown", (event) => event.stopPropagation()); // Enter and arrows belong to the question

  for (const name of ["ask", "options", "units", "kicker"]) model.on(`change:${name}`, drawQuestion);
  for (const name of ["action", "asides", "closed", "options"]) model.on(`change:${name}`, drawButtons);
  for (const name of ["verdict", "feedback"]) model.on(`change:${name}`, drawFeedback);
  drawQuestion();
  drawButtons();
  drawFeedback();
}

export default { render };
