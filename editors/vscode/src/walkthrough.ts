// The example that the walkthrough opens, and the walkthrough itself.

import * as vscode from "vscode";

export function register(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand("handoff-lsp.openExample", () => openExample(context.extensionUri)),
    vscode.commands.registerCommand("handoff-lsp.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`),
    ),
  );
}

/** Opens a handoff with mistakes in it as a new document, which nobody has to save. */
async function openExample(extension: vscode.Uri): Promise<void> {
  const file = vscode.Uri.joinPath(extension, "media", "example-handoff.md");
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document);
}
