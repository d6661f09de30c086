// Ways to other notebooks: in JupyterLab they open as a tab beside this one, in Voila or Notebook 7 as a plain page.
const lab = () => location.pathname.match(/^(.*\/)lab(?:\/|$)/)?.[1]; // the address that the server of a JupyterLab has

// Path of a notebook beside the open one, from the root of JupyterLab: its address names the open one.
function beside(notebook) {
  const open = decodeURIComponent(location.pathname.match(/\/tree\/(.*)$/)?.[1] ?? "");
  return open.slice(0, open.lastIndexOf("/") + 1) + notebook;
}

// The address of a notebook: what an <a> points to, so that it can be copied or opened in a new window.
function address(notebook) {
  return lab() ? `${lab()}lab/tree/${beside(notebook).split("/").map(encodeURIComponent).join("/")}` : notebook;
}

// Scroll to the first heading that begins so, below `root`; true if there is one.
function goTo(heading, root = document) {
  const found = [...root.querySelectorAll("h1, h2, h3, h4")].find((h) => heading && h.textContent.startsWith(heading));
  if (!found) return false;
  found.setAttribute("tabindex", "-1");
  found.focus({ preventScroll: true });
  found.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  return true;
}

// Go to a heading of this notebook if it has one that begins so, else open the notebook, and go there in it.
function openNotebook(notebook, heading, from) {
  if (goTo(heading, from.closest(".jp-Notebook") ?? document)) return;
  if (!lab()) return location.assign(notebook);
  const linker = node("button", { hidden: "", "data-commandlinker-command": "docmanager:open",
    "data-commandlinker-args": JSON.stringify({ path: beside(notebook) }) });
  from.after(linker); // inside the notebook that the learner has trusted, JupyterLab obeys without asking
  linker.click();
  linker.remove();
  const shown = () => document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)");
  const left = shown();
  let tries = 100;
  const look = () => (shown() !== left && goTo(heading, shown())) || (tries-- > 0 && setTimeout(look, 100));
  if (heading) look();
}

// A link to a notebook of the course, or to a heading in it.
function notebookLink(notebook, words, heading) {
  const made = node("a", { href: address(notebook), ...quiet }, words);
  made.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new window is wanted
    event.preventDefault();
    openNotebook(notebook, heading, made);
  });
  return made;
}

