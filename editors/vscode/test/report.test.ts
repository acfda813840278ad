import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "../src/report.ts";

test("a report is Markdown that can be copied into an issue", () => {
  const text = written({
    extension: "0.1.0",
    vscode: "VS Code 1.91.0",
    system: "linux x64, Node 20.9.0",
    remote: undefined,
    trusted: false,
    folders: 2,
    state: "missing",
    server: undefined,
    attempts: [
      { place: "setting", outcome: "absent", says: "not set" },
      { place: "path", command: ["/a|b/handoff-lsp"], outcome: "failed", says: "exit code 1\nno version" },
    ],
    settings: { rules: {} },
    report: "# handoff-lsp doctor\n\n## File\n",
  });
  assert.match(text, /- Folders: 2, not trusted\n- Server: missing\n/);
  assert.match(text, /\| The settings \| absent \| {2}\| not set \|\n/);
  assert.match(text, /\| PATH \| failed \| `\/a\\\|b\/handoff-lsp` \| exit code 1 no version \|\n/);
  // The server's headings are below ours.
  assert.match(text, /\n## Server\n\n### handoff-lsp doctor\n\n#### File\n$/);
});
