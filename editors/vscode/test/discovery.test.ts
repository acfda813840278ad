import assert from "node:assert/strict";
import { test } from "node:test";
import { discover, type Surroundings } from "../src/discovery.ts";
import { type Answer, fakeRun } from "./fakes.ts";

const FOLDER = "/home/花子/my work";
const VENV = `${FOLDER}/.venv/bin/handoff-lsp`;
const MINIMUM = [0, 1, 0];

interface Machine extends Partial<Omit<Surroundings, "isFile">> {
  readonly files?: readonly string[];
  readonly programs?: Record<string, Answer>;
}

/** What is found on a machine, the lines that were run for it, and the places that were looked at. */
async function on({ files = [], programs = {}, ...given }: Machine) {
  const at: Surroundings = {
    platform: "linux",
    env: { PATH: "/usr/bin:/opt/bin" },
    home: "/home/花子",
    folders: [FOLDER],
    trusted: true,
    path: "",
    command: [],
    interpreters: async () => [],
    managed: undefined,
    ...given,
    isFile: (path) => files.includes(path),
    real: given.real ?? ((path) => path),
  };
  const answers = Object.fromEntries(files.map((file) => [file, programs[file] ?? "handoff-lsp 0.1.0"]));
  const { run, calls } = fakeRun(answers);
  const found = await discover(at, MINIMUM, run, "/store");
  const outcomes = Object.fromEntries(found.attempts.map(({ place, outcome }) => [place, outcome]));
  return { ...found, outcomes, calls, lines: calls.map(({ line }) => line) };
}

test("nothing is run where nothing is there", async () => {
  const { server, calls, outcomes } = await on({});
  assert.equal(server, undefined);
  assert.deepEqual(calls, []);
  assert.deepEqual(outcomes, {
    setting: "absent",
    workspace: "absent",
    python: "absent",
    path: "absent",
    managed: "absent",
  });
});

test("the places are asked in their order, up to the first server", async () => {
  const files = [VENV, "/py/bin/python", "/opt/bin/handoff-lsp", "/store/python"];
  const machine = { interpreters: async () => ["/py/bin/python"], managed: "/store/python" };
  const places = [];
  for (let gone = 0; gone < files.length; gone++) {
    places.push((await on({ ...machine, files: files.slice(gone) })).server?.place);
  }
  assert.deepEqual(places, ["workspace", "python", "path", "managed"]);
  const { server, lines } = await on({ ...machine, files: [...files, "/x/handoff-lsp"], path: "/x/handoff-lsp" });
  assert.equal(server?.place, "setting");
  assert.deepEqual(lines, ["/x/handoff-lsp --version"]);
});

test("the module of an interpreter is run, and the managed one sees nothing but its own packages", async () => {
  const files = ["/py/bin/python", "/store/python"];
  const programs = { "/py/bin/python": { code: 1, stderr: "python: No module named handoff_lsp\n" } };
  const machine = { files, programs, interpreters: async () => ["/py/bin/python"], managed: "/store/python" };
  const { server, attempts, calls } = await on(machine);
  assert.deepEqual(server?.command, ["/store/python", "-I", "-X", "utf8", "-m", "handoff_lsp"]);
  assert.deepEqual(calls, [
    { line: "/py/bin/python -m handoff_lsp --version", cwd: "/store" },
    { line: "/store/python -I -X utf8 -m handoff_lsp --version", cwd: "/store" },
  ]);
  assert.equal(
    attempts.find(({ place }) => place === "python")?.says,
    "it is no handoff-lsp: python: No module named handoff_lsp",
  );
});

test("a server that is too old is passed over, and told of", async () => {
  const { server, attempts } = await on({ files: [VENV], programs: { [VENV]: "handoff-lsp 0.0.9" } });
  assert.equal(server, undefined);
  const old = attempts.find(({ outcome }) => outcome === "too-old");
  assert.deepEqual(old?.command, [VENV]);
  assert.equal(old?.says, "0.0.9 is older than 0.1.0");
});

test("a program that is something else, or does not answer, is passed over", async () => {
  for (const answer of [
    "hello\n",
    "Python 3.11.7\n",
    { code: 2, stderr: "usage: x\n" },
    { code: null, problem: "no answer" },
  ]) {
    const { server, outcomes } = await on({ files: [VENV, "/usr/bin/handoff-lsp"], programs: { [VENV]: answer } });
    assert.equal(server?.place, "path");
    assert.equal(outcomes.workspace, "failed");
  }
});

test("a setting that does not work is reported, and no other server replaces it", async () => {
  const { server, attempts } = await on({ files: [VENV], path: "~/no such/handoff-lsp" });
  assert.equal(server, undefined);
  assert.deepEqual(
    attempts.map(({ place, says }) => [place, says]),
    [["setting", "/home/花子/no such/handoff-lsp: no such file"]],
  );
});

test("a setting may be relative to the folder, a name on PATH, or a command", async () => {
  assert.deepEqual((await on({ files: [`${FOLDER}/t/x`], path: "./t/x" })).server?.command, [`${FOLDER}/t/x`]);
  assert.deepEqual((await on({ files: ["/opt/bin/x"], path: "x" })).server?.command, ["/opt/bin/x"]);
  const command = ["uv", "run", "--project", "${workspaceFolder}", "handoff-lsp"];
  const { server, lines } = await on({ files: ["/usr/bin/uv"], command, path: "/not/this" });
  assert.deepEqual(server?.command, ["/usr/bin/uv", "run", "--project", FOLDER, "handoff-lsp"]);
  assert.deepEqual(lines, [`/usr/bin/uv run --project ${FOLDER} handoff-lsp --version`]);
});

test("no program of an untrusted folder is run", async () => {
  const inside = [VENV, `${FOLDER}/bin/handoff-lsp`];
  let asked = false;
  const machine: Machine = {
    files: inside,
    trusted: false,
    env: { PATH: `${FOLDER}/bin` },
    interpreters: async () => {
      asked = true;
      return inside;
    },
  };
  const { server, calls, outcomes } = await on(machine);
  assert.equal(server, undefined);
  assert.deepEqual(calls, []);
  assert.equal(asked, false);
  assert.equal(outcomes.workspace, "untrusted");
  assert.equal(outcomes.python, "untrusted");
  for (const path of [VENV, "./.venv/bin/handoff-lsp", "${workspaceFolder}/.venv/bin/handoff-lsp", "handoff-lsp"]) {
    const named = await on({ ...machine, path });
    assert.deepEqual(named.calls, [], path);
    assert.equal(named.server, undefined, path);
  }
  // Once it is trusted, the same machine has a server.
  assert.equal((await on({ ...machine, trusted: true })).server?.place, "workspace");
});

test("a link does not lead into a folder that is not trusted", async () => {
  const real = (path: string) => path.replace("/link", "/home/花子").replace("/opt/bin/handoff-lsp", VENV);
  for (const folders of [[FOLDER], ["/link/my work"]]) {
    for (const bin of [`${FOLDER}/.venv/bin`, "/link/my work/.venv/bin", "/opt/bin"]) {
      const machine = { folders, real, env: { PATH: bin }, files: [`${bin}/handoff-lsp`] };
      assert.deepEqual((await on({ ...machine, trusted: false })).lines, [], bin);
      assert.equal((await on({ ...machine, trusted: true })).lines.length, 1);
    }
  }
});

test("in a folder that is not trusted a server from elsewhere is taken", async () => {
  const machine = { trusted: false, files: ["/usr/bin/handoff-lsp", "/store/python"], managed: "/store/python" };
  assert.equal((await on(machine)).server?.place, "path");
  assert.equal((await on({ ...machine, env: {} })).server?.place, "managed");
  assert.equal((await on({ ...machine, path: "/usr/bin/handoff-lsp" })).server?.place, "setting");
});

test("on Windows", async () => {
  const venv = "C:\\仕事 場\\venv\\Scripts\\handoff-lsp.exe";
  const windows = { platform: "win32" as const, folders: ["C:\\仕事 場"], home: "C:\\Users\\花子" };
  assert.deepEqual((await on({ ...windows, files: [venv] })).server?.command, [venv]);
  const shim = "D:\\道具\\handoff-lsp.cmd";
  assert.deepEqual((await on({ ...windows, files: [shim], env: { Path: ".;D:\\道具" } })).server?.command, [shim]);
});
