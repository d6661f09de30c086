// The question and its picture are one box. Until there is a guess, the picture stands still at its first frame: its
// sentence is hidden, its controls rest, and a guess that is only looked at lies on it as a ghost. Then it plays to the
// truth, the ghost stays, and the line between question and picture says how far they are apart.
const WAIT = 700; // ms that a guess stands alone before it moves
const GLIDE = 1000; // ms; style.css says the same
const RUN = 2500, LONGEST = 20_000; // ms that a run takes to the truth; in a hall, at the speed of its bar, at most

function render({ model, el }) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const lead = node("div", { class: "acc-lead" }); // in place of the picture's sentence
  const layer = node("div", { class: "acc-marks", "aria-hidden": "true" });
  const words = node("div", { class: "acc-beside" });
  el.classList.add("acc-veil");
  el.append(words);
  let box = null; // the question and its panel
  let opened = model.get("uncovered"); // by the key, or from the start: for good
  let shown = -1; // the question that asked to be shown: the page need not wait for the kernel
  let drawn = -1; // the turn whose marks stand there
  let looked = -1; // the option that the pointer is on
  let was = null; // whether it waited when it was last drawn
  let kept = 0; // the width for which room is kept where the words stand
  let playing = false; // the run to the answer, of a panel without lines to try
  const folds = folder("What you saw: opens with the picture.", 0), waits = folder("What you saw: opens when the run has come to its end.", 1);
  const clean = [];

  const hidden = (part) => { // most of it is out of sight
    const { top, bottom, height } = part.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0) < 0.6 * Math.min(height, innerHeight);
  };
  const covered = () => !opened && model.get("state") === "asked" && shown !== model.get("at");
  const picture = () => box.querySelector(".acc-panel .acc-picture");
  const screen = () => picture()?.querySelector("figure .acc-screen, figure svg, svg, canvas");
  const paper = () => [...(screen()?.querySelectorAll("svg, canvas") ?? [])].find((one) => one.getBoundingClientRect().width) ?? screen();
  const card = () => [...box.querySelectorAll(".acc-question")].at(model.get("at"));
  const radios = () => [...(card()?.querySelectorAll("input[type=radio]") ?? [])];

  function draw() {
    if (!box) return;
    const veiled = covered();
    box.classList.toggle("acc-veiled", veiled);
    if (picture()) for (const part of box.querySelectorAll(".acc-panel .acc-controls, .acc-panel figure")) part.inert = veiled;
    furnish();
    if (was && !veiled && !opened && !calm.matches) playing = "to" in model.get("marks") && !box.querySelector(".acc-tasks");
    folds(veiled ? takeaway(box) : []);
    waits(playing && !veiled && !opened ? takeaway(box) : []);
    mark();
    // For whoever waits until the answer may be seen.
    if (was && !veiled && !opened) { // the reply has come between
      requestAnimationFrame(() => picture() && hidden(picture()) && picture().scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" }));
    }
    if (was && !veiled) box.dispatchEvent(new CustomEvent("acc-opened", { bubbles: true, composed: true }));
    was = veiled;
  }

  // Lead and marks lie in the picture's own element, and survive that its content is replaced.
  function furnish() {
    const home = picture();
    if (!home) return;
    if (layer.parentElement !== home) home.append(lead, layer);
    keep();
    const part = home.querySelector("figcaption"), image = paper(), seen = screen()?.getBoundingClientRect();
    if (part) over(lead, part.getBoundingClientRect(), home);
    if (!image) return;
    const whole = image.getBoundingClientRect(), cut = whole.width > seen.width + 1; // wider than a phone: it is pushed
    over(layer, whole, home);
    layer.style.clipPath = cut ? `inset(-9em ${whole.right - seen.right}px -9em ${seen.left - whole.left}px)` : "";
    const size = `${layer.clientWidth} ${layer.clientHeight} ${inked().length}`; // the curves come after the guess
    if (layer.dataset.size !== size) labels().forEach(lay); // they were placed for another picture
    layer.dataset.size = size;
    layer.style.fontSize = `${Math.min(13, Math.max(9, image.getBoundingClientRect().width / 40)).toFixed(1)}px`;
    const told = covered() ? [`Your guess first: then ${model.get("plays") ? "it plays" : "the picture answers"}.`, model.get("waits")] : [];
    if (lead.children.length !== told.length || lead.lastChild?.textContent !== told.at(-1)) {
      lead.replaceChildren(...told.map((text) => node("p", {}, text)));
    }
  }

  function over(made, inner, home) {
    const outer = home.getBoundingClientRect();
    const px = (value) => `${value.toFixed(1)}px`;
    const place = { left: px(inner.left - outer.left), top: px(inner.top - outer.top), width: px(inner.width), height: px(inner.height) };
    for (const [side, value] of Object.entries(place)) if (made.style[side] !== value) made.style[side] = value;
  }

  // What stands on the picture and in the line above it: a ghost, guess and truth, or nothing.
  function mark() {
    const { guesses, truth } = model.get("marks");
    const there = truth && !covered() && model.get("state") !== "asked";
    if (!there) {
      drawn = -1;
      ghost();
    } else if (drawn !== model.get("turn") && screen()) {
      drawn = model.get("turn");
      (truth.spot ? onPicture : inWords)(guesses, truth);
    }
  }

  function ghost() {
    const wait = covered() && picture(), offered = model.get("offered");
    const seen = looked < 0 ? radios().findIndex((radio) => radio.checked) : looked;
    const guess = wait && offered[seen];
    const chosen = guess && radios()[seen]?.checked;
    const now = guess ? `${model.get("at")} ${seen} ${chosen}` : wait ? "waits" : "";
    const lies = layer.querySelector(".acc-mark-guess") || !guess?.spot;
    if (words.dataset.now === now && lies) return;
    words.dataset.now = now;
    layer.replaceChildren();
    if (guess) {
      words.replaceChildren(pill("guess", `${chosen ? "" : "would be "}your guess: ${guess.text}`));
      if (guess.spot) {
        thing("guess", guess.spot);
        label("guess", guess.text, guess.spot, false);
      }
    } else words.replaceChildren(...(wait ? [node("span", { class: "acc-key" }, `${OPENING.name} opens all pictures of this page.`)] : []));
  }

  // The option whose place on the picture is nearest to where the pointer is.
  function nearest(event) {
    const { left, top, width, height } = layer.getBoundingClientRect();
    const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
    const off = (value, from, to) => Math.max(from - value, value - to, 0);
    const far = ({ spot }) => Math.hypot(off(x, spot[0], spot[1]) * width, off(y, spot[2], spot[3]) * height);
    const offered = model.get("offered");
    if (!covered() || !offered.length || !offered.every(({ spot }) => spot) || x < 0 || x > 1 || y < 0 || y > 1) return -1;
    return offered.reduce((best, one, place) => (far(one) < far(offered[best]) ? place : best), 0);
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

  // A label beside its mark, within the picture's width, clear of the labels before it and, at a point, of curves if it can be.
  function label(kind, text, spot, below) {
    const made = Object.assign(node("span", { class: `acc-mark-label acc-mark-${kind}` }, text), { lies: { spot, below } });
    layer.append(made);
    lay(made);
  }
  const labels = () => [...layer.querySelectorAll(".acc-mark-label")];
  function lay(made) {
    const { spot, below } = made.lies, all = labels(), before = all.slice(0, all.indexOf(made));
    const [wide, high, w, h] = [layer.clientWidth, layer.clientHeight, made.offsetWidth, made.offsetHeight];
    const [left, right, top, bottom] = [spot[0] * wide, spot[1] * wide, spot[2] * high, spot[3] * high];
    const beside = right + w + 16 < wide ? right + 16 : left - w - 16;
    const above = (lines) => [(left + right - w) / 2, top - (lines + 1) * (h + 2)];
    const under = (lines) => [(left + right - w) / 2, bottom + 2 + lines * (h + 2)];
    let places = below ? [under(0), under(1), above(0)] : [above(0), above(1), under(0)];
    if (shape(spot) === "point") places = [0, 1, -1, 1.5, -1.5].map((line) => [beside, top - h / 2 + line * (below ? h : -h)]);
    if (bottom - top > 0.5 * high) places = [0, 1, 2, 3].map((line) => [beside - 8, top + 2 + line * (h + 2)]);
    const clear = ([x, y]) => before.every((one) =>
      x > one.offsetLeft + one.offsetWidth + 4 || one.offsetLeft > x + w + 4 ||
      y > one.offsetTop + one.offsetHeight || one.offsetTop > y + h);
    places = places.map(([x, y]) => [Math.min(Math.max(x, 0), wide - w), y]);
    const ink = shape(spot) === "point" ? curves() : [], free = places.filter(clear);
    const open = ([x, y]) => !ink.some((at) => at.x > x && at.x < x + w && at.y > y && at.y < y + h);
    const [x, y] = free.find(open) ?? free[0] ?? places[0];
    Object.assign(made.style, { left: `${((100 * x) / wide).toFixed(2)}%`, top: `${((100 * y) / high).toFixed(2)}%` });
  }
  const inked = () => [...(screen()?.querySelectorAll(".path.line path") ?? [])];
  // Points of the curves of the picture, a few pixels apart, from the layer's corner.
  function curves() {
    const { left, top } = layer.getBoundingClientRect();
    return inked().flatMap((path) => {
      const to = path.getScreenCTM(), count = Math.ceil(path.getTotalLength() / 6);
      return Array.from({ length: count }, (_, i) => path.getPointAtLength(6 * i).matrixTransform(to)).map(({ x, y }) => ({ x: x - left, y: y - top }));
    });
  }
  const pill = (kind, text) => node("span", { class: `acc-pill acc-mark-${kind}`, title: text }, text);

  // Guess, truth and gap, in words; told at once, or when the truth has arrived.
  function tell(guesses, truth, at) {
    const { gap } = model.get("marks");
    const said = gap === "as you guessed" && guesses.length === 1 ? [] : guesses.map((guess) => pill("guess", guess.text));
    words.dataset.now = "told";
    words.classList.toggle("acc-arrived", at);
    words.replaceChildren(...said, ...(said.length ? [node("span", { class: "acc-arrow", "aria-hidden": "true" }, "→")] : []),
      pill("truth", truth.text), ...(gap ? [node("span", { class: "acc-gap" }, gap)] : []));
    kept = 0;
    keep();
  }

  // Their room is kept when they go, so that nothing below moves; at another width it is another.
  function keep() {
    if (kept === words.offsetWidth) return;
    kept = words.offsetWidth;
    words.style.minHeight = "";
    const high = words.dataset.now === "told" && words.offsetHeight;
    if (high) words.style.minHeight = `${high}px`;
  }

  function onPicture(guesses, truth) {
    layer.replaceChildren();
    const others = guesses.filter((guess) => guess.spot && String(guess.spot) !== String(truth.spot)); // off the axes: in words
    const met = guesses.find((guess) => String(guess.spot) === String(truth.spot));
    const middle = (spot) => spot[2] + spot[3];
    others.forEach((guess) => {
      thing("guess", guess.spot);
      label("guess", guess.text, guess.spot, middle(guess.spot) > middle(truth.spot));
    });
    const hands = met && !met.text.endsWith(`: ${truth.text}`);
    const told = met ? (hands ? met.text : `${truth.text}, as you guessed`) : truth.text;
    const moving = thing("truth", (others[0] ?? truth).spot), held = screen(), far = (truth.spot[0] + truth.spot[1]) / 2 * layer.clientWidth - held.scrollLeft;
    if (far < 0 || far > held.clientWidth) held.scrollLeft += far - held.clientWidth / 2;
    const lower = others.some((guess) => middle(guess.spot) < middle(truth.spot));
    tell(guesses, truth, !others.length);
    arrive(others.length > 0, () => move(moving, truth.spot), () => {
      label("truth", told, truth.spot, lower);
      words.classList.add("acc-arrived");
    });
  }

  function inWords(guesses, truth) {
    layer.replaceChildren();
    tell(guesses, truth, !guesses.length);
    arrive(guesses.length > 0, () => words.classList.add("acc-arrived"), () => {});
  }

  // A run plays to the state in which the answer is seen: on from where it stands, or anew where it is past that. Gives the
  // ms that it takes: as long as Play in a hall, which waits for it together.
  function run() {
    const { to } = model.get("marks"), stage = picture().querySelector(".acc-stage");
    if (to === undefined || !stage) return WAIT;
    const at = Number(stage.querySelector("input[type=range]").value), on = at < to;
    const pace = around(el, ".acc-slide") ? Number(stage.querySelector("select").value) : 0;
    const ms = Math.min(LONGEST, Math.max(RUN, pace * (to - (on ? at : 0))));
    stage.dispatchEvent(new CustomEvent("acc-open", { detail: { to, ms, on } }));
    return ms;
  }

  // Once it is in sight, a run plays; the guess stands for that long, or for a moment, then moves.
  function arrive(moves, go, done) {
    if (!moves || calm.matches) (go(), done());
    if (calm.matches) return run();
    const turn = drawn;
    const still = (action) => () => drawn === turn && action();
    const watcher = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watcher.disconnect();
      const ms = drawn === turn && run();
      setTimeout(() => ((playing = false), draw()), ms);
      if (moves) setTimeout(still(() => { go(); setTimeout(still(done), GLIDE); }), ms);
    }, { threshold: 0.3 });
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
    if (picture()) sizes.observe(picture()); // reasons beside it, and it is narrower
    box.addEventListener("load", soon, true); // a picture knows its size when it is there
    box.addEventListener("scroll", furnish, true); // one that is pushed sideways takes its marks along
    clean.push(() => (sizes.disconnect(), box.removeEventListener("load", soon, true), box.removeEventListener("scroll", furnish, true)));
    listen();
    draw();
  }

  function listen() {
    const look = (place) => {
      if (place !== looked) (looked = place), mark();
    };
    const hover = (event) => {
      const line = event.target.closest?.(".acc-option");
      look(line ? radios().findIndex((radio) => line.contains(radio)) : picture()?.contains(event.target) ? nearest(event) : -1);
    };
    const press = (event) => {
      if (event.target.dataset?.ask === "show") {
        shown = model.get("at");
        draw();
      } else if (picture()?.contains(event.target)) radios()[nearest(event)]?.click();
    };
    const on = { pointermove: hover, pointerleave: () => look(-1), change: () => mark(), click: press };
    for (const [name, act] of Object.entries(on)) {
      box.addEventListener(name, act, name === "click");
      clean.push(() => box.removeEventListener(name, act, name === "click"));
    }
  }

  const key = (event) => {
    if (!opens(event)) return;
    event.preventDefault();
    opened = true;
    if (!model.get("uncovered")) model.send({ open: true });
    draw();
  };
  document.addEventListener("keydown", key, true);
  clean.push(() => document.removeEventListener("keydown", key, true), () => folds([]), () => waits([]));

  // A new question: the keyboard goes to it.
  function ask() {
    const place = model.get("at");
    const find = (tries) => {
      const card = box.querySelectorAll(".acc-question")[place];
      if (!card) return tries && setTimeout(() => find(tries - 1), 50);
      card.querySelector("input")?.focus({ preventScroll: true });
      (card.querySelector("legend") ?? card).scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
    };
    find(40);
  }

  for (const name of ["state", "marks", "turn", "at", "offered", "plays", "waits"]) model.on(`change:${name}`, draw);
  model.on("change:uncovered", () => ((opened ||= model.get("uncovered")), draw()));
  model.on("change:at", ask);
  clean.push(when(el, () => around(el, ".acc-predict"), attach));
  return () => clean.forEach((undo) => undo());
}

export default { initialize: begun, render };
