// Doctor: a report to read and to copy, of the server if one runs, and of how it was found.

import * as vscode from "vscode";
import { answer } from "./answer.ts";
import type { Pages } from "./pages.ts";
import { type Facts, written } from "./report.ts";
import type { Session } from "./session.ts";
import { homely, SECTION } from "./settings.ts";
import { formatVersion } from "./versions.ts";

const OWN = /^handoff-lsp\.(?:enable$|server\.|trace\.)/;

export async function doctor(context: vscode.ExtensionContext, session: Session, pages: Pages): Promise<void> {
  const text = homely(written(await facts(context, session)));
  const document = await vscode.workspace.openTextDocument(pages.write("Handoff doctor", text));
  await vscode.window.showTextDocument(document, { preview: false });
  const choice = await vscode.window.showInformationMessage("Handoff: this report can go into an issue.", "Copy");
  if (choice === "Copy") await vscode.env.clipboard.writeText(text);
}

async function facts(context: vscode.ExtensionContext, session: Session): Promise<Facts> {
  const { found, state, attempts } = session;
  return {
    extension: context.extension.packageJSON.version,
    vscode: `${vscode.env.appName} ${vscode.version}`,
    system: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    remote: vscode.env.remoteName,
    trusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    state,
    server: found && `${formatVersion(found.version)} (${found.command.join(" ")}), process ${session.pid ?? "none"}`,
    attempts,
    settings: { ...ownSettings(context), ...answer(vscode.workspace.getConfiguration().inspect(SECTION)) },
    report: await serverReport(session),
  };
}

/** The extension's own settings that are set; a whole section does not contain those of a machine. */
function ownSettings(context: vscode.ExtensionContext): Record<string, unknown> {
  const parts: { properties: object }[] = context.extension.packageJSON.contributes.configuration;
  const config = vscode.workspace.getConfiguration();
  const found: Record<string, unknown> = {};
  for (const key of parts.flatMap(({ properties }) => Object.keys(properties)).filter((each) => OWN.test(each))) {
    const { globalValue, workspaceValue, workspaceFolderValue } = config.inspect(key) ?? {};
    const value = workspaceFolderValue ?? workspaceValue ?? globalValue;
    if (value !== undefined) found[key] = value;
  }
  return found;
}

async function serverReport(session: Session): Promise<string> {
  if (session.state !== "running") return "No server runs, so there is no report of it.";
  const uri = vscode.window.activeTextEditor?.document.uri;
  const file = uri && ["file", "untitled"].includes(uri.scheme) ? { uri: uri.toString() } : {};
  try {
    return (await session.request<{ report: string }>("handoff.doctor", file)).report;
  } catch (error) {
    return `The server has no report: ${error instanceof Error ? error.message : error}`;
  }
}
