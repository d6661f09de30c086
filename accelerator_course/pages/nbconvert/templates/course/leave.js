// Voila lets go of its kernel at `beforeunload`, when the reader may still stay: here it does so when the page goes. Put
// before Voila's own scripts, and behind the one that asks whether to stay (hall.js): a window hears in this order.
addEventListener("beforeunload", (event) => event.isTrusted && event.stopImmediatePropagation());
addEventListener("pagehide", () => dispatchEvent(new Event("beforeunload")));
