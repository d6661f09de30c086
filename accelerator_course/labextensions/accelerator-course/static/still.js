// A notebook that was saved with its outputs, opened where no Python runs them: each widget saved a still beside it, and
// that is shown, with a way to wake it, instead of "model not found".
const VIEW = "application/vnd.jupyter.widget-view+json", STILL = "text/html";

// `chapter()`: the Chapter of this panel, once it is known to be one.
export function stills(panel, chapter) {
  const rendermime = panel.content.rendermime, add = rendermime.addFactory.bind(rendermime);
  const drawn = (factory) => ({ ...factory, createRenderer: (options) => patient(factory.createRenderer(options)) });
  rendermime.addFactory = (factory, rank) => add(factory.mimeTypes.includes(VIEW) ? drawn(factory) : factory, rank);
  const waiting = rendermime.getFactory(VIEW); // what stands in until a kernel is there
  if (waiting) {
    rendermime.removeMimeType(VIEW);
    rendermime.addFactory(waiting, -10);
  }

  function patient(renderer) {
    const render = renderer.renderModel.bind(renderer);
    renderer.renderModel = async (model) => {
      const rendering = render(model);
      if (!chapter()?.busy) rest(renderer, model);
      await rendering;
      rest(renderer, model);
    };
    return renderer;
  }

  // Where only words of the widget manager stand: the still.
  async function rest(renderer, model) {
    if (renderer.isDisposed || renderer.node.firstElementChild || !(STILL in model.data)) return;
    renderer.node.textContent = "";
    renderer.removeClass("jupyter-widgets");
    if (!String(model.data[STILL]).trim()) return;
    const still = rendermime.createRenderer(STILL); // which trusts what the notebook is trusted with
    const box = document.createElement("div");
    box.className = "acc-still";
    renderer.node.append(box);
    await still.renderModel(model);
    const wake = Object.assign(document.createElement("button"), { type: "button", className: "jp-mod-styled", textContent: "Wake this picture" });
    if (!still.node.querySelector("img, svg")) wake.textContent = "Wake this";
    wake.addEventListener("click", () => chapter()?.run(box));
    box.append(still.node, wake);
  }
}
