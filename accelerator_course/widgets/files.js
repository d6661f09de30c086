// Files for the reader; put before a widget's own script, as dom.js is.

// Why this page cannot save files, as far as it can know: it is shown within another one, which has not allowed it.
function refused() {
  let outer = null;
  try {
    outer = window.frameElement;
  } catch { /* the page around it is of another origin */ }
  if (outer?.hasAttribute("sandbox")) return !outer.sandbox.contains("allow-downloads");
  return window.origin === "null" && location.protocol !== "file:";
}

// Bytes from the kernel as a file of the reader's. Where the page cannot save it, its text or its picture is shown in `place`.
function download(place, file, type, bytes) {
  const blob = new Blob([bytes], { type });
  place.querySelector(".acc-file")?.remove();
  if (refused()) return place.append(shown(file, type, blob, bytes));
  const address = URL.createObjectURL(blob);
  const save = node("a", { href: address, download: file });
  document.body.append(save);
  save.click();
  save.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function shown(file, type, blob, bytes) {
  const why = "This notebook is shown within a page that may not save files.";
  const say = (how) => node("p", { class: "acc-note", role: "status" }, `${why} ${how}`);
  if (type === "application/pdf") return node("div", { class: "acc-file" }, say(`A PDF cannot be copied from here: ask for ${file} in another form.`));
  if (/^image\/(png|gif)/.test(type)) {
    const picture = node("img", { alt: file }), reader = new FileReader();
    reader.onload = () => (picture.src = reader.result);
    reader.readAsDataURL(blob);
    return node("div", { class: "acc-file" }, say(`Here is ${file}: copy or save the picture with your browser's menu.`), picture);
  }
  const text = node("textarea", { readonly: "", rows: 8, "aria-label": file, ...quiet });
  text.value = new TextDecoder().decode(bytes);
  const copy = button("Copy", async () => {
    text.select();
    copy.textContent = (await copied(text.value)) ? "Copied" : "It is selected: copy it";
  });
  return node("div", { class: "acc-file" }, say(`Here is the text of ${file}: copy it into a file of that name.`), text, copy);
}
