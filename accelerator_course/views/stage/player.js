// Plays a run: screen, transport, and the story of one thing; put behind paint.js.
//   const player = mount(element, { saves: ["gif"], ask });
//   player.begin({ total, size, noun, follows });  player.load(head, bytes);  player.go(3);
// `ask({need: i})` or `ask({save: "gif", position})` where somebody answers. Where `opens()` says so, a run that
// comes into sight moves by itself for a moment, and rests where it shows most. The event "acc-open" makes it move, too, to any state:
//   element.dispatchEvent(new CustomEvent("acc-open", { detail: { to: 7, ms: 2000, on: true } }));
const MOST = 1200; // marks in a state that are drawn as SVG when at rest; more are painted on a canvas only
const SPEEDS = [["slow", 1000], ["normal", 400], ["fast", 100], ["very fast", 33]]; // ms for a state
const AHEAD = 60, KEPT = 8000; // states of a long run that are asked for in time, and kept
const OPENING = 2000; // ms that a run moves by itself
const FEW = 6; // things that the menu names one by one
const NARROW = ["0px", "440px", "510px", "580px"]; // widths of a picture on a phone
const BESIDE = 200, STORY = 340; // pixels that a story needs beside the picture, and takes at most

function mount(root, { saves = [], ask = null, settled = () => {}, opens = null } = {}) {
  const quiet = { "data-lm-suppress-shortcuts": "true" };
  let run = { total: 1, size: [720, 420], noun: "step", follows: false }, states = new Map(), position = 0, playing = 0, due = 0, interval = 400, pinned = "", asked = false;
  let eager = false, seen = false, preview = false, rested = -1, longest = ""; // to play when it is there; in sight; shows what nobody asked for; where that came to rest
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const said = el("span"), finding = el("figcaption", { class: "acc-finding" }, said);
  const voice = el("span", { class: "acc-hush", role: "status", "aria-live": "polite" });
  const screen = el("div", { class: "acc-screen", role: "img", tabindex: "0", ...quiet });
  const tip = el("div", { class: "acc-tip", hidden: "" });
  const story = el("aside", { class: "acc-story", hidden: "" });
  const button = (label, name, act) => {
    const made = el("button", { type: "button", "aria-label": name, title: name, ...quiet }, label);
    made.addEventListener("click", act);
    return made;
  };
  const sign = (name) => el("i", { class: `acc-sign acc-sign-${name}`, "aria-hidden": "true" });
  const labelled = (words) => el("span", { class: "acc-word" }, words);
  const [playWord, forwardWord] = [labelled("Play"), labelled("Forward")];
  const play = button("", "Play", () => (playing ? ((preview = false), stop()) : start()));
  const [back, forward] = [button("", "Back", () => step(-1)), button("", "Forward", () => step(1))];
  play.append(sign("play"), playWord);
  back.append(sign("back"), labelled("Back"));
  forward.append(forwardWord, sign("forward"));
  const scrub = el("input", { type: "range", "aria-label": "step", min: 0, max: 0, value: 0, ...quiet });
  const place = el("output", { class: "acc-place" });
  const speed = el("select", { "aria-label": "speed", title: "speed", ...quiet }, ...SPEEDS.map(([name, ms]) => el("option", { value: ms }, name)));
  const names = el("datalist", { id: `acc-things-${Math.random().toString(36).slice(2)}` });
  const follow = el("input", { class: "acc-follow", type: "text", list: names.id, ...quiet });
  const label = el("span", { "aria-hidden": "true" }), answer = el("p", { role: "status" });
  const following = el("div", { class: "acc-following", hidden: "" }, label, follow, names, answer);
  const saving = el("div", { class: "acc-saving" }, ...saves.map((kind) => button(`Save ${kind.toUpperCase()}`, `Save this run as ${kind.toUpperCase()}`, () => (ask({ save: kind, position }), shut()))));
  const menu = el("div", { class: "acc-menu", hidden: "" }, following, saving);
  const opener = button("More", "More", () => (menu.hidden ? unfold() : shut()));
  opener.removeAttribute("aria-label"); // what it says
  opener.setAttribute("aria-expanded", "false");
  const more = el("div", { class: "acc-more" }, opener, menu);
  const transport = el("div", { class: "acc-bar-transport" }, play, back, forward, scrub, place, speed, more);
  const body = el("div", { class: "acc-stage-body" }, screen, story);
  const beyond = el("p", { class: "acc-beyond", "aria-hidden": "true", hidden: "" });
  root.classList.add("acc-stage");
  root.setAttribute("role", "group");
  root.replaceChildren(finding, beyond, body, transport, voice);
  speed.value = interval;
  const drawing = new Drawing(), canvas = new Canvas();
  let painter = drawing, shown = null; // the one that is seen, the state that it shows
  screen.append(drawing.element, canvas.element, tip);
  canvas.element.hidden = true;

  function use(next) {
    painter = next;
    drawing.element.toggleAttribute("hidden", next !== drawing);
    canvas.element.hidden = next !== canvas;
  }
  // What moves is painted, what has arrived is drawn; thousands of marks are always painted.
  function paint(state, glide) {
    const before = shown ?? state, large = count(state) > MOST;
    shown = state;
    if (!large && (!glide || still() || before === state)) return rest();
    use(canvas);
    canvas.draw(before, state, still() ? 0 : glide, () => playing || large || rest());
  }
  function rest() {
    drawing.draw(shown);
    use(drawing);
    narrow();
  }
  // What has moved, where the picture is wider than its box and none of it would be seen.
  function keepInSight(before, state) {
    const wide = painter.element.getBoundingClientRect().width, moved = [];
    if (wide < screen.clientWidth + 2) return;
    for (const layer of state.layers) {
      const old = before.layers.find(({ name }) => name === layer.name), was = new Map();
      if (!old || old === layer) continue;
      for (let i = 0; i < old.key.length; i++) was.set(keyOf(old, i), at(old.x, i));
      for (let i = 0; i < layer.key.length; i++) {
        const x = at(layer.x, i), from = was.get(keyOf(layer, i)), half = layer.w ? at(layer.w, i) / 2 : 0;
        if (from !== undefined && Math.abs(x - from) > 1) moved.push(((x + half) * wide) / run.size[0] - screen.scrollLeft);
      }
    }
    if (moved.length && moved.every((x) => x < 0 || x > screen.clientWidth)) screen.scrollLeft += moved[0] - screen.clientWidth / 2;
  }
  function show(glide) {
    const state = states.get(position);
    if (!state) return need();
    const before = shown;
    paint(state, glide);
    if (before && before !== state) keepInSight(before, state);
    said.textContent = state.say;
    screen.setAttribute("aria-label", state.say);
    scrub.value = position;
    scrub.setAttribute("aria-valuetext", `${run.noun} ${position + 1} of ${run.total}`);
    place.textContent = `${run.noun} ${position + 1} of ${run.total || "…"}`;
    back.disabled = position === 0;
    forward.disabled = position >= run.total - 1;
    forwardWord.textContent = run.total ? "Forward" : "Loading"; // the rest is still being made
    forward.setAttribute("aria-label", run.total ? "Forward" : "Loading");
    if (pinned) mine();
    if (!playing) settle();
    const ahead = Math.min(position + AHEAD, run.total - 1);
    if (!states.has(ahead)) need(ahead);
  }
  let later = 0;
  function settle() {
    clearTimeout(later);
    later = setTimeout(() => {
      if (voice.textContent !== said.textContent) voice.textContent = said.textContent;
      settled(position, preview);
    }, 400);
  }
  function need(index = position) {
    if (ask && run.total && !asked) ask({ need: index }, (asked = true));
  }
  function go(index, glide = 300) {
    const next = Math.max(0, Math.min(run.total - 1, index));
    const far = Math.abs(next - position) > 1;
    position = next;
    show(far ? Math.min(glide, 80) : glide);
  }
  const step = (by) => (stop(), go(position + by));
  function called(name) { // its button
    playWord.textContent = name;
    play.setAttribute("aria-label", name);
  }
  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    eager = false;
    called("Play");
    if (preview) rested = position;
    if (shown && !canvas.frame && count(shown) <= MOST) rest();
    settle();
  }
  function start() {
    if (!run.total) return void ((eager = true), called("Pause"));
    if (run.total < 2) return;
    if (position === rested || position >= run.total - 1) go(0, 0);
    rested = -1;
    called("Pause");
    due = performance.now();
    const tick = (now) => {
      playing = requestAnimationFrame(tick);
      if (now < due || (!states.has(position + 1) && position + 1 < run.total && (need(position + 1), true))) return;
      if (position >= run.total - 1) return stop();
      due = Math.max(due + interval, now);
      go(position + 1, interval);
    };
    playing = requestAnimationFrame(tick);
  }
  // By itself, from the start to a state, or `on` from where it stands, however many there are between. Whatever the reader
  // does ends it.
  function open({ to = telling(), ms = OPENING, on = false } = {}) {
    stop();
    [opens, preview] = [null, true];
    const from = on ? position : 0;
    let begun = performance.now();
    if (still() || to <= from) return go((rested = to), 0);
    go(from, 0);
    called("Pause");
    const tick = (now) => {
      playing = requestAnimationFrame(tick);
      if (!states.has(from + 1)) return void (begun = now); // they are on their way: none is leapt over
      const next = Math.min(to, from + Math.floor(((to - from) * (now - begun)) / ms));
      if (next > position && states.has(next)) go(next, ms / (to - from));
      if (next === to) stop();
    };
    playing = requestAnimationFrame(tick);
  }
  function telling() { // the state with the most marks, of those about the middle
    let best = run.total >> 1;
    for (let i = best; i <= run.total * 0.7; i++) if (states.has(i) && count(states.get(i)) > count(states.get(best))) best = i;
    return best;
  }
  function greet() { // once
    if (opens && seen && !position && run.total > 1 && states.has(run.total >> 1) && opens()) open();
  }
  function touched(event) {
    if (preview && playing && play.contains(event?.target)) return; // which stops it there
    if (preview && playing) stop();
    [opens, preview] = [null, false];
  }
  // Everything that one thing did, from the words of its marks.
  function mine() {
    const rows = [];
    for (const [i, state] of [...states].sort(([a], [b]) => a - b)) {
      const said = [];
      for (const layer of state.layers) {
        const code = layer.who ? layer.strings.indexOf(pinned) : -1;
        if (code >= 0) for (let j = 0; j < layer.key.length; j++) if (at(layer.who, j) === code) said.push(word(layer, "says", j));
      }
      const text = [...new Set(said.filter(Boolean))].join("; ");
      if (text && text !== rows.at(-1)?.[1]) rows.push([i, text]);
    }
    const now = rows.findLast(([i]) => i <= position);
    const list = el("ol", {}, ...rows.map((row) => {
      const made = el("button", { type: "button", ...(row === now && run.total > 1 ? { "aria-current": "step" } : {}), ...quiet }, run.total === 1 ? row[1] : `${run.noun} ${row[0] + 1}: ${row[1]}`);
      made.addEventListener("click", () => (stop(), go(row[0])));
      return el("li", {}, made);
    }));
    const close = button("Let go", "Let go", () => pin(""));
    story.replaceChildren(el("header", {}, el("h4", {}, pinned), close), list);
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }
  // Beside the picture where there is room; else over it, on the side where the thing is not.
  function seat() {
    const free = body.clientWidth - screen.clientWidth - 12, beside = free >= BESIDE;
    const right = beside || !onTheRight();
    const wide = beside ? `${Math.min(free, STORY)}px` : "";
    story.classList.toggle("acc-over", !beside);
    Object.assign(story.style, { left: beside ? `${screen.clientWidth + 12}px` : right ? "auto" : "0", right: beside || !right ? "auto" : "0", width: wide });
  }
  function onTheRight() {
    const middles = [];
    for (const layer of states.get(position)?.layers ?? [])
      for (let i = 0; i < layer.key.length; i++) if (word(layer, "who", i) === pinned) middles.push(at(layer.x, i) + (layer.w ? at(layer.w, i) / 2 : 0));
    return middles.reduce((sum, x) => sum + x, 0) / (middles.length || 1) > run.size[0] / 2;
  }
  function pin(who) {
    pinned = who;
    follow.value = who;
    answer.textContent = "";
    story.hidden = !who;
    for (const one of [drawing, canvas]) one.pin(who);
    if (who) (mine(), seat());
  }
  function unfold() {
    menu.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
  }
  function shut() {
    if (menu.contains(menu.getRootNode().activeElement)) opener.focus();
    menu.hidden = true;
    answer.textContent = "";
    opener.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
  }
  const outside = (event) => event.composedPath().includes(more) || shut();
  // What the reader has typed: a thing of this run, in whatever case, or its number alone; or an answer.
  function choose() {
    const same = (name) => name.toLowerCase().replace(/\s/g, ""), typed = follow.value;
    const numbered = [...things()].filter((name) => name.replace(/^\D+/, "") === typed.trim()); // "3", where only warps have numbers
    const who = typed && ([...things()].find((name) => same(name) === same(typed)) ?? (numbered.length === 1 ? numbered[0] : undefined));
    if (who === undefined) return void (answer.textContent = `There is no “${typed}” here. There is ${follow.placeholder}, for example.`);
    pin(who);
    shut();
  }
  function things() {
    const found = new Set();
    for (const state of states.values()) {
      for (const layer of state.layers) if (layer.who) for (let i = 0; i < layer.who.length; i++) found.add(layer.strings[layer.who[i]]);
      if (found.size > 5000) break;
    }
    found.delete("");
    return found;
  }
  // "Follow one lane or sector": what can be followed, by the names before their numbers.
  function name(found) {
    const kinds = found.size < FEW ? [...found] : [...new Set([...found].map((each) => each.replace(/[\s([]*\d.*$/, "")))];
    const told = kinds.length < 4 && kinds.every((kind) => kind && kind.length < 12) ? new Intl.ListFormat("en", { type: "disjunction" }).format(kinds) : "thing";
    label.textContent = `Follow ${kinds.every((kind) => found.has(kind)) && told !== "thing" ? "" : "one "}${told}:`; // "a, b, or c" are names
    follow.placeholder = [...found][0] ?? "";
    follow.setAttribute("aria-label", told === "thing" ? "follow one thing" : `follow one thing: ${told}`);
    following.hidden = found.size < 2;
    more.hidden = following.hidden && saving.hidden;
  }
  root.addEventListener("acc-open", ({ detail }) => open(detail ?? {}));
  scrub.addEventListener("input", () => (stop(), go(Number(scrub.value), 80)));
  speed.addEventListener("change", () => (interval = Number(speed.value)));
  follow.addEventListener("focus", () => names.replaceChildren(...[...things()].map((name) => el("option", { value: name }))));
  follow.addEventListener("input", () => (!follow.value || things().has(follow.value)) && pin(follow.value));
  follow.addEventListener("keydown", (event) => event.key === "Enter" && (event.preventDefault(), choose()));
  more.addEventListener("keydown", (event) => event.key === "Escape" && !menu.hidden && (event.stopPropagation(), shut()));
  more.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !more.contains(relatedTarget) && shut());
  for (const event of ["pointerdown", "keydown"]) root.addEventListener(event, touched, true);
  new IntersectionObserver((marks) => ((seen = marks.at(-1).isIntersecting), greet()), { threshold: 0.5 }).observe(screen);
  screen.addEventListener("pointermove", (event) => {
    const found = painter.under(event), box = screen.getBoundingClientRect();
    tip.hidden = !found;
    drawing.point(found?.who ?? "");
    if (!found) return;
    tip.textContent = found.says ? `${found.who}: ${found.says}` : found.who;
    const right = event.clientX - box.left > box.width * 0.6;
    Object.assign(tip.style, { top: `${event.clientY - box.top + 14}px`, left: right ? "" : `${event.clientX - box.left + screen.scrollLeft + 10}px`, right: right ? `${box.right - event.clientX - screen.scrollLeft + 10}px` : "" });
  });
  function edges() { // of a picture that is wider than its box: where the rest of it is
    const more = Math.round(painter.element.getBoundingClientRect().width) - screen.clientWidth, at = screen.scrollLeft;
    const said = more < 2 ? "" : at < 2 ? "Push the picture to the left: it goes on →" : at > more - 2 ? "← Push it back to the right" : "← The picture goes on →";
    if (beyond.textContent !== said) beyond.textContent = said;
    beyond.hidden = !said;
  }
  screen.addEventListener("scroll", edges, { passive: true });
  screen.addEventListener("pointerleave", () => ((tip.hidden = true), drawing.point("")));
  screen.addEventListener("click", (event) => {
    const found = painter.under(event);
    if (found) pin(found.who === pinned ? "" : found.who);
  });
  screen.addEventListener("keydown", (event) => {
    const keys = { " ": () => play.click(), ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => (stop(), go(0)), End: () => (stop(), go(run.total - 1)), Escape: () => pin("") };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  // The least width at which no more words meet, or are cut, than at the largest.
  let tried = "";
  function narrow() {
    const asked = `${screen.clientWidth} ${run.size}`;
    if (asked === tried || !shown || painter !== drawing || !matchMedia("(max-width: 560px)").matches) return;
    tried = asked;
    const clashes = (width) => {
      root.style.setProperty("--narrow", width);
      sized();
      const edge = drawing.element.getBoundingClientRect(), boxes = [...drawing.element.querySelectorAll("text")].slice(0, 400).map((one) => one.getBoundingClientRect());
      const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
      return boxes.reduce((sum, a, i) => sum + (a.left < edge.left - 1 || a.right > edge.right + 1) + boxes.slice(0, i).filter((b) => meet(a, b)).length, 0);
    };
    const least = clashes(NARROW.at(-1));
    NARROW.find((width) => clashes(width) <= least);
  }
  function sized() { // small screens: words keep a readable size
    const wide = Math.max(...[drawing, canvas].map(({ element }) => element.getBoundingClientRect().width)) || run.size[0];
    const hall = root.closest(".acc-slide"), least = hall ? AFAR * Math.min(innerWidth / 1600, innerHeight / 900) : LEAST;
    canvas.least = Math.min((least * run.size[0]) / wide, hall ? WIDEST : Infinity);
    root.style.setProperty("--least", canvas.least);
  }
  new ResizeObserver(() => {
    narrow();
    sized();
    root.classList.toggle("acc-tall", root.offsetHeight > 0.45 * innerHeight); // too high to be pinned on a phone
    canvas.repaint();
    edges();
    if (pinned) seat();
  }).observe(screen);
  new MutationObserver(() => canvas.repaint()).observe(document.body, { attributeFilter: ["data-jp-theme-light"] });

  return {
    begin(next) { // another run on the same screen: what keeps its key glides over
      stop();
      run = { ...run, ...next };
      if (shown) opens = null; // the reader is at work already
      [states, position, asked, preview, longest] = [new Map(), next.position ?? 0, false, false, ""];
      this.grow(run.total);
      root.style.setProperty("--wide", run.size[0]);
      root.style.setProperty("--high", run.size[1]);
      following.hidden = true;
      for (const one of [drawing, canvas]) one.resize(run.size);
    },
    grow(total) {
      run.total = total;
      if (eager && total) stop(), start();
      scrub.max = Math.max(total - 1, 0);
      place.dataset.widest = `${run.noun} ${total} of ${total}`; // the bar keeps its places while it plays
      transport.hidden = total === 1 && !run.follows;
      for (const part of [play, back, forward, scrub, place, speed, saving]) part.hidden = total === 1; // nothing to play
      if (!saves.length) saving.hidden = true;
      opener.textContent = total === 1 ? "Follow" : "More";
    },
    load(head, bytes) {
      decode(head, bytes).forEach((state, i) => states.set(head.start + i, state));
      for (const i of states.size > KEPT ? [...states.keys()] : []) if (Math.abs(i - position) > KEPT / 2) states.delete(i);
      asked = false;
      for (const { say } of states.values()) if (say.length > longest.length) longest = say;
      finding.dataset.longest = longest; // its room: nothing below moves while it plays
      name(things());
      if (states.has(position)) show(300);
      greet();
    },
    go: (index) => (stop(), go(index)),
    pin,
    touched,
    get position() { return position; },
    get states() { return states; },
  };
}
