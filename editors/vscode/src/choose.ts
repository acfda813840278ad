// A code action with several equal choices behind it: the user picks one of them, and its edit is applied.

import * as vscode from "vscode";
import type { CodeAction } from "vscode-languageclient/node";

interface Choice {
  readonly label: string;
  readonly about: string;
  readonly action: CodeAction;
}

/** The argument of `handoff-lsp.choose`, from the server. */
export interface Choices {
  readonly title: string;
  readonly choices: readonly Choice[];
}

/** Applies code actions of the server. */
export interface Applier {
  apply(action: CodeAction): Promise<boolean>;
}

/** Asks which of the choices is meant, and applies it. */
export async function choose(server: Applier, { title, choices }: Choices): Promise<void> {
  const items = choices.map(({ label, about, action }) => ({ label, detail: about, action }));
  const picked = await vscode.window.showQuickPick(items, { title: title.replaceAll("`", ""), matchOnDetail: true });
  if (picked && !(await server.apply(picked.action))) {
    void vscode.window.showWarningMessage("Handoff: The document has changed meanwhile. Try again.");
  }
}
