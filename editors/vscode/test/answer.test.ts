import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, type Inspected } from "../src/answer.ts";

test("what nobody has set is not told", () => {
  assert.deepEqual(answer(undefined), {});
  const inspected = { key: "handoff-lsp", defaultValue: { rules: {}, examples: null } };
  assert.deepEqual(answer(inspected as Inspected), {});
});

test("inner values go over outer ones: tables key by key, all else as a whole", () => {
  const globalValue = { rules: { a: "error", b: "hint" }, exclude: ["x"], editor: { inlayHints: false } };
  const workspaceValue = { rules: { b: "warning" }, exclude: ["y"] };
  const workspaceFolderValue = { editor: { codeLens: false }, rules: { c: "off" } };
  assert.deepEqual(answer({ globalValue, workspaceValue, workspaceFolderValue }), {
    rules: { a: "error", b: "warning", c: "off" },
    exclude: ["y"],
    editor: { inlayHints: false, codeLens: false },
  });
  assert.deepEqual(workspaceValue, { rules: { b: "warning" }, exclude: ["y"] });
});

test("what belongs to the extension is kept from the server", () => {
  const globalValue = { enable: true, server: { path: "/x" }, trace: { server: "verbose" }, examples: true };
  assert.deepEqual(answer({ globalValue }), { examples: true });
});

test("a section that is no table, as in a broken settings.json, is nothing", () => {
  assert.deepEqual(answer({ globalValue: "on", workspaceValue: ["x"], workspaceFolderValue: null }), {});
});
