// The pages of the book: films of one slider, runs that play. A figure says in data-film where its script lies; that
// script hands over what it holds by calling accTake, as the player (views/stage) does by calling accPlayer. Both are
// asked for when the reader comes near, and work from a folder on disk as well, where pages may not fetch.
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
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// The lines below a picture go to what they say; where the reader has been is ticked.
const lines = (figure) => [...figure.querySelectorAll(".acc-lines button")];
const tick = (figure, place) => {
  for (const line of lines(figure)) if (Number(line.dataset.go) === place) line.classList.add("acc-ticked");
};

function play(figure) {
  return Promise.all([take(figure), player()]).then(([{ run, head, data }, mount]) => {
    const stage = document.createElement("div"), frame = figure.querySelector(".acc-frame");
    figure.querySelector(":scope > .acc-finding").remove();
    frame.replaceWith(stage);
    const made = mount(stage, { settled: (place) => tick(figure, place) });
    made.begin(run);
    made.load(head, bytesOf(data));
    for (const line of lines(figure)) line.addEventListener("click", () => made.go(Number(line.dataset.go)));
  });
}

function slide(figure) {
  const slider = figure.querySelector(".acc-slider input"), said = figure.querySelector(".acc-finding");
  const place = figure.querySelector(".acc-slider output"), frame = figure.querySelector(".acc-frame");
  let stage = null;
  async function show() {
    const film = await take(figure), at = Number(slider.value), { say, at: state } = film.frames[at];
    place.textContent = film.stops[at];
    slider.setAttribute("aria-valuetext", film.stops[at]);
    tick(figure, at);
    const mount = await player();
    if (!stage) {
      const room = document.createElement("div");
      frame.replaceChildren(room);
      stage = mount(room);
      stage.begin({ ...film.run, position: say ? 0 : state });
      stage.load(film.head, bytesOf(film.data));
    }
    said.hidden = !say; // else the player says it
    frame.hidden = Boolean(say);
    said.textContent = say ?? "";
    if (!say) stage.go(state);
  }
  figure.near = show; // a stage keeps its words readable on a phone
  slider.addEventListener("input", show);
  for (const line of lines(figure)) line.addEventListener("click", () => ((slider.value = line.dataset.go), show()));
  slider.addEventListener("focus", () => take(figure));
}

// What is held fixed here moves there.
const live = document.querySelector(".acc-head a.acc-live");
for (const held of live ? document.querySelectorAll(".acc-fixed:not(:empty)") : []) {
  const link = live.cloneNode();
  link.textContent = held.dataset.live ?? "Move it live";
  held.append(" ", link);
}
// On a phone JupyterLab leaves a notebook no room: there the live copy opens alone.
const narrow = matchMedia("(max-width: 760px)");
for (const link of document.querySelectorAll('a[href*="lite/lab/"]')) {
  link.addEventListener("click", () => (link.href = link.href.replace(/lite\/(lab|notebooks)/, narrow.matches ? "lite/notebooks" : "lite/lab")));
}
// What answers a prediction is uncovered by a guess at each of its questions, or by a link to it.
for (const option of document.querySelectorAll(".acc-out .acc-option")) {
  option.addEventListener("toggle", () => {
    const out = option.closest(".acc-out"), after = out.nextElementSibling;
    const asked = [...out.querySelectorAll(".acc-ask")];
    if (!asked.every((card) => card.querySelector(".acc-option[open]"))) return;
    for (const cover of [out.querySelector(".acc-cover"), after?.matches(".acc-cover") ? after : null]) if (cover) cover.open = true;
  });
}
// What goes deeper is folded below its heading; a link into it opens it.
for (const section of document.querySelectorAll("section#deeper")) {
  const heading = section.querySelector("h2"), fold = document.createElement("details"), summary = document.createElement("summary");
  fold.className = "acc-fold acc-cover";
  summary.textContent = "Go deeper";
  fold.append(summary, ...[...section.childNodes].filter((node) => node !== heading && node.compareDocumentPosition(heading) & 2));
  section.append(fold);
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

// Near the window: a run is made ready, a film's words are fetched.
const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    if (target.matches(".acc-run")) play(target);
    else target.near?.();
  }
}, { rootMargin: "400px" });
for (const figure of document.querySelectorAll("figure[data-film]")) {
  if (figure.matches(".acc-film")) slide(figure);
  near.observe(figure);
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
