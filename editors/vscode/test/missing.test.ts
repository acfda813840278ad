import assert from "node:assert/strict";
import { test } from "node:test";
import { message } from "../src/missing.ts";
import { set } from "./vscode.ts";

const BROKEN = { place: "setting", outcome: "failed", says: "/x: no such file" } as const;

test("the message about a server that does not work names the setting that names it", () => {
  const told = (settings: Parameters<typeof set>[0], trusted = true) => {
    set(settings, trusted);
    return message({ attempts: [BROKEN], state: "unusable" });
  };
  const path = { "handoff-lsp.server.path": { globalValue: "/x" } };
  const command = { "handoff-lsp.server.command": { globalValue: ["/x"] } };
  const theirs = { "handoff-lsp.server.command": { workspaceValue: ["/x"] } };
  const says = "does not work: /x: no such file.";
  assert.equal(told(path), `Handoff: the server that the setting handoff-lsp.server.path names ${says}`);
  assert.equal(
    told({ ...path, ...command }),
    `Handoff: the server that the setting handoff-lsp.server.command names ${says}`,
  );
  assert.equal(
    told({ ...path, ...theirs }),
    `Handoff: the server that the workspace's setting handoff-lsp.server.command names ${says}`,
  );
  assert.equal(
    told({ ...path, ...theirs }, false),
    `Handoff: the server that the setting handoff-lsp.server.path names ${says}`,
  );
});
