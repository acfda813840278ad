// What is offered where the server crashes again and again, or does not start.

import * as vscode from "vscode";
import type { Session } from "./session.ts";

export async function showFailed(session: Session): Promise<void> {
  const message = `Handoff: the language server ${session.failure}.`;
  const choice = await vscode.window.showErrorMessage(message, "Restart", "Show Log", "Doctor");
  if (choice === "Restart") await session.restart();
  if (choice === "Show Log") session.log.show();
  if (choice === "Doctor") await vscode.commands.executeCommand("handoff-lsp.doctor");
}
