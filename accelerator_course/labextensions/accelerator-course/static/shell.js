// The course in JupyterLab and Notebook 7: a federated extension, written as the container that they load, so that nothing
// is built. chapter.js runs a notebook of the course, still.js shows what was saved where no Python runs.
(() => {
  const here = document.currentScript.src, NAME = "accelerator-course";
  let shared; // the packages of JupyterLab itself

  async function lab(name) {
    const [found] = Object.values(shared[name]);
    return (await found.get())();
  }

  async function extension() {
    const [{ INotebookTracker, NotebookActions }, { Chapter, RUN }, { stills }] = await Promise.all([
      lab("@jupyterlab/notebook"), import(new URL("chapter.js", here)), import(new URL("still.js", here)),
    ]);
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("shell.css", here) }));

    const activate = (app, tracker) => {
      const chapters = new Map(); // by panel
      const open = async (panel) => {
        stills(panel, () => chapters.get(panel)); // before the first cell is drawn
        await panel.context.ready;
        if (panel.isDisposed || !Chapter.is(panel)) return;
        chapters.set(panel, new Chapter(panel, NotebookActions));
        panel.disposed.connect(() => chapters.delete(panel));
        await panel.revealed;
        go();
      };
      let way = null; // where a link of another notebook leads: to a section, and once that has run to its panel
      const go = () => {
        const panel = way && [...chapters.keys()].find((one) => one.context.path.split("/").at(-1) === way.notebook);
        if (!panel?.isVisible) return;
        chapters.get(panel).lead(way);
        way = null;
      };
      document.addEventListener("acc-way", ({ detail }) => {
        way = detail;
        setTimeout(go);
      });
      tracker.currentChanged.connect(() => setTimeout(go));
      tracker.forEach(open);
      tracker.widgetAdded.connect((_, panel) => open(panel));
      app.commands.addCommand(RUN, {
        label: "Run this chapter of the course",
        isEnabled: () => chapters.has(tracker.currentWidget),
        execute: () => chapters.get(tracker.currentWidget)?.press(),
      });
    };
    return { id: `${NAME}:shell`, description: "Runs chapters of the course.", requires: [INotebookTracker], autoStart: true, activate };
  }

  (window._JUPYTERLAB ??= {})[NAME] = {
    init: (scope) => void (shared = scope),
    get: async () => {
      const plugin = await extension();
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();
