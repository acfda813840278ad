// The example that the walkthrough opens, and the walkthrough itself.

import * as vscode from "vscode";
import type { Server } from "./server.ts";

/** How long VS Code may take to read the walkthrough of a page that it shows (ms). */
const READING = 1000;

export function register(context: vscode.ExtensionContext, server: Server): void {
  const tick = () => setTimeout(() => tickServer(server), READING);
  context.subscriptions.push(
    vscode.window.tabGroups.onDidChangeTabs(tick),
    server.onDidChangeState(tick),
    vscode.commands.registerCommand("handoff-lsp.openExample", () => openExample(context.extensionUri)),
    vscode.commands.registerCommand("handoff-lsp.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`),
    ),
  );
}

/**
 * Ticks the step that gets the server, once one runs. VS Code overlooks a context key that was set before it read the
 * walkthrough, so the key is set while a page of VS Code's own, which has no input for extensions, is shown.
 */
function tickServer(server: Server): void {
  const page = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (server.state !== "running" || !page || page.input !== undefined) return;
  void vscode.commands.executeCommand("setContext", "handoff-lsp.serverRuns", true);
}

/** Opens a handoff with mistakes in it as a new document, which nobody has to save. */
async function openExample(extension: vscode.Uri): Promise<void> {
  const file = vscode.Uri.joinPath(extension, "media", "example-handoff.md");
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document);
}
