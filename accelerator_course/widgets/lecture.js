// One question for the hall: stem, options, a show of hands, discussion, a second show of hands, the verdict.
// The main button, or the deck's key forward, takes the next step; hands that were entered are counted on the way.
function render({ model, el }) {
  const card = node("form", { class: "acc-question acc-lecture" });
  el.replaceChildren(card);
  const SAID = {
    stem: "Think first. What would you say?",
    options: "Hands up. Counts may be entered.",
    discuss: "Discuss with your neighbour, then vote again.",
    verdict: "",
  };
  const typed = {}; // by question and step: hands that were entered and not counted, for who goes back and comes again
  const NEXT = { stem: "Show the options", options: "Count, or go on", discuss: "Count again, or go on", verdict: "Next question" };

  function draw() {
    const step = model.get("step");
    const [options, reasons] = [model.get("options"), model.get("reasons")];
    const had = card.contains(focused(card));
    const stem = node("div", { class: "acc-stem", tabindex: "-1" });
    stem.innerHTML = model.get("ask");
    const asked = step === "options" || step === "discuss";
    const list = step === "stem" ? node("ol") : voted(model, { fields: asked, votes: model.get("votes"), reasons });
    const here = `${model.get("place")} ${step}`, fields = [...list.querySelectorAll("input")];
    fields.forEach((field, option) => (field.value = typed[here]?.[option] ?? ""));
    list.addEventListener("input", () => (typed[here] = fields.map((field) => field.value)));
    const said = node("div", { class: "acc-vote-reason" });
    if (!options.length && reasons.length) said.innerHTML = reasons[0].html;
    const go = {
      stem: () => ({ go: options.length ? "options" : "verdict" }),
      options: () => (counted(list).any ? { votes: counted(list).hands } : { go: "verdict" }),
      discuss: () => (counted(list).any ? { votes: counted(list).hands } : { go: "verdict" }),
      verdict: () => ({ go: "next" }),
    }[step];
    const main = node("button", { type: "submit", class: "acc-main", ...quiet }, options.length || step !== "stem" ? NEXT[step] : "Show the answer");
    if (step !== "verdict" || !model.get("last")) main.dataset.forward = step;
    if (step === "verdict" && model.get("last")) main.hidden = true;
    card.onsubmit = (event) => {
      event.preventDefault();
      model.send(go());
      delete typed[here];
    };
    card.dataset.step = step;
    const status = node("p", { class: "acc-kicker", role: "status" }, `${model.get("place")}. ${SAID[step]}`);
    const back = button("Question before", () => model.send({ go: "back" }), { "data-back": "question" });
    back.hidden = model.get("first");
    card.replaceChildren(status, stem, list, said, node("div", { class: "acc-buttons" }, main, back));
    if (had) (list.querySelector("input") ?? main).focus({ preventScroll: true });
  }

  card.addEventListener("keydown", (event) => event.stopPropagation());
  for (const name of ["ask", "options", "first", "last", "step", "votes", "reasons"]) model.on(`change:${name}`, draw);
  draw();
}

export default { initialize: begun, render };
