// The door for the reader's own model and chip: in the chapter's bar, or where a page without one puts it (live.js).
const SHEET = {
  name: "my chip", format: "bf16", peak_tflops: 989.4, peak_counts: "dense", flop_per_clock: 540672, clock_mhz: 1830,
  memory_gb: 80, bandwidth_gb_s: 3350, link_gb_s: 900, link_counts: "both ways",
};
function door(model) {
  const summary = node("summary", { ...quiet }), said = node("p", { role: "status" });
  const text = node("textarea", { rows: 8, spellcheck: "false", "aria-label": "config.json, or ten fields of a datasheet", ...quiet });
  const chooser = node("input", { type: "file", accept: ".json,.txt", hidden: "", "aria-label": "config.json" });
  const use = (given) => model.send({ yours: given });
  chooser.addEventListener("change", async () => {
    const file = chooser.files[0];
    chooser.value = "";
    if (!file) return;
    if (file.size > 1e6) said.textContent = `${file.name} is too large to be a config.json.`;
    else use((text.value = await file.text()));
  });
  const back = button("✕", () => use(""));
  back.setAttribute("aria-label", back.title = "back to the course's own models and chips");
  const card = node("div", { class: "acc-yours-card" },
    node("p", {}, "Paste a model's config.json (it lies beside the weights), or ten fields of a chip's datasheet. The menus of every chapter then list it. Nothing is guessed: if a field is missing, you are told which."),
    text, node("div", { class: "acc-buttons" }, button("Use it", () => use(text.value)), button("Open a file …", () => chooser.click()),
      button("A datasheet to fill in", () => (text.value = JSON.stringify(SHEET, null, 1))), button("Back to the course's own", () => use(""))),
    said, chooser);
  const details = node("details", {}, summary, card), made = node("span", { class: "acc-yours" }, details, back);
  details.addEventListener("keydown", (event) => event.key === "Escape" && ((details.open = false), summary.focus()));
  const draw = () => {
    const names = model.get("yours");
    summary.textContent = names.join(", ") || "your model or chip";
    summary.title = names.join(", ");
    made.classList.toggle("acc-chosen", names.length > 0);
    back.hidden = !names.length;
    said.textContent = model.get("said");
  };
  for (const name of ["yours", "said"]) model.on(`change:${name}`, draw);
  draw();
  return made;
}

