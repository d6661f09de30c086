// Draws states made of marks, sent as columns (reel.py). Drawing keeps SVG elements, for a state at rest; Canvas paints,
// for marks that move and for thousands of them: inside JupyterLab, CSS transitions of 300 marks came to 6 frames a
// second, a canvas to 40 and more. Nothing here knows what the marks mean.
const NS = "http://www.w3.org/2000/svg", LEAST = 9.5; // pixels that words have at least on a page
const AFAR = 24, WIDEST = 15; // and in a hall, but no more than so many units of the picture: words would meet
const TYPES = { f: Float32Array, i: Int32Array, b: Uint8Array, h: Uint16Array };
const NOTHING = new Int32Array(0);

const el = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const at = (column, i) => (column.length === 1 ? column[0] : column[i]);

// A part of a run -> states; a layer that did not change is the same object in the next state.
function decode({ layers, strings, states }, bytes) {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  let current = [];
  return states.map(({ say, columns }) => {
    const next = current.slice(), fresh = new Set();
    for (const [place, column, type, offset, length] of columns) {
      if (!fresh.has(place)) {
        next[place] = { ...(next[place] ?? { name: layers[place][0], kind: layers[place][1], strings }) };
        fresh.add(place);
      }
      next[place][column] = length ? new TYPES[type](buffer, offset, length) : NOTHING;
    }
    current = next;
    return { say, layers: next };
  });
}

const word = (layer, column, i) => (layer[column] ? layer.strings[at(layer[column], i)] : "");
const count = (state) => state.layers.reduce((sum, layer) => sum + layer.key.length, 0);
const keyOf = (layer, i) => (layer.key[i] < 0 ? layer.strings[-1 - layer.key[i]] : layer.key[i]);
const line = (kind, dx, dy) => {
  if (kind === "line") return `M0 0L${dx} ${dy}`;
  const length = Math.hypot(dx, dy) || 1, head = Math.min(9, length), [ux, uy] = [dx / length, dy / length];
  const wing = (side) => `L${dx - head * (ux * 0.8 + side * uy * 0.5)} ${dy - head * (uy * 0.8 - side * ux * 0.5)}`;
  return `M0 0L${dx} ${dy}${wing(1)}M${dx} ${dy}${wing(-1)}`;
};

const DASHES = { dashed: [5, 4], dotted: [0.5, 5], dashdot: [9, 5, 0.5, 5] }; // stage.css says the same

// Marks as SVG elements, kept by layer and key.
class Drawing {
  constructor() {
    this.element = document.createElementNS(NS, "svg");
    this.element.setAttribute("aria-hidden", "true");
    this.groups = new Map();
  }
  resize([wide, high]) {
    this.element.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  }
  draw(state) {
    const names = new Set(state.layers.map((layer) => layer.name));
    for (const [name, group] of this.groups) if (!names.has(name)) this.drop(name, group);
    for (const layer of state.layers) {
      let group = this.groups.get(layer.name);
      if (!group) {
        group = { g: document.createElementNS(NS, "g"), marks: new Map(), shown: null };
        group.g.dataset.layer = layer.name;
        this.groups.set(layer.name, group);
        this.element.append(group.g);
      }
      if (group.shown === layer) continue;
      this.layer(group, layer);
      group.shown = layer;
    }
  }
  drop(name, group) {
    group.g.remove();
    this.groups.delete(name);
  }
  layer(group, layer) {
    const left = new Map(group.marks);
    for (let i = 0; i < layer.key.length; i++) {
      const key = keyOf(layer, i);
      let mark = left.get(key);
      left.delete(key);
      if (!mark) {
        mark = this.make(layer.kind, word(layer, "role", i));
        group.marks.set(key, mark);
        group.g.append(mark.g);
      }
      this.update(mark, layer, i);
    }
    for (const [key, mark] of left) {
      group.marks.delete(key);
      mark.g.remove();
    }
  }
  make(kind, role) {
    const g = document.createElementNS(NS, "g"), had = {};
    const shape = kind === "box" ? (role.includes("round") ? "ellipse" : "rect") : kind === "text" ? "text" : "path";
    const body = document.createElementNS(NS, shape);
    g.append(body);
    return { g, body, shape, had, words: shape === "text" ? body : null };
  }
  update(mark, layer, i) {
    const { g, body, had, shape } = mark;
    const set = (name, value, apply) => {
      if (had[name] !== value) apply((had[name] = value));
    };
    set("role", word(layer, "role", i), (role) => {
      g.setAttribute("class", `mark ${layer.kind === "line" ? "linemark" : layer.kind} ${role} ${this.pinned && had.who === this.pinned ? "pinned" : ""}`);
    });
    set("place", `translate(${at(layer.x, i)} ${at(layer.y, i)})`, (place) => g.setAttribute("transform", place));
    set("size", at(layer.size, i), (size) => g.style.setProperty("--size", size));
    if (shape === "rect" || shape === "ellipse") {
      set("wide", at(layer.w, i), (wide) => this.wide(body, shape, wide));
      set("high", at(layer.h, i), (high) => this.high(body, shape, high));
    } else if (shape === "path") {
      const ends = layer.kind === "path" ? [] : [at(layer.x2, i) - at(layer.x, i), at(layer.y2, i) - at(layer.y, i)];
      set("d", layer.kind === "path" ? word(layer, "text", i) : line(layer.kind, ...ends), (d) => body.setAttribute("d", d));
    }
    if (shape !== "path") {
      set("text", word(layer, "text", i), (text) => {
        if (!mark.words && text) g.append((mark.words = document.createElementNS(NS, "text")));
        if (mark.words) mark.words.textContent = text;
      });
      if (mark.words && mark.words !== body)
        set("middle", `${at(layer.w, i) / 2},${at(layer.h, i) / 2}`, (middle) => {
          const [x, y] = middle.split(",");
          mark.words.setAttribute("x", x);
          mark.words.setAttribute("y", y);
        });
    }
    set("who", word(layer, "who", i), (who) => {
      who ? (g.dataset.who = who) : delete g.dataset.who;
      g.classList.toggle("pinned", Boolean(who) && who === this.pinned);
    });
    set("says", word(layer, "says", i), (says) => (g.dataset.says = says));
  }
  wide(body, shape, wide) {
    if (shape === "rect") return body.setAttribute("width", wide);
    body.setAttribute("cx", wide / 2);
    body.setAttribute("rx", wide / 2);
  }
  high(body, shape, high) {
    if (shape === "rect") return body.setAttribute("height", high);
    body.setAttribute("cy", high / 2);
    body.setAttribute("ry", high / 2);
  }
  point(who) { // faint lines of what the pointer is at are seen in full
    if (who === this.pointed) return;
    this.shown("pointed", who);
  }
  pin(who) {
    this.shown("pinned", who);
  }
  shown(how, who) {
    this[how] = who;
    for (const { marks } of this.groups.values())
      for (const { g, had } of marks.values()) g.classList.toggle(how, Boolean(who) && had.who === who);
  }
  under(event) {
    const mark = event.target.closest?.(".mark[data-who]");
    return mark && { who: mark.dataset.who, says: mark.dataset.says };
  }
}

// The same marks on a canvas, on their way from one state to the next: places are found by key, what is new fades in.
// `rest` is called when all have arrived.
class Canvas {
  constructor() {
    this.element = el("canvas", { "aria-hidden": "true" });
    this.colours = new Map();
    this.from = this.to = null;
  }
  resize([wide, high]) {
    this.size = [wide, high];
    this.element.style.aspectRatio = `${wide} / ${high}`;
  }
  draw(from, state, glide, rest = () => {}) {
    [this.from, this.to, this.glide, this.begun, this.rest] = [from ?? state, state, glide, performance.now(), rest];
    if (!this.frame) this.paint();
  }
  pin(who) {
    this.pinned = who;
    if (this.to && !this.frame) this.paint();
  }
  paint() {
    const share = this.glide ? Math.min(1, (performance.now() - this.begun) / this.glide) : 1;
    const scale = (this.element.clientWidth || this.size[0]) * (window.devicePixelRatio || 1) / this.size[0];
    const [wide, high] = this.size.map((length) => Math.round(length * scale));
    if (this.element.width !== wide || this.element.height !== high) Object.assign(this.element, { width: wide, height: high });
    const pen = this.element.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = this.colour("paper").c;
    pen.fillRect(0, 0, ...this.size);
    const before = new Map(share < 1 ? this.from.layers.map((layer) => [layer.name, layer]) : []);
    for (const layer of this.to.layers) this.layer(pen, layer, before.get(layer.name), share, scale);
    this.frame = share < 1 ? requestAnimationFrame(() => this.paint()) : 0;
    if (share === 1) this.rest();
  }
  layer(pen, layer, old, share, scale) {
    const n = layer.key.length, moves = old && old !== layer, same = moves && old.key === layer.key;
    const where = moves && !same ? new Map(Array.from(old.key, (_, j) => [keyOf(old, j), j])) : null;
    let j; // where the mark was before
    const between = (column, i) => {
      const value = at(layer[column], i);
      return j === undefined ? value : at(old[column], j) + (value - at(old[column], j)) * share;
    };
    const pinned = this.pinned && layer.who ? layer.strings.indexOf(this.pinned) : -1;
    let last = null, colour;
    for (let i = 0; i < n; i++) {
      j = same ? i : where?.get(keyOf(layer, i));
      const role = word(layer, "role", i), x = between("x", i), y = between("y", i);
      if (role !== last) colour = this.colour((last = role));
      pen.globalAlpha = (colour.has("faint") ? 0.35 : 1) * (where && j === undefined ? share : 1);
      if (layer.kind === "box") {
        const w = between("w", i), h = between("h", i), text = word(layer, "text", i);
        this.box(pen, colour, x, y, w, h, scale);
        if (pinned >= 0 && at(layer.who, i) === pinned) (pen.strokeStyle = this.colour("ink").c), (pen.lineWidth = 3), pen.strokeRect(x, y, w, h);
        if (text) this.words(pen, text, x + w / 2, y + h / 2, at(layer.size, i), colour.text, colour);
      } else if (layer.kind === "text") this.words(pen, word(layer, "text", i), x, y, at(layer.size, i), colour.c, colour);
      else {
        const held = pinned >= 0 && at(layer.who, i) === pinned && layer.kind === "line";
        pen.save();
        if (held) pen.globalAlpha = 1;
        pen.translate(x, y);
        (pen.strokeStyle = colour.c), (pen.lineWidth = held ? Math.max(2, at(layer.size, i) * 1.6) : at(layer.size, i));
        pen.setLineDash(colour.dash);
        const ends = layer.kind === "path" ? [] : [between("x2", i) - x, between("y2", i) - y];
        const path = new Path2D(layer.kind === "path" ? word(layer, "text", i) : line(layer.kind, ...ends));
        if (layer.kind === "path" && colour.fill) (pen.fillStyle = colour.fill), pen.fill(path);
        if (layer.kind !== "path" || colour.edge) pen.stroke(path);
        pen.restore();
      }
    }
    pen.globalAlpha = 1;
  }
  box(pen, colour, x, y, w, h, scale) {
    const edge = colour.edge && w * scale > 5;
    if (colour.fill) pen.fillStyle = colour.fill;
    if (edge) (pen.strokeStyle = colour.edge), (pen.lineWidth = colour.has("line") ? 2 : 1.2);
    if (edge) pen.setLineDash(colour.dash);
    if (colour.has("round")) {
      pen.beginPath();
      pen.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, 7);
      if (colour.fill) pen.fill();
      if (edge) pen.stroke();
    } else {
      if (colour.fill) pen.fillRect(x, y, w, h);
      if (edge) pen.strokeRect(x, y, w, h);
    }
    if (edge) pen.setLineDash([]);
  }
  words(pen, text, x, y, size, fill, { has }) {
    pen.font = `${has("bold") ? 650 : 400} ${Math.max(size, this.least ?? 0)}px ${has("mono") ? "monospace" : "system-ui, sans-serif"}`;
    pen.textAlign = has("start") ? "start" : has("end") ? "end" : "center";
    pen.textBaseline = "middle";
    pen.fillStyle = fill;
    pen.fillText(text, x, y);
  }
  colour(role) { // as the style sheet says, in the theme of the moment
    if (!this.colours.has(role)) {
      const probe = el("span", { class: role });
      this.element.parentElement.append(probe);
      const look = getComputedStyle(probe), read = (name) => look.getPropertyValue(name).trim();
      const words = new Set(role.split(" ")), has = (name) => words.has(name), c = read("--c");
      const light = has("tint") || has("soft");
      this.colours.set(role, { c, has, fill: has("line") ? null : light ? read("--t") : c, edge: has("tint") || has("line") ? c : null,
        text: light || has("paper") ? read("--ink") : has("line") ? c : read("--paper"),
        dash: DASHES[Object.keys(DASHES).find(has)] ?? [] });
      probe.remove();
    }
    return this.colours.get(role);
  }
  repaint() {
    this.colours.clear();
    if (this.to && !this.frame) this.paint();
  }
  under(event) {
    const box = this.element.getBoundingClientRect(), scale = this.size[0] / box.width;
    const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    for (const layer of [...(this.to?.layers ?? [])].reverse()) {
      if (layer.kind !== "box") continue;
      for (let i = layer.key.length - 1; i >= 0; i--) {
        const x = at(layer.x, i), y = at(layer.y, i), who = word(layer, "who", i);
        if (who && px >= x && py >= y && px <= x + at(layer.w, i) && py <= y + at(layer.h, i)) return { who, says: word(layer, "says", i) };
      }
    }
    return null;
  }
}
