// Voila lets go of its kernel at `beforeunload`, when the reader may still stay: here it does so when the page goes. Put
// before Voila's own scripts; who asks whether to stay (hall.js) listens while the event is captured, and hears it first.
addEventListener("beforeunload", (event) => event.isTrusted && event.stopImmediatePropagation());
addEventListener("pagehide", () => dispatchEvent(new Event("beforeunload")));
