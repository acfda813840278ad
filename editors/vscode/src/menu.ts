// The menu of the status item: the commands that can be used now.

import * as vscode from "vscode";
import type { Session } from "./session.ts";
import { homely } from "./settings.ts";
import { formatVersion } from "./versions.ts";

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
}

const SEPARATOR: Entry = { label: "", kind: vscode.QuickPickItemKind.Separator };

export async function showMenu(session: Session): Promise<void> {
  const { found, state } = session;
  const running = state === "running";
  const forFile = [
    entry("arrow-right", "Show What the Orchestrator Does", "showRouting"),
    entry("lightbulb-autofix", "Fix All in This File", "fixAll"),
    entry("symbol-snippet", "Insert the Status Block", "insertStatus"),
  ];
  const forAll = [
    entry("new-file", "New Handoff…", "newHandoff"),
    entry("checklist", "Check the Workspace", "checkWorkspace"),
    entry("book", "Explain…", "explain"),
  ];
  const forServer = [
    entry("debug-restart", "Restart the Server", "restart"),
    entry("desktop-download", "Install or Upgrade the Server…", "installServer"),
    entry("output", "Show the Log", "showLog"),
    entry("pulse", "Doctor", "doctor"),
  ];
  const entries = running ? [...forFile, SEPARATOR, ...forAll, SEPARATOR, ...forServer] : forServer;
  const server =
    found && running ? `${formatVersion(found.version)}, ${homely(found.command.join(" "))}` : `no server (${state})`;
  const chosen = await vscode.window.showQuickPick(entries, { title: `Handoff: ${server}` });
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
}

function entry(icon: string, label: string, command: string): Entry {
  return { label: `$(${icon}) ${label}`, command: `handoff-lsp.${command}` };
}
