// The Handoffs view in the side bar: when it asks the server, what its buttons do.

import * as vscode from "vscode";
import { showDecision } from "../decision.ts";
import type { Server, ServerState } from "../server.ts";
import { type Grouping, type Handoff, type Item, needing, toldApart, waiting } from "./handoffs.ts";
import { HandoffTree, type Node } from "./tree.ts";

const VIEW = "handoff-lsp.handoffs";
const GROUPING = "view.grouping";
const MINUTE = 60_000;
/** What changes within this time is asked for once. */
const PAUSE = 200;

export function register(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(new HandoffsView(context.workspaceState, server));
}

class HandoffsView implements vscode.Disposable {
  readonly #tree = new HandoffTree();
  readonly #view: vscode.TreeView<Node>;
  readonly #disposables: vscode.Disposable[];
  #handoffs: readonly Handoff[] = [];
  #grouping: Grouping;
  #pause: NodeJS.Timeout | undefined;
  #minute: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #askAgain = false;

  constructor(
    readonly memory: vscode.Memento,
    readonly server: Server,
  ) {
    this.#grouping = memory.get<Grouping>(GROUPING, "action");
    this.#view = vscode.window.createTreeView<Node>(VIEW, { treeDataProvider: this.#tree, showCollapseAll: true });
    const command = vscode.commands.registerCommand;
    this.#disposables = [
      this.#view,
      vscode.window.registerFileDecorationProvider(this.#tree),
      this.#view.onDidChangeVisibility(() => {
        this.#tick();
        this.#follow();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.#follow()),
      server.onDidChangeState((state) => this.#stateIs(state)),
      server.onDidChangeHandoffs(() => this.#soon()),
      command("handoff-lsp.view.refresh", () => this.#refresh()),
      command("handoff-lsp.view.groupByAction", () => this.#groupBy("action")),
      command("handoff-lsp.view.groupByFolder", () => this.#groupBy("folder")),
      command("handoff-lsp.view.groupByAgent", () => this.#groupBy("agent")),
      command("handoff-lsp.view.open", open),
      command("handoff-lsp.view.openBeside", (item: Item) => open(item, vscode.ViewColumn.Beside)),
      command("handoff-lsp.view.copyPath", ({ handoff }: Item) =>
        vscode.env.clipboard.writeText(vscode.Uri.parse(handoff.uri).fsPath),
      ),
      command("handoff-lsp.view.showRouting", ({ handoff }: Item) =>
        showDecision(server, handoff.uri, handoff.range.start),
      ),
    ];
    this.#groupBy(this.#grouping);
    this.#stateIs(server.state);
    this.#tick();
  }

  dispose(): void {
    clearTimeout(this.#pause);
    clearInterval(this.#minute);
    for (const each of this.#disposables) each.dispose();
  }

  #stateIs(state: ServerState): void {
    setContext("serverState", state);
    if (state === "running") void this.#refresh();
    // During a restart, the last list stays.
    else if (state !== "starting") this.#show([]);
    if (state !== "running") setContext("listed", false);
  }

  #soon(): void {
    this.#pause ??= setTimeout(() => void this.#refresh(), PAUSE);
  }

  /** Asks the server; what changes while it answers is asked for once more. */
  #refresh(): Promise<void> {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#askAgain = this.#asking !== undefined;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
      if (this.#askAgain) this.#soon();
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    if (this.server.state !== "running") return;
    try {
      const handoffs = await this.server.request<Handoff[] | null>("handoff.listHandoffs");
      if (this.server.state !== "running") return;
      this.#show(toldApart((handoffs ?? []).map(placed)));
      setContext("listed", true);
    } catch {
      // The server went while it was asked, and told so itself; its next state brings the next list.
    }
  }

  #show(handoffs: readonly Handoff[]): void {
    this.#handoffs = handoffs;
    this.#tree.show(handoffs, this.#grouping);
    const count = waiting(handoffs);
    this.#view.badge = count ? { value: count, tooltip: needing(count) } : undefined;
    this.#follow();
  }

  #groupBy(grouping: Grouping): void {
    this.#grouping = grouping;
    setContext("grouping", grouping);
    void this.memory.update(GROUPING, grouping);
    this.#tree.show(this.#handoffs, grouping);
    this.#follow();
  }

  /** Selects the handoff of the active editor, while the view is visible; the focus stays in the editor. */
  #follow(): void {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !this.#view.visible) return;
    const item = this.#tree.at(editor.document.uri.toString(), editor.selection.active.line);
    if (!item || this.#view.selection.some((node) => node.id === item.id)) return;
    // A list that changes meanwhile has no such node: the next one is followed again.
    this.#view.reveal(item, { select: true, focus: false }).then(undefined, () => {});
  }

  /** Updates the ages each minute while the view is visible. */
  #tick(): void {
    clearInterval(this.#minute);
    if (!this.#view.visible) return;
    if (!this.#tree.isEmpty) this.#tree.redraw();
    this.#minute = setInterval(() => this.#tree.redraw(), MINUTE);
  }
}

/** A handoff and its open folder's name, with which its path begins where several folders are open. */
function placed(handoff: Handoff): [Handoff, string | undefined] {
  const uri = vscode.Uri.parse(handoff.uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder ? [{ ...handoff, path: vscode.workspace.asRelativePath(uri) }, folder.name] : [handoff, undefined];
}

async function open({ handoff }: Item, viewColumn?: vscode.ViewColumn): Promise<void> {
  const { line, character } = handoff.range.start;
  const selection = new vscode.Range(line, character, line, character);
  const options = { selection, ...(viewColumn === undefined ? {} : { viewColumn }) };
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(handoff.uri), options);
}

function setContext(name: string, value: unknown): void {
  void vscode.commands.executeCommand("setContext", `handoff-lsp.${name}`, value);
}
