// The channel for `handoff-lsp.trace.server`. The client writes what goes over the wire only to a channel whose level is
// Trace, which no extension can set: so this one's level follows the setting.

import * as vscode from "vscode";
import { SECTION } from "./settings.ts";

/** A channel that is made, and shown in the list of channels, when there is something to trace. */
export function traceChannel(subscriptions: vscode.Disposable[]): vscode.LogOutputChannel {
  let real: vscode.OutputChannel | undefined;
  let gone = false; // The server is stopped after what is subscribed is disposed of, and that is traced, too.
  const changed = new vscode.EventEmitter<vscode.LogLevel>();
  const channel = () => {
    if (gone) return undefined;
    real ??= vscode.window.createOutputChannel("Handoff Trace");
    return real;
  };
  const write = (message: string | Error) => channel()?.appendLine(`${new Date().toISOString()} ${message}`);
  const traced: vscode.LogOutputChannel = {
    name: "Handoff Trace",
    get logLevel() {
      return level();
    },
    onDidChangeLogLevel: changed.event,
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    append: (value) => channel()?.append(value),
    appendLine: (value) => channel()?.appendLine(value),
    replace: (value) => channel()?.replace(value),
    clear: () => real?.clear(),
    show: () => channel()?.show(true),
    hide: () => real?.hide(),
    dispose: () => {
      gone = true;
      real?.dispose();
    },
  };
  const onSetting = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${SECTION}.trace`)) changed.fire(level());
  });
  subscriptions.push(traced, changed, onSetting);
  return traced;
}

function level(): vscode.LogLevel {
  const wanted = vscode.workspace.getConfiguration(SECTION).get("trace.server", "off");
  return wanted === "off" ? vscode.LogLevel.Info : vscode.LogLevel.Trace;
}
