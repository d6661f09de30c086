// A stage on the page: feeds the player (views/stage/player.js) with what the kernel sends, saves what it makes.
const SAID = 6000; // ms that a saved file is spoken of
function render({ model, el: root }) {
  const note = node("p", { class: "acc-note", role: "status", hidden: "" }), stage = node("figure");
  root.classList.add("acc-picture");
  root.replaceChildren(note, stage);
  let run = -1;
  const made = node("p", { class: "acc-note", role: "status", hidden: "" });
  root.append(made);
  const ask = (what) => {
    model.send(what);
    if (what.save) tell(`Making the ${what.save.toUpperCase()} …`);
  };
  const tell = (text) => {
    made.textContent = text;
    made.hidden = !text;
  };
  const settled = (position, preview) => {
    const again = !preview && model.get("opened") === position; // where it had come to rest by itself, the reader has now brought it
    if (model.get("position") === position && !again) return;
    if (preview || again) model.set("opened", again ? -1 : position);
    model.set("position", position);
    model.save_changes();
  };
  const opens = model.get("opens") ? () => !around(root, ".acc-veiled") : null;
  const player = mount(stage, { saves: model.get("saves"), ask, settled, opens });
  when(root, () => around(root, ".acc-panel"), (panel) => {
    for (const event of ["pointerdown", "keydown"]) panel.addEventListener(event, player.touched, true);
  });
  function feed() {
    const { number, total, size, noun, follows, position, head, data } = model.get("part");
    if (head === undefined) return;
    // A new run says where it begins: what the player last told of the old one may still be on its way.
    const begins = run < 0 ? model.get("position") : position;
    if (number !== run) player.begin({ size, noun, follows, total, position: begins });
    else player.grow(total);
    run = number;
    player.load(head, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  function say() {
    const { text = "", wrong = false } = model.get("note");
    note.textContent = text;
    note.className = wrong ? "acc-error" : "acc-note";
    note.setAttribute("role", wrong ? "alert" : "status");
    note.hidden = !text;
    const covers = Boolean(text) && run >= 0; // what stood there keeps its room: no control moves
    root.classList.toggle("acc-covered", covers);
    stage.hidden = Boolean(text) && !covers;
  }
  model.on("change:part", feed);
  model.on("change:note", say);
  model.on("change:position", () => player.position === model.get("position") || player.go(model.get("position")));
  model.on("msg:custom", ({ file, type }, buffers) => {
    download(root, file, type, buffers[0]);
    tell(`Saved as ${file}.`);
    setTimeout(tell, SAID, "");
  });
  feed();
  say();
  return phrases(root, stage);
}

export default { initialize: begun, render };
