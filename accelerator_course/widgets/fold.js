// The line of a fold: it opens and closes the box around it.
function render({ model, el }) {
  const button = node("button", { type: "button", class: "acc-fold-line", "aria-expanded": "false", ...quiet }, model.get("words"));
  button.addEventListener("click", () => {
    const open = around(el, ".acc-fold").classList.toggle("acc-open");
    button.setAttribute("aria-expanded", String(open));
  });
  el.replaceChildren(button);
}

export default { initialize: begun, render };
