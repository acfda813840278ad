// The defects that VS Code's own JSON support reports already. Knows no editor.

import { codeOf } from "../code.ts";

/** Rules of ours for which the JSON support of VS Code has findings of its own, at the same places. */
const TOLD_BY_VSCODE: ReadonlySet<string | undefined> = new Set(["invalid-json", "duplicate-field"]);

interface Finding {
  readonly code?: unknown;
}

/**
 * Our diagnostics that VS Code does not report itself. Quick fixes stay: the server makes them for a range, independent
 * of the source of its diagnostics.
 */
export function toldOnce<F extends Finding>(findings: readonly F[], languageId: string, validates: boolean): F[] {
  if (languageId !== "json" || !validates) return [...findings];
  return findings.filter((finding) => !TOLD_BY_VSCODE.has(codeOf(finding)));
}
