// Documents that are only shown: explanations and reports. They can be read, searched and copied, and are never unsaved.

import * as vscode from "vscode";

const SCHEME = "handoff-page";

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  /** Has a page of this name hold a text; the same name again replaces it. */
  write(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll("/", " ")}.md` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

/** Shows a page as it is meant to be read; as text where VS Code's own Markdown preview is switched off. */
export async function preview(page: vscode.Uri): Promise<void> {
  try {
    // Not `markdown.showPreview`: that one goes on to show whatever Markdown document becomes active.
    await vscode.commands.executeCommand("vscode.openWith", page, "vscode.markdown.preview.editor");
  } catch {
    await vscode.window.showTextDocument(page, { preview: true });
  }
}
