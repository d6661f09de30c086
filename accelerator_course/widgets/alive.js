// A widget says in its own place that Python is gone, within two seconds of an act: a dead process answers nothing, and
// what waits for it would wait for ever. What was typed stays where it is.
const WORD = 700; // ms for a word from Python; then as long for the answer to a question of ours
const ASLEEP = {
  silent: "Python does not answer. What you typed is kept.",
  gone: "Python was restarted and has forgotten this. What you typed is kept: run the chapter again.",
};

const LOST = ["dead", "restarting", "autorestarting"]; // of a kernel
const DEEDS = ["click", "change", "keyup", "pointerup"];

// What a widget's module gives away: its `render`, watched. `home(el)`: the element that the reader acts on, once it is there.
const living = (render, home = (el) => el) => ({
  initialize: begun,
  render(given) {
    const undo = render(given), leave = watched(given, home);
    return () => (leave(), undo?.());
  },
});

function watched({ model, el }, home) {
  const whole = model.set({}), told = node("p", { class: "acc-asleep", role: "alert", hidden: "" });
  const pause = () => new Promise((done) => setTimeout(done, WORD));
  let box = null, asking = false, gone = false;
  function say(words) {
    if (words && box) box.append(told);
    told.textContent = words;
    told.hidden = !words;
    if (words) el.dispatchEvent(new Event("acc-asleep", { bubbles: true })); // whoever waits for an answer need not
  }
  const python = model.widget_manager?.kernel; // none in hosted notebooks
  const forgotten = () => gone || whole?.comm_live === false;
  const look = () => say(forgotten() ? ASLEEP.gone : "");
  const ends = (_, status) => LOST.includes(status) && ((gone = true), look());
  async function ask() {
    if (asking || forgotten() || !python?.iopubMessage) return look();
    let heard = false;
    const hear = () => (heard = true), answers = () => heard || python.status === "busy";
    asking = true;
    python.iopubMessage.connect(hear);
    await pause();
    if (!answers()) { // the act may have asked for nothing
      try {
        python.requestKernelInfo().catch(() => {});
      } catch {} // it knows that it is dead
      await pause();
    }
    python.iopubMessage.disconnect(hear);
    asking = false;
    say(forgotten() ? ASLEEP.gone : answers() ? "" : ASLEEP.silent);
  }
  const stop = when(el, () => home(el), (found) => {
    box = found;
    for (const act of DEEDS) box.addEventListener(act, ask);
    python?.statusChanged?.connect(ends);
  });
  whole?.on?.("comm_live_update", look);
  return () => {
    stop();
    python?.statusChanged?.disconnect(ends);
    whole?.off?.("comm_live_update", look);
    for (const act of DEEDS) box?.removeEventListener(act, ask);
  };
}

// What is typed and not saved yet outlives the widget: the next one of this name finds it, in this window only.
function unsaved(name) {
  const key = `accelerator-course unsaved ${name}`;
  const tried = (act) => {
    try {
      return act();
    } catch {
      return null; // a page that may keep nothing
    }
  };
  return {
    get: () => tried(() => sessionStorage.getItem(key)),
    put: (text) => tried(() => sessionStorage.setItem(key, text)),
    drop: () => tried(() => sessionStorage.removeItem(key)),
    restore(put) { // puts it where it was typed
      if (this.get() !== null) put(this.get());
    },
  };
}

