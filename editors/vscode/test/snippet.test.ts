import assert from "node:assert/strict";
import { test } from "node:test";
import { asSnippet } from "../src/snippet.ts";

test("what is to be filled in is a tab stop, and stays marked", () => {
  const text = '<!-- handoff: x -->\n<complete | blocked>\n{"a": "<the letter a>", "b": ["\\\\$"]}\n';
  const snippet =
    '<!-- handoff: x -->\n${1:<complete | blocked>}\n{"a": "${2:<the letter a>}", "b": ["\\\\\\\\\\$"]\\}\n';
  assert.equal(asSnippet(text), snippet);
});

test("a comparison, or a bracket that is not closed on its line, is nothing to fill in", () => {
  assert.equal(asSnippet("a < b\nc > d <"), "a < b\nc > d <");
});
