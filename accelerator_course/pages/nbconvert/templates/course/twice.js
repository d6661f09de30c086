// The second press of a double click is for the button that had the first, not for what has come into its place: it neither
// presses that, nor moves a slider there, nor marks a word, nor stops a film that has begun.
if (!document.accTwice) {
  const DOUBLE = 500, NEAR = 6; // ms and pixels between two presses of one double click
  let hit = (document.accTwice = {});
  const spare = (event) => {
    const button = event.target.closest?.("button, a, input, label, .acc-screen"), words = button?.textContent;
    const soon = event.timeStamp - hit.at < DOUBLE && Math.hypot(event.clientX - hit.x, event.clientY - hit.y) < NEAR;
    const second = event.type === "pointerdown" ? soon : event.detail > 1; // a pointer does not count its presses
    const other = second && (hit.button !== button || hit.words !== words);
    if (other) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (event.type === "click") hit = { button, words, at: event.timeStamp, x: event.clientX, y: event.clientY };
  };
  for (const kind of ["pointerdown", "mousedown", "click"]) document.addEventListener(kind, spare, true);
}
