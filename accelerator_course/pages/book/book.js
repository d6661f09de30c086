// The pages of the book: panels that answer from a table, runs that play. A figure says in data-film where its script lies;
// that script hands over what it holds by calling accTake, as the player (views/stage) does by calling accPlayer. Both are
// asked for when the reader comes near, and work from a folder on disk as well, where pages may not fetch.
// What the table does not have, the live page has (pages/live): window.accLive, which takes the place of a div.acc-live;
// figure.accMoved() tells it which controls stand where, an event acc-tick which line is ticked. It may say in accLive.trouble why it cannot come.
(() => {
const waiting = new Map(), players = document.currentScript.src.replace(/book\.js.*/, "player.js");
window.accTake = (name, film) => waiting.get(document.currentScript?.src)?.(film);
window.accPlayer = (mount) => window.accTake("", mount);

function ask(address) {
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = address;
    waiting.set(script.src, done);
    script.addEventListener("error", fail);
    document.head.append(script);
  });
}
let asked = null;
const player = () => (asked ??= ask(players));
const take = (figure) => (figure.taken ??= ask(figure.dataset.film));
const bytesOf = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)); // of which it keeps the lower byte

// A control by its place: a switch is at 0 or 1.
const isSwitch = (field) => field.type === "checkbox";
const placeOf = (field) => Number(isSwitch(field) ? field.checked : (field.selectedIndex ?? field.value));
const startOf = (field) =>
  Number(isSwitch(field) ? field.defaultChecked : field.options ? [...field.options].findIndex((one) => one.defaultSelected) : field.defaultValue);
function put(field, place) {
  if (isSwitch(field)) field.checked = Boolean(place);
  else field[field.options ? "selectedIndex" : "value"] = place;
}
const placesOf = (line) => (line.dataset.at ?? "").split(" ").filter(Boolean).map(Number); // in the run, the first and the last that are meant
// One state of a reel as a reel of its own: a state says only what changed.
function alone(reel, at) {
  const columns = new Map();
  for (const state of reel.states.slice(0, at + 1)) for (const one of state.columns) columns.set(`${one[0]} ${one[1]}`, one);
  return { ...reel, states: [{ say: reel.states[at].say, columns: [...columns.values()] }] };
}

function wire(figure) {
  const fields = [...figure.querySelectorAll(".acc-control")].map((label) => [label.dataset.control, label.querySelector("input, select")]);
  const lines = [...figure.querySelectorAll(".acc-lines button")], wait = figure.querySelector(".acc-wait"), runs = figure.matches(".acc-run");
  const said = figure.querySelector(".acc-finding"), frame = figure.querySelector(".acc-frame");
  let table = null, stage = null, shown = null;
  const moved = () => fields.filter(([, field]) => placeOf(field) !== startOf(field));
  const waits = () => moved().length > (runs ? 0 : 1); // for what the table does not have
  figure.accMoved = () => Object.fromEntries(moved().map(([name, field]) => [name, table?.controls[name].places[placeOf(field)] ?? placeOf(field)]));

  async function show() {
    const [found, mount] = await Promise.all([take(figure), player()]);
    if (!table) begin((table = found), mount);
    for (const [name, field] of fields.filter(([, one]) => one.type === "range")) {
      const text = table.controls[name].stops[placeOf(field)];
      field.setAttribute("aria-valuetext", text);
      field.nextElementSibling.textContent = text;
    }
    if (wait) tell();
    if (runs || waits()) return;
    const [name, field] = moved()[0] ?? fields[0];
    draw(table.controls[name].shown[placeOf(field)]);
  }
  function begin({ run, head, data }, mount) {
    const room = document.createElement("div");
    frame.replaceChildren(room);
    stage = mount(room, { settled: runs ? tick : () => {} });
    stage.bytes = bytesOf(data);
    said.hidden = true; // the player says it
    if (!runs) return;
    stage.begin(run);
    stage.load(head, stage.bytes);
  }
  function tell() {
    const live = window.accLive, apart = `${runs ? "Another run is" : "Two controls at once are"} computed where the course runs: make lab.`;
    const text = !waits() ? "" : live ? (live.trouble ?? "Python is on its way; then this picture follows.") : apart;
    if (wait.dataset.says === text) return;
    wait.textContent = wait.dataset.says = text;
  }
  function draw(seen) { // a state, or in words why there is none
    const told = typeof seen === "string";
    [said.hidden, said.textContent, frame.hidden] = [!told, told ? seen : "", told];
    if (told || seen === shown) return;
    stage.begin({ ...table.run, total: 1, position: 0 });
    stage.load(alone(table.head, (shown = seen)), stage.bytes);
    const longest = table.head.states.reduce((most, { say }) => (say.length > most.length ? say : most), "");
    frame.querySelector(".acc-finding").dataset.longest = longest; // its room: nothing below moves
  }
  // Where the reader has been is ticked.
  function tick(at) {
    for (const line of waits() ? [] : lines) {
      const there = JSON.parse(line.dataset.set);
      const met = fields.every(([name, field]) => !(name in there) || placeOf(field) === there[name]);
      const [first, last] = placesOf(line);
      if (!met || (runs && !(at > 0 && at >= first && at <= last)) || line.matches(".acc-ticked")) continue;
      line.classList.add("acc-ticked");
      line.dispatchEvent(new Event("acc-tick", { bubbles: true }));
    }
    figure.accSeen(runs && at > 0 && at === table.run.total - 1);
  }
  // What was seen opens when every line is ticked, or at the end of a run of which Python computes no other; else with the guess.
  figure.accSeen = (ended) => {
    const saw = figure.closest(".acc-live")?.nextElementSibling, covered = figure.closest(".acc-cover:not([open])");
    const done = lines.length || runs ? lines.length && lines.every((line) => line.matches(".acc-ticked")) : true;
    const python = lines.length && window.accLive && !window.accLive.trouble; // it computes what the other lines ask for
    if (saw?.matches(".acc-cover") && !covered && (done || (ended && !python))) saw.open = true;
  };
  const touched = () => show().then(() => tick(runs ? stage.position : 0));
  function go(there = {}) {
    for (const [name, field] of fields) put(field, there[name] ?? startOf(field));
    return touched();
  }
  for (const [, field] of fields) field.addEventListener("input", touched);
  figure.querySelector(".acc-reset")?.addEventListener("click", () => go());
  for (const line of lines) {
    line.addEventListener("click", () => go(JSON.parse(line.dataset.set)).then(() => runs && "at" in line.dataset && stage.go(placesOf(line)[0])));
  }
  for (const one of figure.querySelectorAll(":disabled")) one.disabled = false; // without this script they do nothing
  figure.near = show;
}

// What answers a prediction is uncovered by a guess at each of its questions, or by a link to it.
for (const option of document.querySelectorAll(".acc-live .acc-option")) {
  option.addEventListener("toggle", () => {
    const out = option.closest(".acc-live"), after = out.nextElementSibling;
    const asked = [...out.querySelectorAll(".acc-ask")];
    if (!asked.every((card) => card.querySelector(".acc-option[open]"))) return;
    const cover = out.querySelector(".acc-cover"), figure = out.querySelector("figure[data-film]");
    if (cover) cover.open = true;
    if (figure) figure.accSeen();
    else if (after?.matches(".acc-cover")) after.open = true;
  });
}
// What goes deeper is folded below its heading; a link into it opens it.
for (const section of document.querySelectorAll("section#deeper")) {
  const heading = section.querySelector("h2"), fold = document.createElement("details"), summary = document.createElement("summary");
  fold.className = "acc-fold acc-cover";
  summary.textContent = "Go deeper";
  fold.append(summary, ...[...section.childNodes].filter((node) => node !== heading && node.compareDocumentPosition(heading) & 2));
  section.append(fold);
  const link = document.querySelector('.toc-tree a[href="#deeper"]'), below = link?.nextElementSibling; // and in the map
  below?.remove();
  fold.addEventListener("toggle", () => (fold.open ? below && link.after(below) : below?.remove()));
}
const reach = () => {
  const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let moved = false;
  for (let cover = there?.closest(".acc-cover:not([open])"); cover; cover = there.closest(".acc-cover:not([open])")) {
    cover.open = moved = true;
  }
  if (moved) there.scrollIntoView();
};
addEventListener("hashchange", reach);
reach();
// The contents that a phone shows over the page make way for what was chosen.
document.querySelector(".toc-tree")?.addEventListener("click", (event) => {
  const drawer = document.getElementById("__toc");
  if (drawer && event.target.closest("a")) drawer.checked = false;
});

// What is wider than a phone scrolls, by keyboard as well, and says so; what is folded is measured when it opens.
const wide = new ResizeObserver((seen) => {
  for (const { target: box } of seen) {
    const cut = box.scrollWidth > box.clientWidth + 1, about = { tabindex: 0, role: "group", "aria-label": "wider than the window: it scrolls sideways" };
    box.classList.toggle("acc-wide", cut);
    for (const [name, value] of Object.entries(about)) cut ? box.setAttribute(name, value) : box.removeAttribute(name);
  }
});
for (const box of document.querySelectorAll('article :is(.table-wrapper, .acc-out, p:has(> math[display="block"]))')) wide.observe(box);

// Near the window: a picture is made ready.
const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    target.near();
  }
}, { rootMargin: "400px" });
for (const figure of document.querySelectorAll("figure[data-film]")) {
  wire(figure);
  near.observe(figure);
}

// The machine to scale (widgets/scale.js): a line that opens it, or the picture itself.
let machine = null;
for (const where of document.querySelectorAll(".acc-scaled")) {
  where.near = async () => (await (machine ??= ask(players.replace("player.js", "scale.js"))))(where.lastElementChild, where.dataset.place);
  if (where.tagName === "DETAILS") where.addEventListener("toggle", where.near, { once: true });
  else near.observe(where);
}

// The stage has its own dark colours, for which it looks here.
const dark = matchMedia("(prefers-color-scheme: dark)");
function theme() {
  const asked = document.body.dataset.theme ?? "auto";
  document.body.dataset.jpThemeLight = asked === "auto" ? !dark.matches : asked !== "dark";
}
new MutationObserver(theme).observe(document.body, { attributeFilter: ["data-theme"] });
dark.addEventListener("change", theme);
theme();
})();
