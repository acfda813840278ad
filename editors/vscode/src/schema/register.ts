// The JSON Schemas of contracts, for VS Code's own JSON support: they judge as long as our server does not.

import * as vscode from "vscode";
import type { Server } from "../server.ts";
import { SCHEMAS, SCHEME } from "./contracts.ts";
import { schemaText } from "./schemaText.ts";

/**
 * Serves the documents that `jsonValidation` in package.json names. VS Code's JSON support reads them with
 * `workspace.openTextDocument` and reads them again when they change. Once our server runs they say nothing, so that
 * each defect is reported once, and completion and hover come from one place.
 */
export function register(context: vscode.ExtensionContext, server: Server): void {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let silent = server.state === "running";
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => schemaText(uri.path, silent),
  };
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    server.onDidChangeState((state) => {
      if (silent === (state === "running")) return;
      silent = !silent;
      for (const name of Object.keys(SCHEMAS)) changed.fire(vscode.Uri.parse(`${SCHEME}://schemas/${name}`));
    }),
  );
}
