// The language client: starting the server, the documents it gets, and the settings it gets.

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { answer } from "./answer.ts";
import { selector } from "./documents.ts";
import { noFormattingForAll } from "./formatting.ts";
import type { Command } from "./platform.ts";
import { start } from "./run.ts";
import { diagnosticsToldOnce } from "./schema/diagnostics.ts";
import { SECTION, serverSettings } from "./settings.ts";

export interface ClientParts {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly trace: vscode.LogOutputChannel;
  readonly cwd: string;
  readonly onProcess: (child: ChildProcessWithoutNullStreams) => void;
  /** The server ended without a request to stop. */
  readonly onGone: () => void;
}

/** Shows no messages of its own if the server does not start or ends: the session shows one for all cases. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, show?: boolean | "force"): void {
    super.error(message, data, show !== "force" && show);
  }
}

/** A client for one run of the server. The caller decides about the next run. */
export function makeClient(command: Command, parts: ClientParts): LanguageClient {
  const { context, log, trace } = parts;
  const settings = serverSettings();
  const options: LanguageClientOptions = {
    documentSelector: selector(context.extension.packageJSON.activationEvents ?? [], settings.documents),
    outputChannel: log,
    traceOutputChannel: trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: (error) => {
      log.error("The server did not accept the start.", error);
      return false;
    },
    errorHandler: {
      error: (error, _message, count) => {
        log.error(`The connection to the server: ${error.message}`);
        return { action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown, handled: true };
      },
      closed: () => {
        parts.onGone();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: middleware(),
  };
  const serve = async () => {
    const child = start(command, ["server", ...settings.args], parts.cwd);
    // Without a listener an error of the process would be one of the extension host.
    child.on("error", (error) => log.error(`${command.join(" ")}: ${error.message}`));
    child.on("exit", (code, signal) => log.info(`The server ended (${signal ?? `exit code ${code}`}).`));
    parts.onProcess(child);
    return child;
  };
  const client = new QuietClient(SECTION, "Handoff", serve, options);
  client.registerFeature(noFormattingForAll);
  client.registerFeature({
    getState: () => ({ kind: "static" }),
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...capabilities.experimental, handoff: { didChangeHandoffs: true, choose: true } };
    },
    initialize: () => {},
    clear: () => {},
  });
  return client;
}

function middleware(): Middleware {
  return {
    ...diagnosticsToldOnce,
    // A click on the lens of a prompt: its page, where other editors show a message.
    executeCommand: (command, given, next) =>
      command === "handoff.showPrompt"
        ? vscode.commands.executeCommand("handoff-lsp.showPrompt", ...given)
        : next(command, given),
    workspace: {
      configuration: (params) =>
        params.items.map(({ section, scopeUri }) => {
          const scope = scopeUri ? vscode.Uri.parse(scopeUri) : null;
          return section === SECTION
            ? answer(vscode.workspace.getConfiguration(undefined, scope).inspect(SECTION))
            : null;
        }),
      // Without the sections nothing is sent but that something has changed, and the server asks.
      didChangeConfiguration: (_sections, next) => next(undefined),
    },
  };
}
