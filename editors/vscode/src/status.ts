// The status item: contract, profile and decision of the handoff in the active editor. Elsewhere there is none.

import * as vscode from "vscode";
import { selector } from "./documents.ts";
import { iconOf, type Routed } from "./routing.ts";
import type { ServerState } from "./server.ts";
import type { Session } from "./session.ts";
import { serverSettings } from "./settings.ts";
import { escaped } from "./view/handoffs.ts";

const PAUSE = 250;
/** How long (ms) the server may start before that is shown. */
const SLOW = 3000;

/** The texts where no server runs. */
const TROUBLE: Partial<Record<ServerState, readonly [string, string]>> = {
  missing: ["no server", "The handoff-lsp server is not installed."],
  unusable: ["no server", "The handoff-lsp server that the settings name does not work."],
  untrusted: [
    "no server",
    "The handoff-lsp server was found only in this folder, if at all, and the folder is not trusted.",
  ],
  starting: ["starting…", "The handoff-lsp server is starting."],
};

export function registerStatus(context: vscode.ExtensionContext, session: Session): void {
  const status = new Status(context, session);
  const soon = () => status.soon();
  context.subscriptions.push(
    status,
    session.onDidChangeState(() => status.stateChanged()),
    session.onDidChangeHandoffs(soon),
    vscode.window.onDidChangeActiveTextEditor(() => status.now()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) status.atCursor();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) status.soon();
    }),
  );
  status.stateChanged();
}

class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("handoff-lsp.status", vscode.StatusBarAlignment.Right, 100);
  private timer: NodeJS.Timeout | undefined;
  private slow: NodeJS.Timeout | undefined;
  private isSlow = false;
  private asked = 0;
  private routed: readonly Routed[] = [];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly session: Session,
  ) {
    this.item.name = "Handoff";
    this.item.command = "handoff-lsp.menu";
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.slow);
    this.item.dispose();
  }

  stateChanged(): void {
    clearTimeout(this.slow);
    this.isSlow = false;
    this.slow = setTimeout(() => {
      this.isSlow = true;
      this.now();
    }, SLOW);
    this.now();
  }

  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), PAUSE);
  }

  now(): void {
    clearTimeout(this.timer);
    this.ask().catch((error) => this.session.log.debug(`Status: ${error}`));
  }

  /** Several handoffs in a document: the one that the cursor is in. */
  atCursor(): void {
    if (this.routed.length > 1) this.show();
  }

  private async ask(): Promise<void> {
    const number = ++this.asked;
    const editor = vscode.window.activeTextEditor;
    const document = editor && this.isOurs(editor.document) ? editor.document : undefined;
    const trouble = this.trouble();
    let routed: readonly Routed[] = [];
    if (document && this.session.state === "running") {
      const uri = document.uri.toString();
      routed = await this.session.request<Routed[]>("handoff.showRouting", { uri, quiet: true });
    }
    if (number !== this.asked) return; // Asked again since.
    this.routed = routed;
    if (document) this.session.follow(document.uri, routed.length > 0);
    void vscode.commands.executeCommand("setContext", "handoff-lsp.hasHandoff", routed.length > 0);
    if (document && trouble) this.showTrouble(...trouble);
    else this.show();
  }

  private isOurs(document: vscode.TextDocument): boolean {
    const events = this.context.extension.packageJSON.activationEvents ?? [];
    return vscode.languages.match(selector(events, serverSettings().documents), document) > 0;
  }

  /** The texts where no server runs; a usual start gets none. */
  private trouble(): readonly [string, string] | undefined {
    const { state, failure } = this.session;
    if (state === "failed") return ["server failed", `The handoff-lsp server ${failure}.`];
    return state === "starting" && !this.isSlow ? undefined : TROUBLE[state];
  }

  private show(): void {
    const row = vscode.window.activeTextEditor?.selection.active.line ?? 0;
    const block = this.routed.find(({ range }) => range.start.line <= row && row <= range.end.line) ?? this.routed[0];
    if (!block) {
      this.item.hide();
      return;
    }
    const { contract, profile, mode, routing, line, markdown, unfilled = 0 } = block;
    const decision = unfilled ? `${unfilled} to fill in` : (routing?.action ?? mode);
    const icon = iconOf(routing?.action, unfilled);
    const others = this.routed.length > 1 ? ` (${this.routed.indexOf(block) + 1}/${this.routed.length})` : "";
    const draft = unfilled ? `A draft with ${unfilled} untouched placeholders.\n\n` : "";
    this.item.text = `$(${icon}) ${contract} · ${profile} · ${decision}${others}`;
    this.item.tooltip = new vscode.MarkdownString(
      `${draft}${markdown}\n\n${escaped(contract)}, profile ${escaped(profile)}`,
    );
    this.item.accessibilityInformation = {
      label: `Handoff: ${contract}, profile ${profile}, ${unfilled ? decision : line}${others}`,
      role: "button",
    };
    // Unfinished is not wrong: a draft has no color.
    this.item.backgroundColor = unfilled ? undefined : background(routing?.action);
    this.item.show();
  }

  private showTrouble(short: string, long: string): void {
    const isStarting = this.session.state === "starting";
    this.item.text = `$(${isStarting ? "loading~spin" : "warning"}) Handoff: ${short}`;
    this.item.tooltip = long;
    this.item.accessibilityInformation = { label: long, role: "button" };
    this.item.backgroundColor = isStarting ? undefined : new vscode.ThemeColor("statusBarItem.warningBackground");
    this.item.show();
  }
}

/** Color only for what holds the pipeline up. */
function background(action: string | undefined): vscode.ThemeColor | undefined {
  if (action === "stop") return new vscode.ThemeColor("statusBarItem.errorBackground");
  if (action === "ask" || action === "retry") return new vscode.ThemeColor("statusBarItem.warningBackground");
  return undefined;
}
