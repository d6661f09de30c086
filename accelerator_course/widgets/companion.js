// Accessible names and arrow keys for the panel around this widget; and its picture fits the window.
const HANDLE = ".noUi-handle, .ui-slider-handle"; // of ipywidgets 8, and of ipywidgets 7, which gives it no role
const FOCUSABLE = `button, select, input, ${HANDLE}`;
const AROUND = 120, BAR = 44, LEAST_HIGH = 200; // pixels of the window that stay free, of the notebook, that a picture has at least

function mend(panel) {
  for (const control of panel.querySelectorAll(".acc-control")) {
    const name = control.querySelector(".widget-label")?.textContent.trim();
    const readout = control.querySelector(".widget-readout")?.textContent.trim();
    for (const handle of control.querySelectorAll(HANDLE)) {
      set(handle, "role", "slider");
      set(handle, "aria-label", name);
      set(handle, "aria-valuetext", readout);
    }
    for (const menu of control.querySelectorAll("select")) set(menu, "aria-label", name);
    control.querySelector(".widget-readout")?.removeAttribute("contenteditable"); // ipywidgets reads nothing of what is typed there
  }
  // On the focused element itself: on an ancestor, JupyterLab has already acted.
  for (const element of panel.querySelectorAll(FOCUSABLE)) {
    if (!element.hasAttribute("data-lm-suppress-shortcuts")) element.setAttribute("data-lm-suppress-shortcuts", "true");
    if (element.title && !element.textContent.trim()) set(element, "aria-label", element.title);
  }
}

function set(element, attribute, value) {
  if (value && element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

// A press on the track brings the handle there; from then on it follows the pointer, as if the handle had been pressed.
function grasp({ target, clientX, clientY, button }) {
  const track = target.closest?.(".noUi-base");
  if (!track || button || target.closest(".noUi-handle")) return;
  setTimeout(() => {
    track.parentElement.classList.remove("noUi-state-tap"); // it would glide behind
    track.querySelector(".noUi-handle")?.dispatchEvent(new MouseEvent("mousedown", { clientX, clientY, buttons: 1 }));
  });
}

// noUiSlider keeps the maximum it was born with for the End key; a run of another length has another one.
// Go to the last place but one, then let the slider itself take the last step, and tell the kernel.
function end(event) {
  const handle = event.target;
  if (event.key !== "End" || !handle.classList.contains("noUi-handle")) return;
  event.preventDefault();
  event.stopPropagation();
  handle.closest(".noUi-target").noUiSlider.set(handle.getAttribute("aria-valuemax") - 1);
  handle.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
}

// How high the picture may be: what the window leaves beside headline, bar and controls, below the chapter's bar; with the
// question that it answers above it, too. A page within a page may be as high as what it shows: there the screen is asked.
function fit(panel, kept) {
  const picture = panel.querySelector(".acc-screen"), said = panel.querySelector("figcaption.acc-finding");
  if (!picture?.offsetHeight || panel.closest(".acc-slide")) return;
  const size = `${panel.clientWidth} ${innerHeight}`;
  if (kept.size !== size) {
    panel.style.setProperty("--said", "0px");
    Object.assign(kept, { size, said: said.offsetHeight, most: Infinity });
  }
  if (said.offsetHeight > kept.said) kept.most = picture.offsetHeight - (said.offsetHeight - kept.said); // what is below stays
  kept.said = said.offsetHeight;
  panel.style.setProperty("--said", `${kept.said}px`);
  const high = window === window.parent ? innerHeight : Math.max(innerHeight, 0.75 * screen.availHeight);
  const seen = around(panel, ".jp-WindowedPanel-outer")?.clientHeight ?? high; // the notebook in JupyterLab
  const home = around(picture, ".acc-picture"), beside = getComputedStyle(panel).flexDirection === "row";
  const top = (part) => part.getBoundingClientRect().top, asked = panel.closest(".acc-predict");
  const alone = (beside ? home : panel).offsetHeight - picture.offsetHeight;
  const reply = [...(asked?.querySelectorAll(".acc-feedback") ?? [])].reduce((sum, part) => sum + part.offsetHeight, 0);
  const rest = Math.max(alone, asked ? top(picture) - top(asked) - reply + BAR : 0); // and what plays it
  const room = Math.min(high - AROUND, seen - BAR) - rest;
  panel.style.setProperty("--fit", `${Math.min(kept.most, Math.max(LEAST_HIGH, Math.floor(room)))}px`);
}

function render({ el }) {
  el.className = "acc-voice";
  let observer, sizes;
  const stop = when(el, () => around(el, ".acc-panel"), (panel) => {
    const again = () => mend(panel);
    panel.addEventListener("keydown", end, true);
    panel.addEventListener("mousedown", grasp, true);
    observer = new MutationObserver(again);
    const changes = { childList: true, characterData: true, subtree: true };
    observer.observe(panel, { ...changes, attributeFilter: ["aria-valuetext", "class", "contenteditable"] });
    again();
    const kept = {};
    let frame = 0;
    const soon = () => (cancelAnimationFrame(frame), (frame = requestAnimationFrame(() => fit(panel, kept))));
    sizes = new ResizeObserver(soon);
    for (const part of [panel, ...panel.children, ...(panel.closest(".acc-predict")?.children ?? [])]) sizes.observe(part);
    addEventListener("resize", soon);
    sizes.leave = () => (sizes.disconnect(), cancelAnimationFrame(frame), removeEventListener("resize", soon));
  });
  return () => (stop(), observer?.disconnect(), sizes?.leave());
}

export default living(render, (el) => around(el, ".acc-panel"));
