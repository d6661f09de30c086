// Phrases of the prose that name something in the picture before them, [the weights](#lit-weights): a pointer or the focus on
// the phrase lights that layer of marks, and a pointer on the marks the phrase. A press brings the picture into sight, lit
// for a while. Put before a stage's own script.

const PHRASE = "a[href*='#lit-']";
const LIT = 4000; // ms after a press
const named = (link) => decodeURIComponent(link.getAttribute("href").split("#lit-")[1]);

// `root` is the picture; `stage` its figure. Returns what ends it.
function phrases(root, stage) {
  const ends = new AbortController(), signal = ends.signal;
  when(root, () => around(root, ".jp-Cell"), (own) => listen(own, around(root, ".jp-Notebook") ?? document.body));
  return () => ends.abort();

  function listen(own, page) {
    const mine = (link) => { // the last picture before it
      const cell = link.closest(".jp-Cell"), cells = [...page.querySelectorAll(".jp-Cell")];
      return own && cells.slice(0, cells.indexOf(cell) + 1).findLast((one) => one.querySelector(".acc-picture")) === own;
    };
    const light = (name) => {
      stage.classList.toggle("acc-lit", Boolean(name && stage.querySelector(`[data-layer="${CSS.escape(name)}"]`)));
      for (const group of stage.querySelectorAll("[data-layer]")) group.classList.toggle("acc-lit-layer", group.dataset.layer === name);
    };
    const mark = (name) => {
      for (const link of page.querySelectorAll(PHRASE)) link.classList.toggle("acc-lit-phrase", Boolean(name) && named(link) === name && mine(link));
    };
    let until = 0;
    const over = ({ target }) => {
      if (performance.now() < until) return;
      const link = target.closest?.(PHRASE);
      if (link) light(mine(link) ? named(link) : "");
      else if (stage.classList.contains("acc-lit")) light("");
    };
    for (const kind of ["pointerover", "focusin"]) page.addEventListener(kind, over, { signal });
    page.addEventListener("focusout", ({ target }) => target.closest?.(PHRASE) && light(""), { signal });
    page.addEventListener("click", (event) => {
      const link = event.target.closest?.(PHRASE);
      if (!link) return;
      event.preventDefault();
      if (!mine(link)) return;
      until = 0;
      light(named(link));
      until = performance.now() + LIT;
      setTimeout(() => performance.now() >= until && !page.querySelector(`${PHRASE}:is(:hover, :focus)`) && light(""), LIT);
      stage.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    }, { signal, capture: true });
    stage.addEventListener("pointerover", ({ target }) => mark(target.closest?.("[data-layer]")?.dataset.layer), { signal });
    stage.addEventListener("pointerleave", () => mark(""), { signal });
  }
}
