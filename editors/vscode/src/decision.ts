// Show What the Orchestrator Does: the decision, its reason, and the places behind both, to jump to.

import * as vscode from "vscode";
import { iconOf, type Place, type Position, type Routed } from "./routing.ts";
import type { Server } from "./server.ts";

interface Entry extends vscode.QuickPickItem {
  readonly range?: Place["range"];
}

const ICONS: Record<Place["kind"], string> = { decides: "target", finding: "warning", reads: "book" };

/** Shows the decisions about a document's handoffs, or about the one at a position; a pick goes to its place. */
export async function showDecision(server: Server, uri: string, position?: Position): Promise<void> {
  const asked = { uri, quiet: true, ...(position && { position }) };
  const routed = await server.request<Routed[]>("handoff.showRouting", asked);
  if (routed.length === 0) {
    void vscode.window.showInformationMessage("There is no handoff here");
    return;
  }
  const entries = routed.flatMap(entriesOf);
  const options = { title: "What the Orchestrator Does", placeHolder: "Go to a place", matchOnDetail: true };
  const range = (await vscode.window.showQuickPick(entries, options))?.range;
  if (!range) return;
  const selection = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(uri), { selection });
}

function entriesOf({ routing, line, range, places }: Routed): Entry[] {
  const head = { label: `$(${iconOf(routing?.action)}) ${plain(line)}`, detail: plain(routing?.reason ?? ""), range };
  return [
    head,
    ...places.map(({ kind, text, range }) => ({
      label: `$(${ICONS[kind]}) ${plain(text)}`,
      description: `${kind} · line ${range.start.line + 1}`,
      range,
    })),
  ];
}

/** A picker shows backticks as they are, and `$(name)` as an icon. */
function plain(text: string): string {
  return text.replaceAll("`", "").replaceAll("$(", "$\u200b(");
}
