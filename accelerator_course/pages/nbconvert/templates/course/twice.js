// The second press of a double click is for the button that had the first, not for what has come into its place: it neither
// presses that, nor moves a slider there, nor marks a word.
if (!document.accTwice) {
  let hit = (document.accTwice = {});
  const spare = (event) => {
    const button = event.target.closest?.("button, a, input, label, .acc-screen"), words = button?.textContent;
    const other = event.detail > 1 && (hit.button !== button || hit.words !== words);
    if (other) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (event.type === "click") hit = { button, words };
  };
  for (const kind of ["mousedown", "click"]) document.addEventListener(kind, spare, true);
}
