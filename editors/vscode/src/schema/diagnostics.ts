// Keeps from the user what VS Code's own JSON support reports already.

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { toldOnce } from "./toldOnce.ts";

const JSON_SUPPORT = "vscode.json-language-features";

/** The part of the client's middleware that drops such diagnostics, pulled or pushed. Of closed files nothing is dropped. */
export const diagnosticsToldOnce: Pick<Middleware, "provideDiagnostics" | "handleDiagnostics"> = {
  async provideDiagnostics(document, previous, token, next) {
    const report = await next(document, previous, token);
    if (report && "items" in report && !(document instanceof vscode.Uri))
      report.items = remaining(document, report.items);
    return report;
  },
  handleDiagnostics(uri, diagnostics, next) {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    next(uri, document ? remaining(document, diagnostics) : diagnostics);
  },
};

function remaining(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  const validates =
    vscode.extensions.getExtension(JSON_SUPPORT) !== undefined &&
    vscode.workspace.getConfiguration("json", document).get("validate.enable", true);
  return toldOnce(diagnostics, document.languageId, validates);
}
