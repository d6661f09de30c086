// anywidget gives a widget two seconds to begin, however busy the page is, and then shows an error in its place. A chapter
// makes a hundred widgets at once, which takes a slow machine longer: here they have a minute.
if (!AbortSignal.timeout.patient) {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = Object.assign((ms) => timeout(ms === 2000 ? 60_000 : ms), { patient: true });
}
