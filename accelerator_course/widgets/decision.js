// A number and an interval, committed before the measurement is shown; then a ruler with both.
const XMLNS = "http://www.w3.org/2000/svg";
const ROLE = { you: "var(--you)", models: "var(--models)", measured: "var(--measured)" };
const SHAPE = { you: "circle", models: "rect", measured: "line" };
const WIDE = 620, LEFT = 90, RIGHT = 540, STEP = 44;
let cards = 0;

function render({ model, el }) {
  const name = `acc-decide-${++cards}`;
  const kicker = node("p", { class: "acc-kicker" });
  const ask = node("div", { class: "acc-ask", id: name });
  const fields = [["low", "at least"], ["guess", "your number"], ["high", "at most"]].map(([key, label]) => {
    const box = node("input", { type: "text", inputmode: "decimal", size: 7, autocomplete: "off", "aria-label": label, ...quiet });
    return { key, box, whole: node("label", {}, label, " ", box) };
  });
  const unit = node("span", { class: "acc-unit" });
  const commit = node("button", { type: "button", ...quiet }, "Commit");
  const show = node("button", { type: "button", ...quiet }, "Show me without a number");
  const hint = node("p", { class: "acc-kicker" },
    "Choose “at least” and “at most” so that you are 80 % sure: you would bet four to one that the measurement lies between them.");
  const form = node("div", { class: "acc-decide-form" }, ...fields.map((field) => field.whole), unit, commit, show);
  const status = node("p", { class: "acc-saved", role: "status" });
  const ruler = node("div", { class: "acc-ruler" });
  const said = node("div", { class: "acc-said", "aria-live": "polite", tabindex: -1 });
  const card = node("div", { class: "acc-question acc-decide", role: "group", "aria-labelledby": name, ...own },
    kicker, ask, hint, form, status, ruler, said);
  el.replaceChildren(card);
  card.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && event.target.tagName === "INPUT") send();
  });

  // A hall with one key: what was entered is not thrown away; where it was refused as it stands, the next press goes on.
  const typed = () => fields.map(({ box }) => box.value.trim()).join(" ");
  let sent = "";
  function lead() {
    const [on, off] = typed().trim() && typed() !== sent ? [commit, show] : [show, commit];
    on.dataset.forward = "show";
    delete off.dataset.forward;
  }
  form.addEventListener("input", lead);
  lead();

  let asked = false;
  function send() {
    asked = true;
    model.send(Object.fromEntries(fields.map(({ key, box }) => [key, box.value])));
    sent = typed();
    lead();
  }
  commit.addEventListener("click", send);
  show.addEventListener("click", () => {
    asked = true;
    model.send({ show: true });
  });

  function draw() {
    const rows = model.get("rows"), done = rows.length > 0, given = model.get("given");
    kicker.textContent = `The case: ${model.get("case")}`;
    ask.innerHTML = model.get("ask"); // made in Python from Markdown, every tag of the author's escaped
    unit.textContent = model.get("unit");
    for (const { key, box } of fields) {
      box.disabled = done;
      if (done) box.value = given[key] ?? "";
    }
    commit.hidden = show.hidden = hint.hidden = done;
    form.hidden = done && !("guess" in given);
    status.textContent = model.get("wrong");
    said.innerHTML = model.get("said");
    ruler.replaceChildren(...(done ? [drawn(rows)] : []));
    if (done && asked) said.focus({ preventScroll: true });
  }
  for (const trait of ["ask", "unit", "case", "rows", "said", "given", "wrong"]) model.on(`change:${trait}`, draw);
  draw();
}

// Intervals on one logarithmic axis, so that the same distance is the same factor; the measurement as a line through all.
function drawn(rows) {
  const x = logarithmic(rows.flatMap((row) => [row.low, row.high, row.at]), LEFT, RIGHT);
  const high = STEP * rows.length + 30;
  const svg = mark("svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "img" });
  svg.append(mark("title", {}, rows.map((row) => `${row.name}: ${row.words}`).join("; ")));
  const truth = rows[rows.length - 1];
  svg.append(mark("line", { x1: x(truth.at), x2: x(truth.at), y1: 8, y2: high - 26, style: `stroke: ${ROLE.measured}`, "stroke-width": 2, "stroke-dasharray": "5 4" }));
  rows.forEach((row, at) => {
    const y = STEP * at + 30, colour = ROLE[row.name];
    svg.append(mark("text", { x: LEFT - 14, y: y + 4, "text-anchor": "end", class: "acc-ruler-name" }, row.name));
    if (row.high > row.low) {
      svg.append(mark("rect", { x: x(row.low), y: y - 7, width: Math.max(x(row.high) - x(row.low), 2), height: 14, style: `fill: ${colour}; stroke: ${colour}`, "fill-opacity": 0.25 }));
    }
    if (SHAPE[row.name] === "circle") svg.append(mark("circle", { cx: x(row.at), cy: y, r: 6, style: `fill: ${colour}` }));
    else if (SHAPE[row.name] === "rect") svg.append(mark("rect", { x: x(row.at) - 5, y: y - 5, width: 10, height: 10, style: `fill: ${colour}` }));
    else svg.append(mark("path", { d: `M${x(row.at)} ${y - 9}l8 9l-8 9l-8 -9z`, style: `fill: ${colour}` }));
    const end = x(row.high) + 12 > RIGHT - 60;
    svg.append(mark("text", { x: end ? Math.min(x(row.at), RIGHT) : x(row.high) + 12, y: end ? y - 14 : y + 4, "text-anchor": end ? "middle" : "start" }, row.words));
  });
  svg.append(mark("text", { x: (LEFT + RIGHT) / 2, y: high - 6, "text-anchor": "middle", class: "acc-ruler-axis" }, "logarithmic axis: equal distances are equal factors"));
  return svg;
}

function mark(tag, attributes, text = "") {
  const made = document.createElementNS(XMLNS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

export default living(render);
