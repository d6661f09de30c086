// The machine to scale as a widget: all of it is in scale.js.
export default living(({ model, el }) => toScale(el, model.get("scenes"), model.get("place")));
