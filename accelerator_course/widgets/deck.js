// One card of a quiz at a time. All of them lie in one place of a grid, as high as the highest, so nothing jumps.
const SIGNS = { "": ["○", "open"], right: ["✔", "right"], part: ["◐", "partly right"], wrong: ["✘", "not right"] };
const BAR = 36; // pixels that the bar of the chapter covers

function render({ model, el }) {
  el.classList.add("acc-row");
  const back = node("button", { type: "button", ...quiet }, "◀ Back");
  const next = node("button", { type: "button", ...quiet });
  const place = node("p", { class: "acc-place", role: "status" });
  const pips = node("ol", { class: "acc-pips", "aria-label": "how it went so far" });
  const row = node("div", { class: "acc-question acc-steps" }, back, node("div", { class: "acc-where" }, place, pips), next);
  el.replaceChildren(row);
  row.addEventListener("keydown", (event) => event.stopPropagation());

  let at = model.get("states").findIndex((state) => !state); // where the learner has come to
  if (at < 0) at = model.get("states").length;
  const cards = () => [...(around(el, ".acc-deck")?.querySelectorAll(":scope > .acc-card") ?? [])];

  function draw() {
    const states = model.get("states");
    row.style.display = states.length ? "" : "none"; // nothing is asked yet
    cards().forEach((card, i) => card.classList.toggle("acc-now", i === at));
    place.textContent = at < states.length ? `${at + 1} of ${states.length}` : model.get("last");
    if (model.get("note")) place.textContent += ` · ${model.get("note")}`;
    pips.replaceChildren(...states.map((state, i) => {
      const [sign, word] = SIGNS[state];
      const pip = node("button", { type: "button", title: `question ${i + 1}: ${word}`, ...(i === at ? { "aria-current": "step" } : {}), ...quiet }, sign);
      pip.setAttribute("aria-label", pip.title);
      pip.addEventListener("click", (event) => go(i, event));
      return node("li", { "data-sign": state }, pip);
    }));
    back.disabled = at === 0;
    next.hidden = at >= states.length;
    next.textContent = at === states.length - 1 ? `${model.get("last")} ▶` : "Next ▶";
    next.classList.toggle("acc-main", Boolean(states[at]));
  }
  // Under a pointer the row stays where it is, as long as the end of the question is in sight.
  function go(to, { detail }) {
    const top = row.getBoundingClientRect().top;
    at = to;
    draw();
    const legend = cards()[at]?.querySelector("legend, .acc-feedback"); // Tab leads from it to the first field
    if (!detail || legend?.getBoundingClientRect().bottom < BAR) legend?.scrollIntoView({ block: "nearest" }); // first: in Firefox what is not laid out takes no focus
    else (around(el, ".jp-WindowedPanel-outer") ?? document.scrollingElement).scrollTop += row.getBoundingClientRect().top - top;
    legend?.focus({ preventScroll: true });
  }
  back.addEventListener("click", (event) => go(at - 1, event));
  next.addEventListener("click", (event) => go(at + 1, event));

  for (const name of ["states", "note", "last"]) model.on(`change:${name}`, draw);
  let observer;
  const stop = when(el, () => around(el, ".acc-deck"), (box) => {
    observer = new MutationObserver(draw); // the cards come one by one
    observer.observe(box, { childList: true });
    draw();
  });
  draw();
  return () => (stop(), observer?.disconnect());
}

export default { initialize: begun, render };
