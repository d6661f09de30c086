// The lines below a panel: each sets it, and is ticked; "What you saw" below is folded until all are, or on request. Their
// foot stays whatever is done, so that nothing moves under the pointer.
const TOLD = 2500; // ms that the text is framed

function render({ model, el }) {
  const list = node("ol"), left = node("span", { role: "status" });
  const tell = node("button", { type: "button", class: "acc-tell", ...quiet }, "Tell me what is seen");
  const also = node("span", { class: "acc-also", role: "status" });
  const foot = node("p", { class: "acc-left" }, left, tell, also);
  const lines = model.get("lines").map((says, place) => {
    const done = node("span", { class: "acc-hush" }), line = button(says, () => model.send({ press: place }));
    line.append(done);
    list.append(node("li", {}, line));
    return { line, done };
  });
  tell.addEventListener("click", () => {
    if (waits()) return model.send({ tell: true });
    const [cell] = takeaway(el);
    cell?.scrollIntoView({ block: "nearest" });
    cell?.classList.add("acc-told"); // it may have been in sight: the press is answered all the same
    setTimeout(() => cell?.classList.remove("acc-told"), TOLD);
  });
  el.classList.add("acc-tasks");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", "to try on this panel");
  el.replaceChildren(list, foot);
  const folds = folder("What you saw: opens when you have done the lines above.", 1);
  const clean = [() => folds([])];
  let opened = false; // by the key

  const waits = () => !opened && !model.get("told") && model.get("done").includes(false);
  function fold() {
    const cells = el.isConnected ? takeaway(el) : [];
    folds(waits() ? cells : []);
    tell.hidden = !cells.length;
    tell.textContent = waits() ? "Tell me what is seen" : "What you saw: open below ↓";
  }
  function draw() {
    const done = model.get("done");
    lines.forEach(({ line, done: said }, place) => {
      line.classList.toggle("acc-ticked", done[place]);
      said.textContent = done[place] ? ": done" : "";
    });
    left.textContent = `${done.filter(Boolean).length} of ${done.length} done. `;
    also.textContent = model.get("also") && ` Set back: ${model.get("also")}.`;
    fold();
  }
  function attach() {
    let waiting = false;
    const soon = () => {
      if (!waiting && waits()) requestAnimationFrame(() => ((waiting = false), fold()));
      waiting = waits();
    };
    const observer = new MutationObserver(soon); // what is to be folded may come later than this
    if (waits()) observer.observe(pageOf(el), { childList: true, subtree: true });
    clean.push(() => observer.disconnect());
    draw();
  }
  const key = (event) => {
    if (!opens(event)) return;
    event.preventDefault();
    opened = true;
    draw();
  };
  document.addEventListener("keydown", key, true);
  clean.push(() => document.removeEventListener("keydown", key, true));
  for (const name of ["done", "told", "also"]) model.on(`change:${name}`, draw);
  draw();
  clean.push(when(el, () => around(el, ".acc-panel"), attach));
  return () => clean.forEach((undo) => undo());
}

export default { initialize: begun, render };
