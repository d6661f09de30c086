// A page that shows widgets without Jupyter: what anywidget gives a module, and no more. Counts what it does when idle.
async (payload) => {
  const { tree, shadow } = payload;
  const counts = (window.counts = { frames: 0, timers: 0, observed: 0 });
  window.wrong = [];
  window.addEventListener("error", (event) => window.wrong.push(String(event.message)));
  window.addEventListener("unhandledrejection", (event) => window.wrong.push(String(event.reason)));
  const counted = (name, key) => {
    const real = window[name].bind(window);
    window[name] = (act, ...rest) => real((...given) => (counts[key]++, act(...given)), ...rest);
  };
  counted("requestAnimationFrame", "frames");
  counted("setTimeout", "timers");
  counted("setInterval", "timers");
  for (const name of ["MutationObserver", "ResizeObserver", "IntersectionObserver"]) {
    window[name] = class extends window[name] {
      constructor(act, ...rest) {
        super((...given) => (counts.observed++, act(...given)), ...rest);
      }
    };
  }

  class Model {
    constructor(state) {
      [this.state, this.heard, this.sent] = [revived(state), {}, []];
    }
    get(name) { return this.state[name]; }
    set(name, value) {
      this.state[name] = value;
      for (const act of this.heard[`change:${name}`] ?? []) act();
    }
    on(name, act) { (this.heard[name] ??= []).push(act); }
    off() {}
    send(content) { this.sent.push(content); }
    save_changes() {}
    receive(content, text) {
      const bytes = new TextEncoder().encode(text);
      for (const act of this.heard["msg:custom"] ?? []) act(content, [new DataView(bytes.buffer)]);
    }
  }
  function revived(value) {
    if (Array.isArray(value)) return value.map(revived);
    if (value === null || typeof value !== "object") return value;
    if ("base64" in value) return new DataView(Uint8Array.from(atob(value.base64), (letter) => letter.charCodeAt(0)).buffer);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revived(inner)]));
  }

  window.models = {};
  const open = (el) => (shadow ? el.attachShadow({ mode: "open" }) : el);
  async function made(part) {
    const el = document.createElement("div");
    el.className = part.class ?? "";
    if (part.html) el.innerHTML = part.html;
    for (const child of part.children ?? []) el.append(await made(child));
    if (part.name) {
      const model = (window.models[part.name] = new Model(part.state));
      const style = document.createElement("style");
      style.textContent = part.css;
      const inside = document.createElement("div");
      const own = shadow === "each" ? open(el) : el;
      own.append(style, inside);
      const { default: widget } = await import(`data:text/javascript;base64,${part.module}`);
      model.end = await widget.render({ model, el: inside });
    }
    return el;
  }
  const whole = await made(tree);
  const home = document.createElement("main");
  document.body.append(home);
  (shadow === "one" ? open(home) : home).append(whole);
}
