import assert from "node:assert/strict";
import { test } from "node:test";
import { expandPath, inVenv, isInside, onPath, spawned } from "../src/platform.ts";

test("a program of a virtual environment", () => {
  assert.equal(inVenv("/home/作業/my venv", "python", "linux"), "/home/作業/my venv/bin/python");
  assert.equal(inVenv("C:\\作業\\my venv", "python", "win32"), "C:\\作業\\my venv\\Scripts\\python.exe");
});

test("home and folder in a setting", () => {
  assert.equal(expandPath("~/bin/x", "/home/花子", undefined), "/home/花子/bin/x");
  assert.equal(expandPath("~\\x.exe", "C:\\Users\\花子", undefined), "C:\\Users\\花子\\x.exe");
  assert.equal(expandPath("~", "/home/a$&b", undefined), "/home/a$&b");
  assert.equal(expandPath("/x~y", "/home/a", undefined), "/x~y");
  assert.equal(expandPath("${workspaceFolder}/.venv/x", "/home/a", "/w/$1"), "/w/$1/.venv/x");
  assert.equal(expandPath("${userHome}/x", "/home/a", undefined), "/home/a/x");
  assert.equal(expandPath("${userHome}/${workspaceFolder}", "/home/$&", "/w/$'"), "/home/$&//w/$'");
  assert.equal(expandPath("${workspaceFolder}/x", "/home/a", undefined), "${workspaceFolder}/x");
});

test("what is in a folder", () => {
  assert.equal(isInside("/w/a", "/w", "linux"), true);
  assert.equal(isInside("/w/..a", "/w", "linux"), true);
  assert.equal(isInside("/w", "/w", "linux"), true);
  assert.equal(isInside("/wa", "/w", "linux"), false);
  assert.equal(isInside("/w/../x", "/w", "linux"), false);
  assert.equal(isInside("c:\\w\\a", "C:\\W", "win32"), true);
  assert.equal(isInside("D:\\w\\a", "C:\\w", "win32"), false);
});

test("on PATH, relative folders are passed over", () => {
  assert.deepEqual(onPath("x", { PATH: "/a b:.:bin::/c" }, "linux"), ["/a b/x", "/c/x"]);
  assert.deepEqual(onPath("x", { Path: '"C:\\a;b";.;C:\\道具' }, "win32").slice(-3), [
    "C:\\道具\\x.exe",
    "C:\\道具\\x.cmd",
    "C:\\道具\\x.bat",
  ]);
  assert.deepEqual(onPath("x.exe", { PATH: "C:\\c" }, "win32"), ["C:\\c\\x.exe"]);
  assert.deepEqual(onPath("x", {}, "linux"), []);
  assert.deepEqual(onPath("x", { Path: "/a" }, "linux"), []);
});

test("programs are started as they are", () => {
  const args = ["-m", "handoff_lsp"];
  const made = spawned(["/a b/python", ...args], ["server"], {}, "linux");
  assert.deepEqual(made, { file: "/a b/python", args: ["-m", "handoff_lsp", "server"], verbatim: false });
  assert.equal(spawned(["C:\\a b\\x.exe"], [], {}, "win32").file, "C:\\a b\\x.exe");
  assert.equal(spawned(["/a/x.cmd"], [], {}, "linux").file, "/a/x.cmd");
});

test("a batch file of Windows goes through cmd.exe, which takes nothing in it for its own", () => {
  const made = spawned(
    ["C:\\道具 & co\\x.CMD"],
    ["server", '50% "off" ^', "end\\"],
    { ComSpec: "C:\\cmd.exe" },
    "win32",
  );
  assert.equal(made.file, "C:\\cmd.exe");
  assert.equal(made.verbatim, true);
  assert.deepEqual(made.args.slice(0, 3), ["/d", "/s", "/c"]);
  const line = '"C:\\道具^ ^&^ co\\x.CMD ^"server^" ^"50^%^ \\^"off\\^"^ ^^^" ^"end\\\\^""';
  assert.equal(made.args[3], line);
});
