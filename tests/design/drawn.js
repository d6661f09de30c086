// What scale.js draws of each level, how it flies and where a byte goes: as JSON, for test_scale.py.
const [scenes, source] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const { walk, wayTo, flight, journey, factsOf } = new Function(`${source}; return toScale;`)();
const said = scenes.flatMap((scene) => scene.levels.map((id) => {
  const { part, box } = wayTo(id, scene.root).at(-1), k = 600 / Math.max(box[2], box[3]), seen = [];
  walk(scene.root, { x: box[0], y: box[1], k }, [900, 560], (mark) => seen.push(mark));
  const here = seen.find((mark) => mark.part === part && !mark.block && !mark.whole);
  return { count: seen.length, area: (here.w * here.h) / k ** 2, wanted: part.facts.mm2[0], words: factsOf(part).length };
}));
const path = flight({ x: 0, y: 0, wide: 4000 }, { x: 900, y: 300, wide: 0.02 }), start = path.at(0), end = path.at(1);
console.log(JSON.stringify({ said, start, end, way: journey(scenes[0]).map(({ names, seconds }) => [...names, seconds]) }));
