// Put before every widget's own script (page.py), since a widget's module cannot import a file beside it.
function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const quiet = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab leaves this element's keys alone
const own = { tabindex: "-1", ...quiet }; // a press beside what is typed into keeps the keys in this card: no letter of them cuts a cell

function button(label, act, attributes = {}) {
  const made = node("button", { type: "button", ...attributes, ...quiet }, label);
  made.addEventListener("click", act);
  return made;
}

// The nearest element around this one that matches, through the borders of shadow roots; null where there is none.
function around(el, selector) {
  for (let at = el; at; at = at.getRootNode().host) {
    const found = at.closest(selector);
    if (found) return found;
  }
  return null;
}

// What has the focus, of the tree that this element stands in.
const focused = (el) => el.getRootNode().activeElement ?? null;

// Calls `then` with what `ready` gives, as soon as it gives something. While `el` stands in no page nothing is asked; after
// that for so many frames, and then no more: a page that never has it is left in peace. Returns what ends the waiting.
const REACH = 120;
if (!customElements.get("acc-here")) {
  customElements.define("acc-here", class extends HTMLElement {
    connectedCallback() {
      this.reached?.();
    }
  });
}
function when(el, ready, then) {
  let frame = 0, left = REACH;
  const here = node("acc-here", { hidden: "" });
  const ask = () => {
    if (!el.isConnected) return el.append(here);
    here.remove();
    const found = ready();
    if (found) then(found);
    else if (left--) frame = requestAnimationFrame(ask);
  };
  here.reached = () => (frame = requestAnimationFrame(ask));
  frame = requestAnimationFrame(ask);
  return () => (cancelAnimationFrame(frame), here.remove());
}

// Puts text on the clipboard; false where the page may not.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
