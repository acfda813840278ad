import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { InstallError, install, noPython, type Plan, packed, reasonOf, Storage } from "../src/install.ts";
import { findPython } from "../src/python.ts";
import { type Run, run } from "../src/run.ts";
import { type Answer, fakeRun } from "./fakes.ts";

let folder: string;
let storage: Storage;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "拡張 機能 "));
  storage = new Storage(join(folder, "servers"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const WORKING: Record<string, Answer> = {
  "-m venv": "",
  "pip install": "",
  "handoff_lsp --version": "handoff-lsp 0.1.0",
};

function plan(given: Partial<Plan> & { lines?: string[]; steps?: string[] } = {}): Plan {
  const { lines = [], steps = [] } = given;
  return {
    python: { command: ["/usr/bin/python3"], version: [3, 12, 1] },
    from: "/家/my wheels/handoff_lsp.whl",
    minimum: [0, 1, 0],
    storage,
    signal: new AbortController().signal,
    onStep: (message) => steps.push(message),
    onLine: (line) => lines.push(line),
    ...given,
  };
}

/** A runner whose `venv` makes the folder, as the real one does. */
function machine(answers: Record<string, Answer> = {}): { run: Run; lines: string[] } {
  const { run, calls } = fakeRun({ ...WORKING, ...answers });
  const making: Run = async (command, args, options) => {
    if (args.includes("venv")) mkdirSync(args.at(-1) ?? "");
    return run(command, args, options);
  };
  return {
    run: making,
    get lines() {
      return calls.map(({ line }) => line);
    },
  };
}

test("the steps: an environment, pip, and the version of what is there then", async () => {
  const steps: string[] = [];
  const log: string[] = [];
  const made = machine();
  const { python, version } = await install(plan({ steps, lines: log }), made.run);
  const venv = join(storage.folder, readdirSync(storage.folder)[0] ?? "");
  assert.deepEqual(made.lines, [
    `/usr/bin/python3 -I -X utf8 -m venv ${venv}`,
    `${python} -I -X utf8 -m pip install --disable-pip-version-check --no-input /家/my wheels/handoff_lsp.whl`,
    `${python} -I -X utf8 -m handoff_lsp --version`,
  ]);
  assert.deepEqual(version, [0, 1, 0]);
  assert.equal(storage.python(), python);
  assert.equal(steps.length, 3);
  assert.ok(log.includes(`$ ${made.lines[0]}`) && log.includes("handoff-lsp 0.1.0"));
});

test("a failure has its reason, leaves nothing behind, and what was installed before stays", async () => {
  await install(plan(), machine().run);
  const before = storage.python();
  const stderr =
    "WARNING: x\nERROR: Could not find a version\nERROR: No matching distribution found for handoff-lsp\n\nhint";
  const failing = machine({ "pip install": { code: 1, stderr } });
  const failed = install(plan({ from: "handoff-lsp>=0.1" }), failing.run);
  await assert.rejects(failed, (error: unknown) => {
    assert.ok(error instanceof InstallError);
    assert.match(error.message, /^Installing handoff-lsp>=0.1 failed: No matching distribution found for handoff-lsp$/);
    return true;
  });
  assert.equal(storage.python(), before);
  assert.equal(readdirSync(storage.folder).length, 1);
});

test("a server that is too old, or is none, is not taken", async () => {
  const old = install(plan(), machine({ "handoff_lsp --version": "handoff-lsp 0.0.9" }).run);
  await assert.rejects(old, /is version 0.0.9, and 0.1.0 or newer is needed/);
  await assert.rejects(
    install(plan(), machine({ "handoff_lsp --version": "hello" }).run),
    /does not print its version: hello/,
  );
  assert.equal(storage.python(), undefined);
});

test("cancelling ends it and takes away what was made", async () => {
  const aborted = new AbortController();
  const { run } = machine({
    "pip install": () => {
      aborted.abort();
      return { code: null, problem: "cancelled" };
    },
  });
  await assert.rejects(install(plan({ signal: aborted.signal }), run), /^Error: cancelled$/);
  assert.deepEqual(readdirSync(storage.folder), []);
});

test("an upgrade counts when it is complete, and what it replaces is tidied up at the next start", async () => {
  const first = (await install(plan(), machine().run)).python;
  const then = Date.now();
  while (Date.now() === then); // The names of the folders are made of milliseconds.
  const second = (await install(plan(), machine().run)).python;
  assert.notEqual(first, second);
  assert.equal(storage.python(), second);
  mkdirSync(join(storage.folder, "0-broken-off"));
  mkdirSync(join(storage.folder, "0-gone.old"));
  mkdirSync(join(storage.folder, "zz-under-way-in-another-window"));
  assert.equal(storage.python(), second);
  storage.tidy();
  assert.equal(storage.python(), second);
  assert.deepEqual(readdirSync(storage.folder), [
    relative(storage.folder, second).split(sep)[0],
    "zz-under-way-in-another-window",
  ]);
});

test("the server that the extension was packed with", () => {
  assert.equal(packed(folder), undefined);
  mkdirSync(join(folder, "server"));
  assert.equal(packed(folder), undefined);
  const wheel = join(folder, "server", "handoff_lsp-0.1.0-py3-none-any.whl");
  writeFileSync(wheel, "");
  assert.equal(packed(folder), wheel);
});

test("reasons", () => {
  const result = { code: 1, stdout: "", stderr: "" };
  assert.equal(reasonOf({ ...result, problem: "no such program" }), "no such program");
  assert.equal(reasonOf(result), "exit code 1");
  assert.equal(reasonOf({ ...result, stderr: "a\nlast\n\n" }), "last");
  assert.match(reasonOf({ ...result, stdout: "... because ensurepip is not available." }), /python3-venv/);
  assert.match(noPython(["python3 is 3.9.6"]).message, /^Python 3.11 or newer is needed, but python3 is 3.9.6$/);
  assert.match(noPython([]).message, /none was found/);
});

// A wheel with nothing but the answer to `--version`: no network is needed for it.
const WHEEL = `
import sys, zipfile
info = "handoff_lsp-0.1.7.dist-info/"
files = {
    "handoff_lsp/__init__.py": "",
    "handoff_lsp/__main__.py": "print('handoff-lsp 0.1.7')",
    info + "METADATA": "Metadata-Version: 2.1\\nName: handoff-lsp\\nVersion: 0.1.7\\n",
    info + "WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for name, text in files.items():
        wheel.writestr(name, text)
    wheel.writestr(info + "RECORD", "".join(f"{name},,\\n" for name in [*files, info + "RECORD"]))
`;

test("really, from a local wheel, in a folder with blanks and Japanese", async (t) => {
  const isFile = (path: string) => existsSync(path);
  const none = async () => [];
  const { platform, env } = process;
  const place = { platform, env, home: folder, folders: [], trusted: true, isFile, real: realpathSync };
  const at = { ...place, chosen: "", interpreters: none };
  const { python, tried } = await findPython(at, run, folder);
  if (!python) return t.skip(noPython(tried).message);
  const [program, ...args] = python.command;
  if (spawnSync(program, [...args, "-c", "import ensurepip"]).status !== 0)
    return t.skip("this Python has no ensurepip");
  const wheel = join(folder, "handoff_lsp-0.1.7-py3-none-any.whl");
  execFileSync(program, [...args, "-c", WHEEL, wheel]);
  const lines: string[] = [];
  const made = await install(plan({ python, from: wheel, lines }), run);
  assert.deepEqual(made.version, [0, 1, 7]);
  assert.ok(
    lines.some((line) => line.includes("Successfully installed handoff-lsp-0.1.7")),
    lines.join("\n"),
  );
  const asked = await run([made.python, "-m", "handoff_lsp"], ["--version"], { cwd: folder });
  assert.equal(asked.stdout, "handoff-lsp 0.1.7\n");
});
