// The second press of a double click is for the button that had the first, not for what has come into its place.
if (!document.accTwice) {
  let hit = (document.accTwice = {});
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button, a, input, label, .acc-screen"), words = button?.textContent;
    const other = event.detail > 1 && (hit.button !== button || hit.words !== words);
    if (!other) return (hit = { button, words });
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}
