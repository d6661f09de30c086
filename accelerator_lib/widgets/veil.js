// Covers the picture of the panel below until its question is answered, folds the takeaway that follows, and marks
// the guess on the picture: it stands where the reader put it, and glides to the truth.
const WAIT = 700; // ms that a guess stands alone before it moves
const GLIDE = 1000; // ms; style.css says the same

function render({ model, el }) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const cover = node("div", { class: "acc-cover" });
  const layer = node("div", { class: "acc-marks", "aria-hidden": "true" });
  const words = node("div", { class: "acc-beside", "aria-hidden": "true" });
  cover.append(
    node("p", { class: "acc-cover-title" }, "Your guess opens the picture."),
    node("p", {}, `${OPENING.name} opens everything on this page.`),
  );
  el.classList.add("acc-veil");
  let box = null; // the question and its panel
  let opened = model.get("uncovered"); // by the key, or from the start: for good
  let shown = -1; // the question that asked to be shown: the page need not wait for the kernel
  let drawn = -1; // the turn whose marks stand there
  const folds = folder("What you saw: opens with the picture.", 0);
  const clean = [];

  const covered = () => !opened && model.get("state") === "asked" && shown !== model.get("at");
  const picture = () => box.querySelector(".acc-panel .acc-picture");
  const screen = () => picture()?.querySelector("figure img, figure svg, svg, canvas");

  function draw() {
    if (!box) return;
    const veiled = covered();
    box.classList.toggle("acc-veiled", veiled);
    for (const side of box.querySelectorAll(".acc-panel .acc-controls")) side.inert = veiled && Boolean(picture());
    furnish();
    folds(veiled ? takeaway(box) : []);
    mark();
  }

  // Cover, words and marks lie in the picture's own element, and survive that its content is replaced.
  function furnish() {
    const home = picture();
    if (!home) return;
    if (cover.parentElement !== home) home.append(cover, layer);
    if (model.get("beside") && words.parentElement !== home) home.prepend(words);
    const image = screen();
    if (!image) return;
    const [outer, inner] = [home.getBoundingClientRect(), image.getBoundingClientRect()];
    const px = (value) => `${value.toFixed(1)}px`;
    Object.assign(layer.style, {
      left: px(inner.left - outer.left), top: px(inner.top - outer.top), width: px(inner.width), height: px(inner.height),
      fontSize: px(Math.min(13, Math.max(9, inner.width / 40))),
    });
  }

  function mark() {
    const { guesses, truth } = model.get("marks");
    const there = truth && !covered() && model.get("state") !== "asked";
    if (!there) {
      layer.replaceChildren();
      words.replaceChildren();
      drawn = -1;
    } else if (drawn !== model.get("turn") && screen()) {
      drawn = model.get("turn");
      (truth.spot ? onPicture : besidePicture)(guesses, truth);
    }
  }

  // One thing at a spot of the picture: a ring, or a line along an axis, a bar or a column.
  function thing(kind, spot) {
    const made = node("div", { class: `acc-mark acc-mark-${kind} acc-mark-${shape(spot)}` });
    move(made, spot);
    layer.append(made);
    return made;
  }
  function shape([left, right, top, bottom]) {
    return bottom > top ? "tall" : right > left ? "wide" : "point";
  }
  function move(made, [left, right, top, bottom]) {
    const percent = (share) => `${(100 * share).toFixed(2)}%`;
    Object.assign(made.style, {
      left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top),
    });
  }

  // A label beside its mark, within the picture's width, and clear of the labels that are there.
  function label(kind, text, spot, below) {
    const made = node("span", { class: `acc-mark-label acc-mark-${kind}` }, text);
    layer.append(made);
    const [wide, high, w, h] = [layer.clientWidth, layer.clientHeight, made.offsetWidth, made.offsetHeight];
    const [left, right, top, bottom] = [spot[0] * wide, spot[1] * wide, spot[2] * high, spot[3] * high];
    const beside = right + w + 16 < wide ? right + 16 : left - w - 16;
    const above = (lines) => [(left + right - w) / 2, top - (lines + 1) * (h + 2)];
    const under = (lines) => [(left + right - w) / 2, bottom + 2 + lines * (h + 2)];
    let places = below ? [under(0), under(1), above(0)] : [above(0), above(1), under(0)];
    if (shape(spot) === "point") places = [0, 1, -1, 1.5, -1.5].map((line) => [beside, top - h / 2 + line * (below ? h : -h)]);
    if (bottom - top > 0.5 * high) places = [0, 1, 2, 3].map((line) => [beside - 8, top + 2 + line * (h + 2)]);
    const clear = ([x, y]) => [...layer.querySelectorAll(".acc-mark-label")].every((one) => one === made ||
      x > one.offsetLeft + one.offsetWidth + 4 || one.offsetLeft > x + w + 4 ||
      y > one.offsetTop + one.offsetHeight || one.offsetTop > y + h);
    places = places.map(([x, y]) => [Math.min(Math.max(x, 0), wide - w), y]);
    const [x, y] = places.find(clear) ?? places[0];
    Object.assign(made.style, { left: `${((100 * x) / wide).toFixed(2)}%`, top: `${((100 * y) / high).toFixed(2)}%` });
  }

  function onPicture(guesses, truth) {
    layer.replaceChildren();
    const others = guesses.filter((guess) => String(guess.spot) !== String(truth.spot));
    const met = guesses.find((guess) => !others.includes(guess));
    const middle = (spot) => spot[2] + spot[3];
    others.forEach((guess) => {
      thing("guess", guess.spot);
      label("guess", guess.text, guess.spot, middle(guess.spot) > middle(truth.spot));
    });
    const told = met ? (met.text.endsWith(`: ${truth.text}`) ? `${truth.text}, as you guessed` : met.text) : truth.text;
    const moving = thing("truth", (others[0] ?? truth).spot);
    const lower = others.some((guess) => middle(guess.spot) < middle(truth.spot));
    arrive(others.length > 0, () => move(moving, truth.spot), () => label("truth", told, truth.spot, lower));
  }

  function besidePicture(guesses, truth) {
    const right = guesses.some((guess) => guess.text === `your guess: ${truth.text}`);
    const said = guesses.map((guess) => node("span", { class: "acc-pill acc-mark-guess" }, guess.text));
    const pill = node("span", { class: "acc-pill acc-mark-truth" }, right ? "so it is" : truth.text);
    words.replaceChildren(...said, ...(said.length ? [node("span", { class: "acc-arrow" }, "→")] : []), pill);
    words.classList.toggle("acc-arrived", !said.length);
    arrive(said.length > 0, () => words.classList.add("acc-arrived"), () => {});
  }

  // The guess stands for a moment once it is in sight, then moves.
  function arrive(moves, go, done) {
    if (!moves || calm.matches) {
      go();
      return done();
    }
    const turn = drawn;
    const still = (action) => () => drawn === turn && action();
    const watcher = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watcher.disconnect();
      setTimeout(still(() => { go(); setTimeout(still(done), GLIDE); }), WAIT);
    });
    watcher.observe(screen());
    clean.push(() => watcher.disconnect());
  }

  function attach(found) {
    box = found;
    let waiting = false;
    const soon = () => {
      if (!waiting) requestAnimationFrame(() => { waiting = false; draw(); });
      waiting = true;
    };
    const watch = (target) => {
      const observer = new MutationObserver(soon);
      observer.observe(target, { childList: true, subtree: true });
      clean.push(() => observer.disconnect());
    };
    watch(box);
    if (covered()) watch(pageOf(box)); // the takeaway may come later than this
    const sizes = new ResizeObserver(soon);
    sizes.observe(box);
    clean.push(() => sizes.disconnect());
    box.addEventListener("click", (event) => {
      if (event.target.dataset?.ask !== "show") return;
      shown = model.get("at");
      draw();
    }, true);
    draw();
  }

  const key = (event) => {
    if (!opens(event)) return;
    event.preventDefault();
    opened = true;
    draw();
  };
  document.addEventListener("keydown", key, true);
  clean.push(() => document.removeEventListener("keydown", key, true), () => folds([]));

  // A new question: the keyboard goes to it.
  function ask() {
    const place = model.get("at");
    const find = (tries) => {
      const card = box.querySelectorAll(".acc-question")[place];
      if (!card) return tries && setTimeout(() => find(tries - 1), 50);
      card.querySelector("input")?.focus({ preventScroll: true });
      card.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
    };
    find(40);
  }

  for (const name of ["state", "marks", "turn", "at"]) model.on(`change:${name}`, draw);
  model.on("change:at", ask);
  clean.push(when(el, () => around(el, ".acc-predict"), attach));
  return () => clean.forEach((undo) => undo());
}

export default { initialize: begun, render };
