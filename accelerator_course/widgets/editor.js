// A plain editor for a kernel: line numbers, Tab for four spaces, Escape and then Tab to leave, Enter keeps the indent.
//   const editor = written(label, about, { changed, left, run });   editor.element, editor.text, editor.put(text), editor.blame(line)
const INDENT = 4; // of a tab

function written(label, about, { changed, left, run }) {
  const numbers = node("div", { class: "acc-numbers", "aria-hidden": "true" });
  const box = node("textarea", {
    wrap: "soft", spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off",
    "aria-label": label, "aria-describedby": about, ...quiet,
  });
  const element = node("div", { class: "acc-editor" }, numbers, box);
  let leaving = false, blamed = 0;

  function number() {
    numbers.replaceChildren(...box.value.split("\n").map((line, i) =>
      node("span", { "data-line": line, ...(i + 1 === blamed ? { class: "acc-blamed" } : {}) }, node("b", {}, `${i + 1}`))));
    fit();
  }
  // Numbers as broad as the text, so that both wrap alike; a bar to scroll by takes some of the width.
  function fit() {
    if (box.clientWidth) numbers.style.width = `${box.offsetLeft + box.clientWidth}px`;
    follow();
  }
  // A line, from 0, in view.
  function reveal(line) {
    const { offsetTop: top, offsetHeight: high } = numbers.children[line];
    if (top < box.scrollTop || top + high > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }
  const follow = () => (numbers.style.transform = `translateY(${-box.scrollTop}px)`);
  // Into the text at the selection, so that the browser can undo it.
  function type(text) {
    if (!document.execCommand("insertText", false, text)) {
      box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
      box.dispatchEvent(new Event("input"));
    }
  }
  const start = (at) => box.value.lastIndexOf("\n", at - 1) + 1;
  const KEYS = {
    Tab: () => type(" ".repeat(INDENT - ((box.selectionStart - start(box.selectionStart)) % INDENT))),
    Enter: () => {
      const line = box.value.slice(start(box.selectionStart), box.selectionStart);
      type(`\n${line.match(/^ */)[0]}${/:\s*$/.test(line) ? " ".repeat(INDENT) : ""}`);
    },
  };
  box.addEventListener("keydown", (event) => {
    const free = event.key === "Tab" && (leaving || event.shiftKey);
    if (event.key !== "Shift") leaving = event.key === "Escape";
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (KEYS[event.key] && !free && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });
  box.addEventListener("input", () => {
    blamed = 0;
    number();
    changed();
  });
  box.addEventListener("blur", () => {
    leaving = false;
    left();
  });
  box.addEventListener("scroll", follow);
  let frame = 0;
  new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      fit();
      if (focused(box) === box) reveal(box.value.slice(0, box.selectionEnd).split("\n").length - 1);
    });
  }).observe(element);
  return {
    element, box,
    get text() { return box.value; },
    put(text) {
      box.value = text;
      blamed = 0;
      number();
    },
    blame(line) { // and have it in view
      blamed = line;
      number();
      if (numbers.children[line - 1]) reveal(line - 1);
    },
  };
}
