// One Python for all pages that are open: boots once, gives each page a room (room.py), keeps what the reader did.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const rest = 300, HOME = "/progress"; // ms without a turn before it is written to the browser's store
let python = null, syncing = 0;
let queue = Promise.resolve();

async function boot(tell) {
  const got = async (name, kind) => {
    const reply = await fetch(name);
    if (!reply.ok) throw new Error(`${name}: ${reply.status}`);
    return reply[kind]();
  };
  const { course, packages } = await got("here.json", "json");
  const bytes = got(course, "arrayBuffer");
  tell("Python is on its way");
  const env = { ACCELERATOR_COURSE_HOME: HOME, HOME };
  const pyodide = await loadPyodide({ indexURL: new URL("pyodide/", self.location).href, packages, env });
  tell("Python unpacks the course");
  const { FS } = pyodide, site = pyodide.runPython("import site; site.getsitepackages()[0]");
  FS.mkdirTree(HOME);
  FS.mount(FS.filesystems.IDBFS, {}, HOME);
  await new Promise((done) => FS.syncfs(true, done)); // without a store nothing is kept, and all else works
  pyodide.unpackArchive(await bytes, "zip", { extractDir: site });
  pyodide.pyimport("accelerator_course.pages.live.headless").install();
  return { pyodide, Room: pyodide.pyimport("accelerator_course.pages.live.room").Room };
}

function keep() {
  clearTimeout(syncing);
  syncing = setTimeout(() => python.pyodide.FS.syncfs(false, () => {}), rest);
}

function serve(port) {
  let room = null;
  const tell = (stage) => port.postMessage({ stage });
  const post = (text, buffers) => {
    const given = buffers.toJs().map((one) => new Uint8Array(one));
    buffers.destroy();
    port.postMessage({ text, buffers: given }, given.map((one) => one.buffer));
  };
  async function act({ load, cell, run, turn, bye }) {
    if (load) {
      python ??= await boot(tell);
      const { cells, needs } = await (await fetch(`${load}.json`)).json();
      room?.destroy();
      room = python.Room.callKwargs(post, {});
      room.load(python.pyodide.toPy(cells), python.pyodide.toPy(needs));
      tell("ready");
    } else if (bye) room?.destroy(), (room = null);
    else if (room) {
      if (cell) room.show_cell(cell);
      else if (run) room.run(...run);
      else room.turn(turn);
      keep();
    }
  }
  port.onmessage = ({ data }) => {
    queue = queue.then(() => act(data)).catch((error) => port.postMessage({ failed: String(error) }));
  };
}
if (self.SharedWorkerGlobalScope) self.onconnect = ({ ports }) => serve(ports[0]);
else serve(self);
