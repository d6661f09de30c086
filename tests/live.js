// What a reader does on a live page of chapter 3, and what is seen there: test_browser_live.py calls one by its name.
const later = () => new Promise((done) => setTimeout(done, 20)), of = (cell) => document.querySelector(`[data-cell='${cell}']`);

const shown = (cell) => accLive.show(of(cell));
const focus = () => document.activeElement.closest("[data-control]")?.dataset.control;

async function seen() {
  await shown("two-times");
  return of("two-times").innerText;
}

// A slider goes to its end: what the table answers, and what Python does.
async function touched() {
  const live = of("mbu-panel"), [field, said] = live.querySelectorAll("input, output"), before = said.textContent;
  field.value = field.max;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  while (said.textContent === before) await later();
  while (!live.dataset.live) await later();
  return [before, said.textContent, live.querySelector(".acc-controls output").textContent];
}

async function guessed() {
  const box = of("two-times");
  await shown("two-times");
  [...box.querySelectorAll("label, button")].find((one) => one.innerText.includes("1.1 ms")).click();
  const commit = () => [...box.querySelectorAll("button:enabled")].find((one) => one.innerText === "Commit");
  while (!commit()) await later();
  commit().click();
  while (!box.innerText.includes("not 1.1 ms")) await later();
  await new Promise((done) => setTimeout(done, 1500)); // it is written when Python rests
}

// Done in one go while nothing is put in its place: a guess, a line that is reached, the hint of a check.
async function early() {
  const press = (cell, kind) => of(cell).dispatchEvent(new PointerEvent(kind, { bubbles: true }));
  press("ridge-transfer", "pointerdown");
  [...of("ridge-transfer").querySelectorAll("details")].find((one) => one.innerText === "Hint").open = true;
  of("running-case").querySelector(".acc-fold").open = true;
  await later();
  press("own-chip", "pointerdown");
  of("own-chip").querySelectorAll(".acc-option")[1].open = true;
  of("own-chip").querySelector(".acc-lines button").click();
  while (!of("own-chip").querySelector(".acc-ticked")) await later();
  press("own-chip", "pointerup");
  of("two-times").querySelector(".acc-lines button").click(); // another run, to its end: only Python has it
  return of("ridge-transfer").querySelector(".acc-stem").innerText;
}

// A guess before Python is there, and what is folded below it.
const unfolded = () => of("two-times").querySelectorAll(".acc-ask > details").forEach((one, place) => (one.open = place % 3));

// What a page shows of what was answered before, without a touch.
const kept = () => ["two-times", "roof-transfer", "x31"].map(of).map((live) => live.dataset.live ?? (live.querySelector(".acc-option[open]") ?? live).innerText);

// Of a picture that is wider than a phone, pushed to its end: how far from it its marks lie, and how many there are.
async function pushed(box) {
  const frame = () => new Promise(requestAnimationFrame), screen = box.querySelector(".acc-screen");
  box.querySelector(".acc-stage").style.setProperty("--narrow", "740px");
  screen.scrollLeft = 9999;
  for (let i = 0; i < 5; i++) await frame();
  const [paper, layer] = [screen.querySelector("svg"), box.querySelector(".acc-marks")].map((one) => one.getBoundingClientRect());
  const marks = layer.width && box.querySelectorAll(".acc-mark").length;
  return [screen.scrollLeft, Math.abs(paper.left - layer.left) + Math.abs(paper.width - layer.width), marks];
}
