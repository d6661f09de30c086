// Put before every widget's own script (page.py), since a widget's module cannot import a file beside it.
function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const quiet = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab leaves this element's keys alone

// Bytes from the kernel as a file of the reader's.
function download(file, type, bytes) {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const save = node("a", { href: address, download: file });
  document.body.append(save);
  save.click();
  save.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
