// A machine to scale, from its rack to the bits of one multiply-accumulate: one canvas, one camera. The scene comes from Python
// (scale.py): every box in millimetres, every fact in words. Drawn is only what is in view and larger than a few pixels.
const toScale = (() => {
const ROOM = 1.14, LEAST = 3, OPENS = 16, OPEN = 34, TEXT = 12; // of a view around its part; pixels: of a cell, where parts begin and end to appear, of letters
const FLY = 900, HOLD = 1600, SLOWED = 1e7, UNKNOWN = 1000; // ms: of a flight, of a step without motion; of seconds; ms of a step without a published time
const cut = (name) => name.split(",")[0];

// ---- Words, as accelerator_lib.units says them.
const PREFIXES = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
const number = (value) => (value >= 1000 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3)));
function si(value, unit) {
  const [size, prefix] = PREFIXES.find(([size]) => value >= 0.9995 * size) ?? PREFIXES.at(-1);
  return `${+(value / size).toPrecision(3)} ${prefix}${unit}`;
}
const bytes = (value) => (value % 1024 || value >= 1e9 ? si(value, "B") : value < 2 ** 20 ? `${value / 1024} KiB` : `${+(value / 2 ** 20).toPrecision(3)} MiB`);
const area = (value) => (value > 1e5 ? `${number(value / 1e6)} m²` : value < 0.01 ? `${number(value * 1e6)} µm²` : `${number(value)} mm²`);
const KINDS = { // of a fact: [what it is called, its words]
  mm2: ["area", area], count: ["how many", (value) => value.toLocaleString("en")], bytes: ["holds", bytes],
  bytes_per_s: ["delivers", (value) => si(value, "B/s")], seconds: ["takes", (value) => si(value, "s")], watts: ["draws", (value) => si(value, "W")],
  pj: ["energy of a byte", (value) => `${number(value)} pJ`], op_pj: ["energy of an operation", (value) => `${number(value)} pJ`],
};
// [kind, name, words, basis] of all that is known of a part.
const factsOf = ({ facts }) => Object.entries(KINDS).filter(([kind]) => facts[kind]).map(([kind, [name, say]]) => [kind, name, say(facts[kind][0]), facts[kind][1]]);

// ---- Places: a part in a scene is [x, y, width, height] in millimetres from the rack's corner.
const countOf = ({ grid: [columns, rows] }) => columns * rows;
function boxOf(part, [ox, oy], index) {
  const [x, y, wide, high] = part.box, [dx, dy] = part.step, columns = part.grid[0];
  return [ox + x + (index % columns) * dx, oy + y + Math.floor(index / columns) * dy, wide, high];
}
// The one in the middle of its grid, of those that are there.
function middle(part) {
  const [columns, rows] = part.grid;
  return Math.min(part.lit - 1, Math.floor(rows / 2) * columns + Math.floor(columns / 2));
}
// The way from the rack to a part: [{part, box}], in the middle of every grid that lies between.
function wayTo(id, part, origin = [0, 0]) {
  const box = boxOf(part, origin, middle(part));
  if (part.id === id) return [{ part, box }];
  for (const inner of part.parts) {
    const found = inner.twin ? null : wayTo(id, inner, box);
    if (found) return [{ part, box }, ...found];
  }
  return null;
}
// The indices of a grid that a span of the axis reaches.
const reach = (from, to, start, size, step, count) => [Math.max(0, Math.floor((from - start - size) / step) + 1), Math.min(count - 1, Math.floor((to - start) / step))];

// What of a scene is to be drawn in a view {x, y: its upper left corner [mm], k: pixels of a millimetre} of wide x high pixels:
// calls `put` with {part, x, y, w, h (pixels), alpha, lit, whole: a grid too fine to be drawn one by one, open: its parts
// follow, depth, box}; and of a grid {block}, all of it.
function walk(root, view, [wide, high], put) {
  const right = view.x + wide / view.k, bottom = view.y + high / view.k;
  (function down(part, origin, alpha, depth) {
    const [x, y, w, h] = boxOf(part, origin, 0), [dx, dy] = part.step, [columns, rows] = part.grid, { k } = view;
    const at = (box, more) => put({ part, box, x: (box[0] - view.x) * k, y: (box[1] - view.y) * k, w: box[2] * k, h: box[3] * k, alpha, depth, ...more });
    const all = [x, y, (columns - 1) * dx + w, (rows - 1) * dy + h];
    if (all[0] > right || all[1] > bottom || all[0] + all[2] < view.x || all[1] + all[3] < view.y) return;
    if (Math.max(all[2], all[3]) * k < 1) return;
    const side = Math.min(w, h) * k;
    const together = () => countOf(part) > 1 && at(all, { lit: true, block: true, each: w * k }); // to be named where one is too small for it
    if (countOf(part) > 1 && side < LEAST) return at(all, { lit: true, whole: true, open: false }), together();
    const [left, last] = reach(view.x, right, x, w, dx || 1, columns), [top, end] = reach(view.y, bottom, y, h, dy || 1, rows);
    const appears = part.parts.length && Math.max(w, h) * k > 2 * OPENS ? Math.min(1, Math.max(0, (side - OPENS) / (OPEN - OPENS))) : 0;
    for (let row = top; row <= end; row++) for (let column = left; column <= last; column++) {
      const index = row * columns + column, box = [x + column * dx, y + row * dy, w, h], lit = index < part.lit;
      at(box, { lit, whole: false, open: lit && appears > 0.5 });
      if (lit && appears) for (const inner of part.parts) down(inner, box, alpha * appears, depth + 1);
    }
    together();
  })(root, [0, 0], 1, 0);
}

// ---- The camera: {x, y: its centre, wide: millimetres across}. A flight rises where the way is long (van Wijk and Nuij, 2003).
function flight(from, to) {
  const rho = 1.3, far = Math.hypot(to.x - from.x, to.y - from.y);
  if (far < 1e-9 * Math.max(from.wide, to.wide)) {
    const ratio = Math.log(to.wide / from.wide);
    return { length: Math.abs(ratio) / rho, at: (t) => ({ x: from.x, y: from.y, wide: from.wide * Math.exp(t * ratio) }) };
  }
  const b = (sign, wide) => (to.wide ** 2 - from.wide ** 2 + sign * rho ** 4 * far ** 2) / (2 * wide * rho ** 2 * far);
  const r = (value) => -Math.asinh(value), r0 = r(b(1, from.wide)), r1 = r(b(-1, to.wide)), length = (r1 - r0) / rho;
  return {
    length,
    at(t) {
      const s = rho * t * length + r0, moved = (from.wide / rho ** 2) * (Math.cosh(r0) * Math.tanh(s) - Math.sinh(r0));
      if (t >= 1) return { ...to };
      return { x: from.x + ((to.x - from.x) * moved) / far, y: from.y + ((to.y - from.y) * moved) / far, wide: (from.wide * Math.cosh(r0)) / Math.cosh(s) };
    },
  };
}

// ---- The byte: [{from, to: boxes, seconds, pj, said}] of a machine.
function journey(scene) {
  const place = (id) => wayTo(id, scene.root).at(-1).box;
  return scene.way.map(([start, end, seconds, pj, op_pj]) => ({ start, end, seconds, pj, op_pj, from: place(start), to: place(end), names: [start, end].map((id) => cut(wayTo(id, scene.root).at(-1).part.name)) }));
}
const around4 = (one, other) => {
  const x = Math.min(one[0], other[0]), y = Math.min(one[1], other[1]);
  return [x, y, Math.max(one[0] + one[2], other[0] + other[2]) - x, Math.max(one[1] + one[3], other[1] + other[3]) - y];
};
const centre = ([x, y, wide, high]) => [x + wide / 2, y + high / 2];

// What a step costs, in words.
const spelled = ({ seconds, pj, op_pj }, or = "") => [seconds ? si(seconds, "s") : or, pj && `${number(pj)} pJ for a byte`, op_pj && `${number(op_pj)} pJ for one multiply-accumulate`].filter(Boolean).join(", ");

// The same facts as a table, from the outside in, and the byte's way as a list.
function rows(scene) {
  const { name, root, told } = scene, kinds = Object.keys(KINDS);
  const head = (text, scope) => node("th", { scope }, text), seen = new Map();
  (function down(part) {
    if (!part.twin) seen.set(part.id, part), part.parts.forEach(down);
  })(root);
  const line = (part) => {
    const facts = new Map(factsOf(part).map(([kind, , words]) => [kind, words])), from = new Set(factsOf(part).flatMap(([, , , basis]) => basis));
    return node("tr", {}, head(part.name, "row"), ...kinds.map((kind) => node("td", {}, facts.get(kind) ?? "–")), node("td", {}, [...from].join("; ")));
  };
  const top = node("tr", {}, ...["part", ...kinds.map((kind) => KINDS[kind][0]), "from"].map((kind) => head(kind, "col")));
  const steps = journey(scene).map((step) => node("li", {}, `${step.names.join(" to ")}: ${spelled(step, "a time that is not published")}`));
  return [node("table", {}, node("caption", {}, name), top, ...[...seen.values()].map(line)), node("p", {}, `A byte's way. ${told}`), node("ol", {}, ...steps)];
}

// Puts the picture into an element; `place`: "h100 sm", a machine and a part. Returns what ends it.
function toScale(el, scenes, place = "") {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let [scene, camera, steps, target, flying, playing, drawn] = [scenes[0], null, [], "", 0, 0, 0];
  const pick = node("select", { "aria-label": "machine", ...quiet }, ...scenes.map(({ id, name }) => node("option", { value: id }, name)));
  const levels = node("div", { class: "acc-scale-levels", role: "group", "aria-label": "go to" });
  const play = button("▶ A byte's way", () => (playing ? stop() : go()), { class: "acc-scale-play" });
  const zoom = node("div", { class: "acc-scale-zoom", role: "group", "aria-label": "zoom" }, button("−", () => scaleBy(1.6), { "aria-label": "smaller" }), button("+", () => scaleBy(1 / 1.6), { "aria-label": "larger" }));
  const canvas = node("canvas", { tabindex: "0", role: "img", ...quiet });
  const path = node("p", { class: "acc-scale-path" }), said = node("div", { class: "acc-scale-said", "aria-live": "polite" });
  const table = node("div", { class: "acc-scale-rows", role: "region", "aria-label": "all parts, as a table", tabindex: "0", ...quiet });
  const fold = node("details", { class: "acc-scale-table" }, node("summary", {}, "The same as a table"), table);
  const keys = node("p", { class: "acc-scale-keys" }, "Press a part to go there. With the picture in focus: wheel, two fingers, + and −, arrows; Page Down goes one level in.");
  el.classList.add("acc-stage", "acc-scale");
  el.replaceChildren(node("div", { class: "acc-scale-tools" }, pick, levels, zoom, play), path, canvas, said, keys, fold);
  const pen = canvas.getContext("2d");

  // -- Size and view
  const size = () => [canvas.clientWidth, canvas.clientHeight];
  const viewOf = ({ x, y, wide }) => {
    const [w, h] = size(), k = w / wide;
    return { x: x - wide / 2, y: y - h / k / 2, k };
  };
  function framing([x, y, wide, high], room = ROOM) {
    const [w, h] = size();
    return { x: x + wide / 2, y: y + high / 2, wide: room * Math.max(wide, (high * w) / Math.max(h, 1)) };
  }
  const bound = ({ x, y, wide }) => {
    const [, , most, high] = scene.root.box;
    return { x: Math.min(Math.max(x, 0), most), y: Math.min(Math.max(y, 0), high), wide: Math.min(Math.max(wide, 4e-3), 1.6 * framing(scene.root.box).wide) };
  };
  function move(to) {
    camera = bound(to);
    target = ""; // moved by hand: what is told is what is in the middle
    redraw();
  }
  const redraw = () => (drawn ||= requestAnimationFrame(() => ((drawn = 0), draw())));

  // -- Flights
  function fly(to, done = () => {}, goal = "") {
    cancelAnimationFrame(flying);
    const end = bound(to), { length, at } = flight(camera, end);
    if (calm.matches || length < 1e-6) return move(end), (target = goal), settle(), done();
    const most = FLY * Math.min(2.2, Math.max(0.5, length / 2.5)), began = performance.now();
    (function step(now) {
      const t = Math.min(1, Math.max(0, (now - began) / most));
      camera = at(t * t * (3 - 2 * t));
      draw();
      if (t < 1) return (flying = requestAnimationFrame(step));
      flying = 0;
      target = goal;
      settle();
      done();
    })(began);
  }
  function visit(id) {
    stop();
    fly(framing(wayTo(id, scene.root).at(-1).box), undefined, id);
  }
  function scaleBy(factor, [px, py] = size().map((one) => one / 2)) {
    stop();
    const view = viewOf(camera), [mx, my] = [view.x + px / view.k, view.y + py / view.k], wide = bound({ ...camera, wide: camera.wide * factor }).wide;
    const ratio = wide / camera.wide;
    move({ x: mx + (camera.x - mx) * ratio, y: my + (camera.y - my) * ratio, wide });
    settle();
  }

  // -- What one is looking at: the innermost part under the middle of the view that fills a good part of it.
  function looking() {
    const found = [], [w, h] = size();
    walk(scene.root, viewOf(camera), [w, h], ({ part, x, y, w: wide, h: high, depth, lit, whole, block }) => {
      const over = x <= w / 2 && x + wide >= w / 2 && y <= h / 2 && y + high >= h / 2;
      if (over && lit && !whole && !block && Math.max(wide / w, high / h) > 0.4) found.splice(depth, Infinity, part);
    });
    return found.length ? found : [scene.root];
  }
  let told = "";
  function settle() {
    const way = target ? wayTo(target, scene.root).map(({ part }) => part) : looking(), part = way.at(-1);
    path.textContent = way.map(({ name }) => cut(name)).join(" › ");
    for (const made of levels.children) {
      const here = made.dataset.id === part.id;
      made.setAttribute("aria-pressed", here);
      if (here) levels.scrollLeft = made.offsetLeft - levels.offsetLeft - 40; // where they do not fit beside each other
    }
    canvas.setAttribute("aria-label", `${scene.name}, to scale. In view: ${path.textContent}.`);
    if (!playing && told !== (told = `${scene.id} ${part.id}`)) tell(part);
  }
  function tell(part) {
    const rows = factsOf(part).map(([, name, value, basis]) => node("div", {}, node("dt", {}, name), node("dd", { title: basis.join("\n") }, value, node("small", {}, [...new Set(basis.map((one) => one.split(":")[0]))].join(", ")))));
    said.replaceChildren(node("p", {}, node("b", {}, `${part.name}. `), part.says), node("dl", {}, ...rows));
  }

  // -- Drawing
  function draw() {
    const [w, h] = size(), ratio = devicePixelRatio || 1;
    if (!w) return;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) [canvas.width, canvas.height] = [w * ratio, h * ratio].map(Math.round);
    const style = getComputedStyle(el), ink = (name) => style.getPropertyValue(`--${name}`).trim();
    const colours = Object.fromEntries(["ink", "paper", "muted", "memory", "compute", "other", "good"].map((name) => [name, [ink(name), ink(`${name}-tint`) || ink(name)]]));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.globalAlpha = 1;
    pen.fillStyle = colours.paper[0];
    pen.fillRect(0, 0, w, h);
    const words = [], view = viewOf(camera);
    walk(scene.root, view, [w, h], (mark) => {
      if (mark.block) return words.push(clipped(mark, [w, h]));
      const [edge, fill] = colours[mark.part.role], small = Math.min(mark.w, mark.h) < 8;
      pen.globalAlpha = mark.alpha;
      pen.fillStyle = mark.lit ? fill : colours.paper[0];
      pen.strokeStyle = mark.lit ? edge : colours.muted[0];
      const gap = small && !mark.whole ? 0.5 : 0;
      const seen = clipped(mark, [w, h]);
      pen.fillRect(seen.x + gap, seen.y + gap, Math.max(seen.w - 2 * gap, 0.6), Math.max(seen.h - 2 * gap, 0.6));
      if (mark.whole) texture(mark, view.k, seen, edge);
      if (!small || mark.whole) {
        pen.lineWidth = 1;
        pen.setLineDash(mark.lit ? [] : [4, 3]);
        pen.strokeRect(seen.x, seen.y, seen.w, seen.h);
      }
      if (seen.w > 26 && seen.h > 13 && !mark.whole && mark.lit) words.push({ ...seen, edge });
    });
    pen.setLineDash([]);
    for (const mark of words.filter(({ open }) => open).reverse()) { // the border of a part that is open lies over what is in it
      pen.globalAlpha = mark.alpha;
      pen.strokeStyle = mark.edge;
      pen.lineWidth = Math.min(4, 1 + Math.min(mark.w, mark.h) / 150);
      pen.strokeRect(mark.x, mark.y, mark.w, mark.h);
    }
    const taken = [[0, h - 36, 12 + 130, 36]]; // by the ruler; what is outside is named first
    for (const mark of words) letter(mark, colours, taken);
    ruler(view.k, colours, h);
    if (playing?.draw) playing.draw(view, colours);
  }
  // The part of a box that is in view: coordinates stay small, whatever the zoom.
  function clipped(mark, [wide, high]) {
    const x = Math.max(mark.x, -9), y = Math.max(mark.y, -9), w = Math.min(mark.x + mark.w, wide + 9) - x, h = Math.min(mark.y + mark.h, high + 9) - y;
    return { ...mark, x, y, w, h, within: mark.w > wide * 1.1 && mark.h > high * 1.1 };
  }
  // A grid too fine for its boxes: lines where its columns and rows stand, as dense as the eye bears.
  function texture({ part, x: left, y: top }, k, { x, y, w, h }, edge) {
    const spread = (count, step, start, from, to) => {
      const each = step * k * Math.max(1, Math.ceil(3 / (step * k))), places = [];
      for (let at = start + Math.ceil((from - start) / each) * each; count > 1 && at < to; at += each) places.push(at);
      return places;
    };
    pen.fillStyle = edge;
    pen.globalAlpha *= 0.3;
    for (const at of spread(part.grid[0], part.step[0], left, x, x + w)) pen.fillRect(at, y, 1, h);
    for (const at of spread(part.grid[1], part.step[1], top, y, y + h)) pen.fillRect(x, at, w, 1);
  }
  const widths = new Map();
  function long(text, font) {
    const key = font + text;
    if (!widths.has(key)) (pen.font = font), widths.set(key, pen.measureText(text).width);
    return widths.get(key);
  }
  function letter({ part, x, y, w, h, open, block, each, within, alpha }, colours, taken) {
    const bold = `600 ${TEXT}px system-ui, sans-serif`, plain = `${TEXT}px system-ui, sans-serif`, fits = (text, font = bold) => long(text, font) < w - 8;
    if (within || (block && each > long(cut(part.name), bold) + 8)) return;
    const names = block ? [`${cut(part.name)} × ${part.lit.toLocaleString("en")}`] : [part.name, cut(part.name)], name = names.find((text) => fits(text));
    if (!name || h < 14) return;
    const corner = open && h > 70, second = !open && !block && h > 3.2 * TEXT ? factsOf(part).find(([kind, , value]) => kind !== "mm2" && kind !== "count" && fits(value, plain)) ?? factsOf(part)[0] : null;
    const shift = second && fits(second[2], plain) ? 0.65 * TEXT : 0, apart = block && part.step[0] > 1.2 * part.box[2]; // other parts lie between these: named above them
    const middle = apart ? y - 5 - TEXT / 2 : corner ? Math.max(y, 0) + 5 + TEXT / 2 : y + h / 2, left = apart || open ? Math.max(x, 0) + 6 : x + (w - long(name, bold)) / 2;
    const room = [left - 4, middle - TEXT / 2 - 3 - shift, long(name, bold) + 8, TEXT + 6 + 2 * shift];
    if (taken.some(([tx, ty, tw, th]) => tx < room[0] + room[2] && room[0] < tx + tw && ty < room[1] + room[3] && room[1] < ty + th)) return;
    taken.push(room);
    pen.globalAlpha = alpha;
    Object.assign(pen, { textAlign: "left", textBaseline: "middle", font: bold, fillStyle: colours.paper[0] });
    if (open || block) pen.fillRect(...room);
    pen.fillStyle = colours.ink[0];
    pen.fillText(name, left, middle - shift);
    if (!shift) return;
    pen.font = plain;
    pen.fillText(second[2], x + (w - long(second[2], plain)) / 2, middle + shift);
  }
  // A length that one knows, at the lower left.
  function ruler(k, colours, h) {
    const most = 130 / k, power = 10 ** Math.floor(Math.log10(most)), length = [5, 2, 1].map((one) => one * power).find((one) => one <= most);
    const [unit, value] = length >= 1000 ? ["m", length / 1000] : length >= 10 ? ["cm", length / 10] : length >= 1 ? ["mm", length] : length >= 1e-3 ? ["µm", length * 1000] : ["nm", length * 1e6];
    const text = `${+value.toPrecision(3)} ${unit}`;
    pen.globalAlpha = 1;
    pen.font = `600 ${TEXT}px system-ui, sans-serif`;
    pen.fillStyle = colours.paper[0];
    pen.fillRect(6, h - 32, Math.max(length * k, long(text, pen.font)) + 12, 28);
    pen.fillStyle = colours.ink[0];
    pen.fillRect(12, h - 11, length * k, 2.5);
    for (const at of [0, length * k - 2]) pen.fillRect(12 + at, h - 16, 2, 8);
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(text, 12, h - 18);
  }

  // -- The byte's way: time on the screen is slowed time; where none is published, a second.
  function go() {
    stop();
    playing = { at: 0 };
    play.textContent = "■ Stop";
    const list = node("ol", {});
    said.replaceChildren(node("p", {}, node("b", {}, `A byte's way, slowed ${SLOWED / 1e6} million times. `), scene.told), list);
    told = "";
    const next = (at) => {
      if (!playing) return;
      const step = steps[at];
      if (!step) return fly(framing(steps.at(-1).to), () => stop(true));
      list.append(node("li", {}, node("b", {}, `${step.names.join(" → ")}: `), spelled(step, "a time that is not published")));
      const from = centre(step.from), to = centre(step.to), line = `${step.names.join(" → ")}: ${spelled(step)}`;
      const show = (t) => {
        playing.draw = (view, colours) => byte([from, to].map(([x, y]) => [(x - view.x) * view.k, (y - view.y) * view.k]), t, line, colours);
        draw();
      };
      fly(framing(around4(step.from, step.to), 1.25), () => {
        if (!playing) return;
        const most = !step.seconds ? UNKNOWN : Math.max(step.seconds * SLOWED * 1000, 16), began = performance.now();
        if (calm.matches) return show(1), (playing.timer = setTimeout(next, HOLD, at + 1));
        (function frame(now) {
          if (!playing) return;
          const t = Math.min(1, Math.max(0, (now - began) / most));
          show(t);
          if (t < 1) playing.frame = requestAnimationFrame(frame);
          else playing.timer = setTimeout(next, HOLD / 2, at + 1);
        })(began);
      });
    };
    next(0);
  }
  function byte([[x0, y0], [x1, y1]], t, whole, colours) {
    const x = x0 + (x1 - x0) * t, y = y0 + (y1 - y0) * t, font = `600 ${TEXT + 1}px system-ui, sans-serif`, [w, h] = size();
    const line = long(whole, font) + 20 < w ? whole : whole.split(": ")[1], room = long(line, font) + 12; // where it is narrow, only what it costs
    pen.globalAlpha = 1;
    pen.strokeStyle = pen.fillStyle = colours.ink[0];
    pen.lineWidth = 2.5;
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x, y);
    pen.stroke();
    pen.beginPath();
    pen.arc(x, y, 7, 0, 7);
    pen.fill();
    const left = Math.min(Math.max(x - room / 2, 4), w - room - 4), top = y > 60 ? y - 42 : Math.min(y + 18, h - 60);
    pen.fillRect(left, top, room, 24);
    pen.fillStyle = colours.paper[0];
    Object.assign(pen, { font, textAlign: "left", textBaseline: "middle" });
    pen.fillText(line, left + 6, top + 12);
  }
  function stop(ended = false) {
    if (!playing && !flying) return;
    cancelAnimationFrame(flying);
    cancelAnimationFrame(playing?.frame);
    clearTimeout(playing?.timer);
    [flying, playing] = [0, 0];
    play.textContent = "▶ A byte's way";
    if (ended) told = `${scene.id} ${looking().at(-1).id}`; // what the way cost stays to be read
    settle();
    redraw();
  }

  // -- Hands
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && canvas.getRootNode().activeElement !== canvas && !event.ctrlKey) return; // the page scrolls on
    event.preventDefault();
    scaleBy(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) * (event.deltaMode ? 30 : 1), 120) * 0.0022), [event.offsetX, event.offsetY]);
  }, { passive: false });
  const fingers = new Map();
  let pressed = null;
  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    pressed = fingers.size === 1 ? [event.offsetX, event.offsetY] : null;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId), now = [event.offsetX, event.offsetY];
    if (!before) return;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    if (pressed && Math.hypot(now[0] - pressed[0], now[1] - pressed[1]) < 6) return;
    pressed = null;
    if (other) return scaleBy(Math.hypot(before[0] - other[0], before[1] - other[1]) / Math.max(Math.hypot(now[0] - other[0], now[1] - other[1]), 1), other);
    stop();
    const { k } = viewOf(camera);
    move({ ...camera, x: camera.x - (now[0] - before[0]) / k, y: camera.y - (now[1] - before[1]) / k });
    settle();
  });
  const away = (event) => fingers.delete(event.pointerId);
  canvas.addEventListener("pointercancel", away);
  canvas.addEventListener("pointerup", (event) => {
    away(event);
    if (!pressed) return;
    const [px, py] = pressed, [w] = size();
    let found = null;
    pressed = null;
    walk(scene.root, viewOf(camera), size(), (mark) => {
      const over = mark.x <= px && mark.x + mark.w >= px && mark.y <= py && mark.y + mark.h >= py;
      if (over && !mark.whole && !mark.block && mark.lit && Math.max(mark.w, mark.h) > 18 && mark.w < 0.8 * w) found ??= mark.w > 0.55 * w ? null : mark;
    });
    stop();
    if (found) fly(framing(found.box), undefined, found.part.id);
  });
  const shift = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const { key } = event, inside = target ? [target] : looking().map(({ id }) => id), at = Math.max(0, scene.levels.findLastIndex((id) => inside.includes(id)));
    const side = { PageDown: 1, PageUp: -1 }[key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "+" || key === "=") scaleBy(1 / 1.3);
    else if (key === "-") scaleBy(1.3);
    else if (key === "Home") visit(scene.levels[0]);
    else if (key === "End") visit(scene.levels.at(-1));
    else if (side) visit(scene.levels[Math.min(Math.max(at + side, 0), scene.levels.length - 1)]);
    else if (shift[key]) {
      stop();
      move({ ...camera, x: camera.x + 0.12 * camera.wide * shift[key][0], y: camera.y + 0.12 * camera.wide * shift[key][1] });
      settle();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  el.addEventListener("keydown", (event) => event.stopPropagation());

  function choose(id, part) {
    stop();
    scene = scenes.find((one) => one.id === id) ?? scenes[0];
    pick.value = scene.id;
    steps = journey(scene);
    levels.replaceChildren(...scene.levels.map((level) => button(cut(wayTo(level, scene.root).at(-1).part.name), () => visit(level), { "data-id": level })));
    table.replaceChildren(...rows(scene));
    target = scene.levels.includes(part) || wayTo(part, scene.root) ? part : scene.levels[0];
    camera = null;
    fit();
  }
  function fit() {
    if (!canvas.clientWidth) return;
    if (!camera) visitFirst();
    redraw();
  }
  function visitFirst() {
    camera = framing(wayTo(target, scene.root).at(-1).box);
    told = "";
    settle();
  }
  pick.addEventListener("change", () => choose(pick.value, looking().at(-1).id));
  choose(...place.split(" "));
  const sizes = new ResizeObserver(fit), themes = new MutationObserver(redraw), dark = matchMedia("(prefers-color-scheme: dark)");
  sizes.observe(canvas);
  themes.observe(document.body, { attributeFilter: ["data-theme", "data-jp-theme-light"] });
  dark.addEventListener("change", redraw);
  return () => {
    stop();
    cancelAnimationFrame(drawn);
    sizes.disconnect();
    themes.disconnect();
    dark.removeEventListener("change", redraw);
  };
}

return Object.assign(toScale, { walk, wayTo, flight, journey, factsOf }); // what tests ask
})();
