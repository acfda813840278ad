import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findPython, OLDEST_PYTHON, type PythonSurroundings } from "../src/python.ts";
import { type Answer, fakeRun } from "./fakes.ts";

async function on(programs: Record<string, Answer>, given: Partial<PythonSurroundings> = {}) {
  const at: PythonSurroundings = {
    platform: "linux",
    env: { PATH: "/usr/bin:/w/bin" },
    home: "/home/x",
    folders: ["/w"],
    trusted: true,
    chosen: "",
    interpreters: async () => [],
    isFile: (path) => path in programs,
    real: (path) => path,
    ...given,
  };
  const { run, calls } = fakeRun(programs);
  return { ...(await findPython(at, run, "/store")), lines: calls.map(({ line }) => line) };
}

test("the oldest Python is that of the project", () => {
  const project = readFileSync("../../pyproject.toml", "utf8");
  assert.match(project, new RegExp(`requires-python = ">=${OLDEST_PYTHON.join(".")}"`));
});

test("one that is too old is passed over", async () => {
  const { python } = await on({ "/usr/bin/python3.12": "Python 3.12.1", "/usr/bin/python3": "Python 3.9.6" });
  assert.deepEqual(python, { command: ["/usr/bin/python3.12"], version: [3, 12, 1] });
});

test("why no Python was found", async () => {
  const { python, tried } = await on({
    "/usr/bin/python3": "Python 3.9.6",
    "/w/bin/python": { code: 9009 },
  });
  assert.equal(python, undefined);
  assert.deepEqual(tried, ["/usr/bin/python3 is 3.9.6", "/w/bin/python ends with exit code 9009"]);
  assert.deepEqual((await on({})).tried, []);
});

test("the interpreter that was chosen comes first; one that is set is the only one", async () => {
  const programs = {
    "/usr/bin/python3": "Python 3.11.7",
    "/py/python": "Python 3.13.0",
    "/set/python": "Python 3.10.0",
  };
  const interpreters = async () => ["/py/python"];
  assert.deepEqual((await on(programs, { interpreters })).python?.command, ["/py/python"]);
  const { python, lines } = await on(programs, { interpreters, chosen: "/set/python" });
  assert.equal(python, undefined);
  assert.deepEqual(lines, ["/set/python --version"]);
});

test("a chosen name is looked up on PATH, and not in an untrusted folder", async () => {
  const programs = { "/w/bin/py3": "Python 3.12.1", "/w/py": "Python 3.12.1" };
  assert.deepEqual((await on(programs, { chosen: "py3" })).lines, ["/w/bin/py3 --version"]);
  for (const chosen of ["py3", "/w/py"]) {
    assert.deepEqual((await on(programs, { chosen, trusted: false })).lines, []);
  }
});

test("of a chosen one that cannot be used, the setting is named", async () => {
  const programs = {
    "/usr/bin/python3": "Python 3.12.1",
    "/old/python": "Python 3.9.6",
    "/home/x/py": "Python 3.13.0",
  };
  const tried = async (chosen: string) => (await on(programs, { chosen })).tried;
  assert.deepEqual(await tried("python9"), ["python9 (handoff-lsp.server.python): not on PATH"]);
  assert.deepEqual(await tried("~/no/python"), ["/home/x/no/python (handoff-lsp.server.python): no such file"]);
  assert.deepEqual(await tried("/old/python"), ["/old/python (handoff-lsp.server.python) is 3.9.6"]);
  assert.deepEqual((await on(programs, { chosen: "~/py" })).python?.command, ["/home/x/py"]);
});

test("in a folder that is not trusted none of it is asked", async () => {
  const programs = { "/w/bin/python3": "Python 3.12.0" };
  const given = { interpreters: async () => ["/w/bin/python3"] };
  assert.deepEqual((await on(programs, { ...given, trusted: false })).lines, []);
  assert.deepEqual((await on(programs, given)).python?.command, ["/w/bin/python3"]);
});

test("the launcher of Windows", async () => {
  const programs = { "C:\\Windows\\py.exe": "Python 3.12.0" };
  const windows = { platform: "win32" as const, env: { Path: "C:\\Windows" }, folders: [] };
  assert.deepEqual((await on(programs, windows)).python?.command, ["C:\\Windows\\py.exe", "-3"]);
});
