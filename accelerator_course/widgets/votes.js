// Options put to the vote: large letters, a field for the hands of each, and bars that share an origin and a scale.
function voted(model, { fields, votes = [], reasons = [] }) {
  const names = votes.length > 1 ? ["before", "after"] : [""];
  const line = (html, position) => {
    const letter = "ABCDEFGH"[position];
    const text = node("div", { class: "acc-vote-text" });
    text.innerHTML = html;
    const row = node("li", {}, node("strong", { class: "acc-vote-letter" }, letter), text);
    if (fields) {
      const hands = field(letter);
      row.append(hands);
      row.addEventListener("click", () => hands.focus());
    }
    if (votes.length) row.append(node("div", { class: "acc-tally" }, ...votes.map((vote, round) => bar(vote, position, names[round]))));
    const reason = reasons[position];
    if (reason) {
      row.dataset.verdict = reason.right ? "right" : "wrong";
      const why = node("div", { class: "acc-vote-reason" });
      why.innerHTML = reason.html;
      why.prepend(node("strong", {}, reason.right ? "✔ Right. " : "✘ Not so. "));
      row.append(why);
    }
    return row;
  };
  const counts = fields || votes.length > 0; // else options and reasons have all the room
  return node("ol", { class: `acc-vote-options${counts ? "" : " acc-vote-read"}` }, ...model.get("options").map(line));
}

// Digits alone; arrows lead to the field above and below, Enter to the next. (A number field would count by wheel and arrow, unasked.)
function field(letter) {
  const made = node("input", { type: "text", class: "acc-hands", inputmode: "numeric", maxlength: 4, placeholder: "hands", "aria-label": `hands for ${letter}`, ...quiet });
  made.addEventListener("input", () => (made.value = made.value.replace(/\D/g, "")));
  made.addEventListener("keydown", (event) => {
    const by = { ArrowUp: "previousSibling", ArrowDown: "nextSibling", Enter: "nextSibling" }[event.key];
    const other = by && made.closest("li")[by]?.querySelector("input");
    if (!by || (event.key === "Enter" && !other)) return; // from the last field, Enter is the main button
    event.preventDefault();
    other?.focus();
  });
  return made;
}

function bar(vote, position, name) {
  const total = vote.reduce((sum, count) => sum + count, 0) || 1;
  const share = Math.round((100 * vote[position]) / total);
  const filled = node("div", { class: `acc-share${name === "before" ? " acc-share-before" : ""}`, style: `width: ${share}%` });
  const track = node("div", { class: "acc-share-track", "aria-hidden": "true" }, filled);
  const hands = vote[position] === 1 ? "1 hand" : `${vote[position]} hands`;
  return node("div", { class: "acc-share-line" }, track, node("span", {}, `${name} ${hands}, ${share} %`.trim()));
}

// The hands entered so far, and whether there are any.
function counted(list) {
  const hands = [...list.querySelectorAll("input")].map((field) => Number(field.value) || 0);
  return { hands, any: hands.some(Boolean) };
}
