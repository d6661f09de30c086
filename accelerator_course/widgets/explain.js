// A box for two or three sentences: saved in a pause and on leaving it; then a model answer to compare with.
const PAUSE = 1200; // ms without a key before it is saved
let boxes = 0;

function render({ model, el }) {
  const name = `acc-explain-${++boxes}`;
  const card = node("div", { class: "acc-question acc-explain", ...own });
  const ask = node("p", { class: "acc-ask", id: name });
  const box = node("textarea", {
    rows: 5, "aria-labelledby": name, placeholder: "Two or three sentences. Only you will read them.", ...quiet,
  });
  const status = node("p", { class: "acc-saved", role: "status" });
  const later = node("p", { class: "acc-waiting" }, "When you have written something, you can compare it with a model answer.");
  const answer = node("div", { class: "acc-said" });
  const told = node("summary", { "data-forward": "model", ...quiet }, "Compare with a model answer"); // a step of its own in a hall
  const fold = node("details", {}, told, answer,
    node("p", {}, "Yours may say it differently. What does each of the two say that the other does not?"));
  fold.addEventListener("toggle", () => fold.open && told.removeAttribute("data-forward"));
  card.append(ask, box, status, later, fold);
  el.replaceChildren(card);
  card.addEventListener("keydown", (event) => event.stopPropagation());

  const typed = unsaved(`explain ${model.get("ask")}`);
  let timer;
  function save() {
    clearTimeout(timer);
    if (box.value !== model.get("text") || model.get("saved") === "no") model.send({ text: box.value });
  }
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
    typed.put(box.value);
    if (box.value !== model.get("text")) status.textContent = "Not saved yet …";
  });
  box.addEventListener("blur", save);

  function tell() {
    const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const said = {
      "": "",
      before: "Kept from before. Change it as you like.",
      yes: `✔ Saved at ${time}`,
      no: "Could not be saved: the folder is not writable.",
    };
    if (box.value !== model.get("text")) return;
    status.textContent = said[model.get("saved")];
    if (model.get("saved") === "yes") typed.drop();
  }
  function draw() {
    ask.innerHTML = model.get("ask"); // made in Python from Markdown, every tag of the author's escaped
    answer.innerHTML = model.get("model");
    fold.hidden = !model.get("model");
    later.hidden = !fold.hidden;
  }
  for (const trait of ["text", "saved"]) model.on(`change:${trait}`, tell);
  for (const trait of ["ask", "model"]) model.on(`change:${trait}`, draw);
  box.value = model.get("text");
  draw();
  tell();
  typed.restore((text) => ((box.value = text), save()));
  return () => save();
}

export default living(render);
