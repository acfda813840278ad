import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { homely, isOfWorkspace, namingSetting, oldestServer, serverSettings } from "../src/settings.ts";
import { set } from "./vscode.ts";

const VALUES = {
  "handoff-lsp.server.path": { defaultValue: "", globalValue: "/mine", workspaceValue: "/theirs" },
  "handoff-lsp.server.command": { defaultValue: [], workspaceValue: ["evil"] },
  "handoff-lsp.server.installFrom": { defaultValue: "handoff-lsp>=0.3,<0.4", workspaceValue: "./evil.whl" },
};

test("a workspace decides what is run only if it is trusted", () => {
  set(VALUES, true);
  const trusted = serverSettings();
  assert.equal(trusted.path, "/theirs");
  assert.deepEqual(trusted.command, ["evil"]);
  assert.equal(trusted.installFrom, "./evil.whl");
  set(VALUES, false);
  const untrusted = serverSettings();
  assert.equal(untrusted.path, "/mine");
  assert.deepEqual(untrusted.command, []);
  assert.equal(untrusted.installFrom, "handoff-lsp>=0.3,<0.4");
});

test("the default package decides how old a server may be, independent of installed ones", () => {
  set(VALUES);
  assert.deepEqual(oldestServer(), [0, 3]);
});

test("which setting goes over what the user chooses", () => {
  set(VALUES, true);
  assert.deepEqual([namingSetting(), isOfWorkspace("server.path")], ["server.command", true]);
  set(VALUES, false);
  assert.deepEqual([namingSetting(), isOfWorkspace("server.path")], ["server.path", false]);
  set({ "handoff-lsp.server.path": { globalValue: "/mine" } });
  assert.equal(isOfWorkspace("server.path"), false);
});

test("settings of the wrong type are none", () => {
  set({ "handoff-lsp.server.path": { globalValue: 5 }, "handoff-lsp.server.args": { globalValue: "x" } });
  assert.equal(serverSettings().path, "");
  assert.deepEqual(serverSettings().args, []);
});

test("the home folder is shortened, and no other whose name begins in the same way", () => {
  const home = homedir();
  assert.equal(homely(`${home}/x, ${home}: "${home}"`), '~/x, ~: "~"');
  assert.equal(homely(`${home}2/x ${home}-old`), `${home}2/x ${home}-old`);
});
