// in_pyodide.py in the Python of a browser, without one: node in_pyodide.mjs RUNTIME SITE NOTEBOOKS ASKED MOVED
// SITE: the unpacked course; ASKED: a file of JSON; MOVED: chapters whose controls are brought to both ends, or all.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [runtime, site, notebooks, asked, ...moved] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const pyodide = await loadPyodide({ indexURL: runtime, packages: ["numpy"], env: { ACCELERATOR_COURSE_HOME: "/progress", HOME: "/progress" } });
for (const [at, root] of [["/site", site], ["/notebooks", notebooks], ["/tests", import.meta.dirname]]) {
  pyodide.FS.mkdirTree(at);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, at);
}
pyodide.FS.mkdirTree("/progress");
pyodide.runPython("import sys; sys.path += ['/site', '/tests']");
pyodide.pyimport("in_pyodide").follow("/notebooks", pyodide.toPy(JSON.parse(readFileSync(asked))), pyodide.toPy(moved));
