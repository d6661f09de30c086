// A plain editor for a kernel: line numbers, Tab for four spaces, Escape and then Tab to leave, Enter keeps the indent.
//   const editor = written(label, about, { changed, left, run });   editor.element, editor.text, editor.put(text), editor.blame(line)
const INDENT = 4, ROWS = [12, 36];

function written(label, about, { changed, left, run }) {
  const numbers = node("div", { class: "acc-numbers", "aria-hidden": "true" });
  const box = node("textarea", {
    wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off",
    "aria-label": label, "aria-describedby": about, ...quiet,
  });
  const element = node("div", { class: "acc-editor" }, numbers, box);
  let leaving = false, blamed = 0;

  function number() {
    const many = box.value.split("\n").length;
    box.rows = Math.min(Math.max(many + 1, ROWS[0]), ROWS[1]);
    numbers.replaceChildren(...Array.from({ length: many }, (_, i) =>
      node("span", i + 1 === blamed ? { class: "acc-blamed" } : {}, `${i + 1}`)));
    follow();
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
      box.scrollLeft = 0;
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
    box.scrollLeft = 0; // where lines begin
    left();
  });
  box.addEventListener("scroll", follow);
  return {
    element, box,
    get text() { return box.value; },
    put(text) {
      box.value = text;
      blamed = 0;
      number();
    },
    blame(line) {
      blamed = line;
      number();
    },
  };
}
