// A prediction in the hall: the question and its options, large; hands may be entered; one button, or the deck's key
// forward, shows the picture. The question's model is that of question.js.
function render({ model, el }) {
  const card = node("form", { class: "acc-question acc-lecture acc-ballot" });
  el.replaceChildren(card);
  let hands = [];

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
    card.dataset.step = closed ? "shown" : "asked";
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
    for (const [name, label] of model.get(model.get("closed") ? "after" : "asides").filter(([name]) => name !== "show")) {
      const button = node("button", { type: "button", ...(name === "next" ? { "data-forward": name } : {}), ...quiet }, label);
      button.addEventListener("click", () => model.send({ ask: name }));
      row.append(button);
    }
    return row;
  }

  card.addEventListener("keydown", (event) => event.stopPropagation());
  for (const name of ["ask", "options", "closed", "feedback", "asides", "after"]) model.on(`change:${name}`, draw);
  draw();
}

export default living(render);
