// All live cells of all chapters in the Python of a browser, without one: node in_pyodide.mjs RUNTIME SITE NOTEBOOKS MOVED
// SITE: the unpacked course; MOVED: chapters whose controls are brought to both ends, or all. Prints a line for each cell that fails, and for each control that ends in an error.
import { pathToFileURL } from "node:url";
const [runtime, site, notebooks, ...moved] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const pyodide = await loadPyodide({ indexURL: runtime, packages: ["numpy"], env: { ACCELERATOR_COURSE_HOME: "/progress", HOME: "/progress" } });
for (const [at, root] of [["/site", site], ["/notebooks", notebooks]]) {
  pyodide.FS.mkdirTree(at);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, at);
}
pyodide.FS.mkdirTree("/progress");
pyodide.globals.set("asked", pyodide.toPy(moved));
pyodide.runPython(`
import contextlib, io, json, re, sys
from pathlib import Path
sys.path.insert(0, "/site")
from accelerator_course.pages.live import cells, headless
from accelerator_course.pages.live.room import Room
headless.install()
LIVE = re.compile(r"(explore|step|predict|quiz|quick_check|decision|explain|kernel|workshop|warm_up|progress|checkpoint)\\(")
for path in sorted(Path("/notebooks").glob("[0-9]*.ipynb")):
    chapter, told, shown, moved = cells.chapter(path), [], 0, 0
    room = Room(lambda text, buffers: told.append(json.loads(text)))
    room.load(chapter["cells"], chapter["needs"])
    for cell, source in chapter["cells"].items():
        if not LIVE.search(source) or "exercises.check" in source:
            continue
        told.clear()
        with contextlib.redirect_stderr(io.StringIO()):
            room.show_cell(cell)
        shown += 1
        if "failed" in told[-1]:
            print(path.stem, cell, told[-1]["failed"])
        for part in told[-1].get("shows", ()):
            for name, id in part.get("controls", {}).items() if {path.stem, "all"} & {*asked} else ():
                switch = room.known[id]._kind == "Checkbox"
                for end in (0, 1) if switch else {0, len(room.known[id].options) - 1}:
                    told.clear()
                    state = {"value": bool(end)} if switch else {"index": end}
                    with contextlib.redirect_stderr(io.StringIO()):
                        room.turn(json.dumps({"set": {id: state}, "turn": 1}))
                    moved += 1
                    if any("failed" in one for one in told) or '"wrong": true' in json.dumps(told):
                        print(path.stem, cell, name, end, told)
    print(f"{path.stem}: {shown} cells, {moved} moves", flush=True)
`);
