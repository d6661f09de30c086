// A prediction in the hall: the question and its options, large; hands may be entered; one button, or the deck's key
// forward, shows the picture, the next the reasons beside it. The question's model is that of question.js.
function render({ model, el }) {
  const card = node("form", { class: "acc-question acc-lecture acc-ballot" });
  el.replaceChildren(card);
  let hands = [], why = false; // whether the reasons are shown
  const box = () => around(el, ".acc-predict");
  function reason(shown) {
    why = shown;
    box().classList.toggle("acc-why", why);
    draw();
  }

  function draw() {
    const closed = model.get("closed");
    const stem = node("div", { class: "acc-stem", tabindex: "-1" });
    stem.innerHTML = model.get("ask");
    const list = voted(model, { fields: !closed, votes: closed && hands.some(Boolean) ? [hands] : [] });
    const said = node("div", { class: "acc-vote-reason acc-feedback", role: "status" });
    for (const part of model.get("feedback")) {
      if (part.html) said.insertAdjacentHTML("beforeend", `<p>${part.html}</p>`);
    }
    const kicker = node("p", { class: "acc-kicker" }, closed ? "" : "Predict first. Hands up: counts may be entered.");
    card.replaceChildren(kicker, stem, list, said, buttons(closed, list));
    card.dataset.step = closed ? (why ? "why" : "shown") : "asked";
  }

  function buttons(closed, list) {
    const row = node("div", { class: "acc-buttons" });
    if (!closed) {
      row.append(node("button", { type: "submit", class: "acc-main", "data-forward": "show", "data-ask": "show", ...quiet }, "Show"));
      card.onsubmit = (event) => {
        event.preventDefault();
        const { hands: entered, any } = counted(list);
        hands = entered;
        model.send(any ? { hands } : { ask: "show" });
      };
    }
    const add = (label, way, act) => row.append(button(label, act, way));
    if (closed && box()) add(why ? "Hide the reasons" : "Why?", why ? { "data-back": "why" } : { "data-forward": "why" }, () => reason(!why));
    for (const [name, label] of model.get(closed ? "after" : "asides").filter(([name]) => name !== "show")) {
      add(label, name === "next" ? { "data-forward": name } : {}, () => model.send({ ask: name }));
    }
    return row;
  }

  card.addEventListener("keydown", (event) => event.stopPropagation());
  for (const name of ["ask", "options", "closed", "feedback", "asides", "after"]) model.on(`change:${name}`, draw);
  draw();
  return when(el, box, (home) => home.classList.remove("acc-why")); // the reasons of the question before
}

export default living(render);
