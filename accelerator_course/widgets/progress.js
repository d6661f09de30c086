// Where the learner stands; files to download and to restore.
const PAGES = { pdf: "Page to print (PDF)", png: "as a picture (PNG)" };
function render({ model, el }) {
  const table = node("table", { class: "acc-progress" });
  const review = node("div", { class: "acc-said" });
  const note = node("p", { role: "status", class: "acc-note" });
  const token = node("textarea", { readonly: "", rows: 2, "aria-label": "token for your instructor", ...quiet });
  const ask = (what) => () => model.send({ ask: what });
  const chooser = node("input", { type: "file", accept: ".jsonl,.json,.txt", hidden: "", "aria-label": "saved progress" });
  chooser.addEventListener("change", async () => {
    const file = chooser.files[0];
    chooser.value = "";
    if (!file) return;
    if (file.size > 8e6) note.textContent = `${file.name} is too large to be a saved progress.`;
    else model.send({ restore: await file.text() });
  });
  const copy = button("Copy the token", async () => {
    token.select();
    note.textContent = (await copied(token.value)) ? "Token copied." : "The token is selected: copy it.";
  });
  const buttons = node("div", { class: "acc-buttons" },
    button("Download my progress", ask("download")), button("Restore from a file …", () => chooser.click()),
    ...model.get("files").map((kind) => button(PAGES[kind], ask(kind))), button("Refresh", ask("refresh")), chooser);
  const label = node("p", { class: "acc-kicker" }, "Token for an instructor: scores by belief, no name, nothing else.");
  const card = node("div", { class: "acc-question acc-standing" }, table, review, buttons, note, label,
    node("div", { class: "acc-number" }, token, copy));
  card.addEventListener("keydown", (event) => event.stopPropagation());
  el.replaceChildren(card);

  function draw() {
    const [heading, ...rows] = model.get("table");
    table.replaceChildren(
      node("caption", { class: "acc-voice" }, "Progress by chapter"),
      node("thead", {}, node("tr", {}, ...heading.map((text) => node("th", { scope: "col" }, text)))),
      node("tbody", {}, ...rows.map((cells, at) => {
        const notebook = model.get("links")[at];
        const first = notebook ? notebookLink(model, notebook, cells[0]) : cells[0];
        return node("tr", {}, node("th", { scope: "row" }, first), ...cells.slice(1).map((text) => node("td", {}, text)));
      })),
    );
    review.replaceChildren(...model.get("review").map((html) => {
      const line = node("p");
      line.innerHTML = html; // made in Python from Markdown, every tag of the author's escaped
      return line;
    }));
    token.value = model.get("token");
    note.textContent = model.get("note");
  }
  for (const name of ["table", "links", "review", "token", "note"]) model.on(`change:${name}`, draw);
  model.on("msg:custom", (content, buffers) => download(card, content.file, content.type, buffers[0]));
  draw();
}

export default living(render);
