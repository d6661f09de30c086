// A line to copy, and buttons for files of the result.
function render({ model, el }) {
  const note = node("p", { role: "status", class: "acc-note" });
  const token = node("textarea", { readonly: "", rows: 1, "aria-label": "token of your design", ...quiet });
  const copy = button("Copy the token", async () => {
    token.select();
    note.textContent = (await copied(token.value)) ? "Token copied." : "The token is selected: copy it.";
  });
  const files = model.get("files").map((kind) =>
    button(`Report (${kind.toUpperCase()})`, () => model.send({ ask: kind })));
  const label = node("p", { class: "acc-kicker" }, "Token: your design in one line. It holds no score; whoever reads it computes that anew.");
  const card = node("div", { class: "acc-question acc-standing" }, label, node("div", { class: "acc-number" }, token, copy),
    node("div", { class: "acc-buttons" }, ...files), note);
  card.addEventListener("keydown", (event) => event.stopPropagation());
  el.replaceChildren(card);

  function draw() {
    token.value = model.get("token");
    note.textContent = model.get("note");
    for (const one of [copy, ...files]) one.disabled = !token.value;
  }
  for (const name of ["token", "note"]) model.on(`change:${name}`, draw);
  model.on("msg:custom", (content, buffers) => download(card, content.file, content.type, buffers[0]));
  draw();
}

export default living(render);
