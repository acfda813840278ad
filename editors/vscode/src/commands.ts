// The commands of the palette. Those of the server itself (`handoff.…`) are registered by the client.

import * as vscode from "vscode";
import { ErrorCodes, ResponseError } from "vscode-languageclient/node";
import { type Choices, choose } from "./choose.ts";
import { showDecision } from "./decision.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { installServer } from "./installing.ts";
import { showMenu } from "./menu.ts";
import { isRunning } from "./missing.ts";
import { insertStatus, newHandoff } from "./newHandoff.ts";
import { Pages } from "./pages.ts";
import { type Prompt, showPrompt } from "./prompt.ts";
import type { Session } from "./session.ts";

type Handler = (...given: unknown[]) => unknown;

export function registerCommands(context: vscode.ExtensionContext, session: Session): void {
  const pages = new Pages();
  /** A command that needs the server. One place shows that it is missing, or that it failed. */
  const withServer =
    (handler: Handler): Handler =>
    async (...given) => {
      const starting = { location: vscode.ProgressLocation.Window, title: "Handoff: starting the server" };
      if (!(await vscode.window.withProgress(starting, () => isRunning(context, session)))) return;
      try {
        await handler(...given);
      } catch (error) {
        session.log.error(error instanceof Error ? error : String(error));
        // The server ended during the request. The session reports an end without a request to stop.
        if (error instanceof ResponseError && error.code === ErrorCodes.PendingResponseRejected) return;
        void vscode.window.showErrorMessage(`Handoff: ${error instanceof Error ? error.message : error}`);
      }
    };
  const commands: Record<string, Handler> = {
    newHandoff: withServer(() => newHandoff(session)),
    insertStatus: withServer(() => insertStatus(session)),
    checkWorkspace: withServer(() => session.request("handoff.checkWorkspace")),
    fixAll: withServer(fixAll),
    choose: withServer((given) => choose(session, given as Choices)),
    showRouting: withServer(() => showRouting(session)),
    showPrompt: withServer((given) => showPrompt(session, pages, given as Prompt)),
    explain: withServer((topic) => explain(session, pages, topic)),
    restart: () => session.restart(),
    showLog: () => session.log.show(),
    doctor: async () => {
      await session.settled();
      await doctor(context, session, pages);
    },
    installServer: () => installServer(session),
    menu: () => showMenu(session),
  };
  const registered = Object.entries(commands).map(([name, handler]) =>
    vscode.commands.registerCommand(`handoff-lsp.${name}`, handler),
  );
  context.subscriptions.push(pages, ...registered);
}

async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand("editor.action.sourceAction", { kind: "source.fixAll.handoff", apply: "first" });
}

async function showRouting(session: Session): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  if (uri) await showDecision(session, uri);
}
