// The line of a fold: it opens and closes the box around it.
function render({ model, el }) {
  const line = button(model.get("words"), () => {
    const open = around(el, ".acc-fold").classList.toggle("acc-open");
    line.setAttribute("aria-expanded", String(open));
  }, { class: "acc-fold-line", "aria-expanded": "false" });
  el.replaceChildren(line);
}

export default { initialize: begun, render };
