// Starts the language server where there are handoffs, and shows what it says.

import * as vscode from "vscode";
import { registerCommands } from "./commands.ts";
import { LANGUAGES } from "./documents.ts";
import { offerServer } from "./missing.ts";
import { onInterpreter } from "./pythonExtension.ts";
import { register as registerSchemas } from "./schema/register.ts";
import { Session } from "./session.ts";
import { SECTION } from "./settings.ts";
import { registerStatus } from "./status.ts";
import { traceChannel } from "./traceChannel.ts";
import { register as registerView } from "./view/register.ts";
import { register as registerWalkthrough } from "./walkthrough.ts";

// The settings that decide whether a server runs, which one, and its documents.
const RESTARTING = ["enable", "server.path", "server.command", "server.args", "server.documents"];

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions } = context;
  const log = vscode.window.createOutputChannel("Handoff", { log: true });
  subscriptions.push(log);
  const server = new Session(context, log, traceChannel(subscriptions));
  session = server;
  void vscode.commands.executeCommand("setContext", "handoff-lsp.active", true);
  void vscode.commands.executeCommand("setContext", "handoff-lsp.languages", LANGUAGES);
  registerCommands(context, server);
  registerStatus(context, server);
  registerView(context, server);
  registerSchemas(context, server);
  registerWalkthrough(context, server);
  subscriptions.push(
    server.onDidChangeState((state) => void offerServer(context, server, state)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (RESTARTING.some((key) => event.affectsConfiguration(`${SECTION}.${key}`))) void server.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      if (["missing", "unusable", "untrusted"].includes(server.state)) void server.restart();
    }),
  );
  const missed = server.onDidChangeState((state) => {
    if (state !== "missing") return;
    missed.dispose();
    void onInterpreter(() => {
      if (server.state === "missing") void server.restart();
    }).then((listener) => listener && subscriptions.push(listener));
  });
  subscriptions.push(missed);
  server.storage.tidy();
  void server.start();
}

export async function deactivate(): Promise<void> {
  await session?.dispose();
}
