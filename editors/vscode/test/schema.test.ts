import assert from "node:assert/strict";
import { test } from "node:test";
import { SCHEMAS } from "../src/schema/contracts.ts";
import { schemaText } from "../src/schema/schemaText.ts";
import { toldOnce } from "../src/schema/toldOnce.ts";

test("the schema judges while no server runs, and allows everything while one does", () => {
  const names = Object.keys(SCHEMAS);
  assert.ok(names.length > 0);
  for (const name of names) {
    assert.ok("then" in JSON.parse(schemaText(`/${name}`, false) ?? ""));
    assert.deepEqual(
      Object.keys(JSON.parse(schemaText(`/${name}`, true) ?? "")).filter((key) => !key.startsWith("$")),
      [],
    );
  }
  assert.equal(schemaText("/other.json", false), undefined);
});

test("what VS Code reports of JSON itself is reported once, and only there", () => {
  const findings = [{ code: "invalid-json" }, { code: { value: "duplicate-field" } }, { code: "invalid-value" }, {}];
  assert.deepEqual(toldOnce(findings, "json", true), [{ code: "invalid-value" }, {}]);
  assert.deepEqual(toldOnce(findings, "json", false), findings);
  assert.deepEqual(toldOnce(findings, "markdown", true), findings);
});
