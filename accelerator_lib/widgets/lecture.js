// One question for the hall: stem, options, a show of hands, discussion, a second show of hands, the verdict.
function render({ model, el }) {
  const card = node("form", { class: "acc-question acc-lecture" });
  el.replaceChildren(card);

  function button(label, message, main = false) {
    const made = node("button", { type: main ? "submit" : "button", ...(main ? { class: "acc-main" } : {}), ...quiet }, label);
    if (!main) made.addEventListener("click", () => model.send(message));
    else card.onsubmit = (event) => {
      event.preventDefault();
      model.send(typeof message === "function" ? message() : message);
    };
    return made;
  }

  function counted(votes, position) {
    const total = votes.reduce((sum, count) => sum + count, 0) || 1;
    const share = Math.round((100 * votes[position]) / total);
    const bar = node("span", { class: "acc-bar", style: `width: ${Math.max(share, 1)}px`, "aria-hidden": "true" });
    return node("span", { class: "acc-vote" }, bar, `${votes[position]} hands, ${share} %`);
  }

  function line(html, position) {
    const letter = "ABCDEF"[position];
    const text = node("span", { class: "acc-lecture-text" });
    text.innerHTML = html;
    const row = node("li", {}, node("strong", {}, `${letter}  `), text);
    const step = model.get("step");
    const votes = model.get("votes");
    if (step !== "verdict") {
      row.append(node("input", { type: "number", min: 0, max: 9999, size: 4, "aria-label": `hands for ${letter}`, ...quiet }));
    }
    votes.forEach((vote, round) => {
      const label = votes.length > 1 || step === "verdict" ? ["before: ", "after: "][round] : "first vote: ";
      row.append(node("div", { class: "acc-votes" }, label, counted(vote, position)));
    });
    const reason = model.get("reasons")[position];
    if (reason) {
      const why = node("div", { class: "acc-reason" });
      why.innerHTML = reason.html;
      row.dataset.verdict = reason.right ? "right" : "wrong";
      why.prepend(node("strong", {}, reason.right ? "✔ Right. " : "✘ Not so. "));
      row.append(why);
    }
    return row;
  }

  function draw() {
    const step = model.get("step");
    const had = card.contains(document.activeElement);
    const stem = node("div", { class: "acc-stem", tabindex: "-1" });
    stem.innerHTML = model.get("ask");
    const list = node("ol", { class: "acc-lecture-options" }, ...(step === "stem" ? [] : model.get("options").map(line)));
    const hands = () => ({ votes: [...list.querySelectorAll("input")].map((field) => Number(field.value) || 0) });
    const buttons = {
      stem: () => [button("Show the options", { go: "options" }, true)],
      options: () => [button("Count this vote", hands, true), button("Verdict without a vote", { go: "verdict" })],
      discuss: () => [button("Count the second vote", hands, true), button("Verdict now", { go: "verdict" })],
      verdict: () => [button("Next question", { go: "next" }, true)],
    }[step]();
    const ask = {
      stem: "Think first. What would you say?",
      options: "Hands up: enter the counts.",
      discuss: "Discuss with your neighbour, then vote again.",
      verdict: "",
    }[step];
    const status = node("p", { class: "acc-kicker", role: "status" }, `Question ${model.get("place")}. ${ask}`);
    card.replaceChildren(status, stem, list, node("div", { class: "acc-buttons" }, ...buttons));
    if (had) (list.querySelector("input") ?? buttons[0]).focus({ preventScroll: true });
  }

  card.addEventListener("keydown", (event) => event.stopPropagation());
  for (const name of ["ask", "options", "step", "votes", "reasons"]) model.on(`change:${name}`, draw);
  draw();
}

export default { render };
