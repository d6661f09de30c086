// Compiles a folder with the very Python that will read it: node compile.mjs RUNTIME FOLDER
import { pathToFileURL } from "node:url";
const [runtime, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const pyodide = await loadPyodide({ indexURL: runtime });
pyodide.FS.mkdir("/made");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, "/made");
pyodide.runPython(`
import ast, importlib.util, marshal, pathlib
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
for path in pathlib.Path("/made").rglob("*.py"):
    tree = ast.parse(path.read_bytes())
    for one in () if path.is_relative_to("/made/numpy") else ast.walk(tree):  # what functions say of themselves is read of NumPy alone
        if isinstance(one, FUNCTIONS) and ast.get_docstring(one, clean=False) is not None:
            one.body[0] = ast.copy_location(ast.Pass(), one.body[0])
    code = compile(tree, str(path.relative_to("/made")), "exec", dont_inherit=True)
    path.with_suffix(".pyc").write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
    path.unlink()
`);
