import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions, formatVersion, minimumOf, parseVersion } from "../src/versions.ts";

test("versions that programs print", () => {
  assert.deepEqual(parseVersion("handoff-lsp 0.1.0\n"), [0, 1, 0]);
  assert.deepEqual(parseVersion("Python 3.13.0rc2"), [3, 13, 0]);
  assert.deepEqual(parseVersion("handoff-lsp 1.2.3.dev4+g12"), [1, 2, 3]);
  assert.equal(parseVersion("handoff-lsp"), undefined);
  assert.equal(parseVersion(""), undefined);
});

test("which version is older", () => {
  const compare = (a: string, b: string) => Math.sign(compareVersions(parseVersion(a) ?? [], parseVersion(b) ?? []));
  assert.equal(compare("0.9.0", "0.10.0"), -1);
  assert.equal(compare("1.0", "1.0.0"), 0);
  assert.equal(compare("1.0.1", "1.0"), 1);
  assert.equal(formatVersion([0, 10, 0]), "0.10.0");
});

test("the oldest version that a requirement admits", () => {
  assert.deepEqual(minimumOf("handoff-lsp>=0.1.0,<0.2"), [0, 1, 0]);
  assert.deepEqual(minimumOf("handoff-lsp ~= 1.4"), [1, 4]);
  assert.deepEqual(minimumOf("handoff-lsp==1.2.3"), [1, 2, 3]);
  assert.deepEqual(minimumOf("handoff-lsp"), [0]);
});
