// What is offered where there is no server: to install it, or to say where it is. Nothing is fetched before that is asked for.

import { homedir } from "node:os";
import * as vscode from "vscode";
import { namedServer } from "./discovery.ts";
import { showFailed } from "./failed.ts";
import { installServer } from "./installing.ts";
import type { Server, ServerState } from "./server.ts";
import type { Session } from "./session.ts";
import { homely, isOfWorkspace, namingSetting, SECTION, serverSettings } from "./settings.ts";

const NOT_NOW = "handoff-lsp.notNow";

/** Reports a missing server, unless the user has put that off in this workspace, and one that failed. */
export async function offerServer(
  context: vscode.ExtensionContext,
  session: Session,
  state: ServerState,
): Promise<void> {
  if (state === "failed") await showFailed(session);
  // In an untrusted folder the status item shows it: VS Code itself asks about the folder already.
  if ((state === "missing" || state === "unusable") && !context.workspaceState.get(NOT_NOW, false))
    await offer(context, session);
}

/** The same where the user has asked for something that needs a server. */
export async function offer(context: vscode.ExtensionContext, session: Session): Promise<void> {
  const trust = session.state === "untrusted";
  const old = session.attempts.find((attempt) => attempt.outcome === "too-old");
  const install = old?.place === "managed" ? "Upgrade" : "Install";
  const choices = [
    ...(namedServer(session.attempts) ? ["Open Settings"] : [install]),
    // What is chosen becomes the user's own path, which others go over.
    ...(namingSetting() === "server.path" && !isOfWorkspace("server.path") ? ["Choose…"] : []),
    ...(trust ? ["Manage Trust"] : []),
    "Not Now",
    "Show Log",
  ];
  const choice = await vscode.window.showWarningMessage(message(session), ...choices);
  if (choice === install) await installServer(session);
  else if (choice === "Open Settings") await openSettings(namingSetting());
  else if (choice === "Choose…") await chooseServer(session);
  else if (choice === "Manage Trust") await vscode.commands.executeCommand("workbench.trust.manage");
  else if (choice === "Show Log") session.log.show();
  else if (choice === "Not Now") await context.workspaceState.update(NOT_NOW, true);
}

/** Whether a server runs, having told the user why not otherwise. */
export async function isRunning(context: vscode.ExtensionContext, session: Session): Promise<boolean> {
  await session.start();
  if (["missing", "unusable", "untrusted"].includes(session.state)) void offer(context, session);
  else if (session.state === "failed") void showFailed(session);
  else if (session.state === "none") void offerEnabling();
  return session.state === "running";
}

async function offerEnabling(): Promise<void> {
  const choice = await vscode.window.showInformationMessage(
    "Handoff is switched off by the setting handoff-lsp.enable.",
    "Open Settings",
  );
  if (choice) await openSettings("enable");
}

/** Why there is no server, in one sentence. */
export function message({ attempts, state }: Pick<Session, "attempts"> & Pick<Server, "state">): string {
  const named = namedServer(attempts);
  if (named) {
    const setting = `${isOfWorkspace(namingSetting()) ? "the workspace's" : "the"} setting ${SECTION}.${namingSetting()}`;
    return `Handoff: the server that ${setting} names does not work: ${homely(named.says)}.`;
  }
  const old = attempts.find((attempt) => attempt.outcome === "too-old");
  if (old) return `Handoff: the server at ${homely(old.command?.[0] ?? "")} is too old: ${old.says}.`;
  const why = state === "untrusted" ? ", and nothing of this folder is used before it is trusted" : "";
  const program = state === "untrusted" ? "" : ", and VS Code's PATH has no `handoff-lsp` (the log lists its folders)";
  return `Handoff: the language server is not installed${program}${why}. Install it with pip, into a folder of this extension?`;
}

async function openSettings(key: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.${key}`);
}

/** Lets the user name the program. The change of the setting restarts the server; the same one is tried once more. */
export async function chooseServer(session: Session): Promise<void> {
  const title = "Select the handoff-lsp program";
  const defaultUri = vscode.Uri.file(homedir());
  const options = { title, openLabel: "Use", canSelectMany: false, defaultUri };
  const [chosen] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (!chosen) return;
  if (chosen.fsPath === serverSettings().path) return session.restart();
  const settings = vscode.workspace.getConfiguration(SECTION);
  await settings.update("server.path", chosen.fsPath, vscode.ConfigurationTarget.Global);
}
