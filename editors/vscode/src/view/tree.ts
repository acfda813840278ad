// The handoffs as a tree, and how one looks in it.

import * as vscode from "vscode";
import { type Action, iconOf } from "../routing.ts";
import {
  counted,
  descriptionOf,
  type Group,
  type Grouping,
  grouped,
  type Handoff,
  type Item,
  itemAt,
  labelOf,
  spokenOf,
  tooltipOf,
} from "./handoffs.ts";

export type Node = Group | Item;

/** Documents of this scheme are nothing but the marks of handoffs with errors. */
const MARK = "handoff-lsp-mark";
const COLORS: Record<Action, string> = {
  stop: "charts.red",
  ask: "charts.yellow",
  retry: "charts.purple",
  continue: "charts.blue",
  advance: "charts.green",
};

export class HandoffTree implements vscode.TreeDataProvider<Node>, vscode.FileDecorationProvider {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #handoffs: readonly Handoff[] = [];
  #groups: readonly Group[] = [];
  #grouping: Grouping = "action";

  show(handoffs: readonly Handoff[], grouping: Grouping): void {
    this.#handoffs = handoffs;
    this.#grouping = grouping;
    this.#groups = grouped(this.#handoffs, this.#grouping);
    this.redraw();
  }

  /** Says the ages anew. */
  redraw(): void {
    this.#changed.fire(undefined);
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  /** The node of the handoff at a line of a document. */
  at(uri: string, line: number): Item | undefined {
    return itemAt(this.#groups, uri, line);
  }

  getChildren(node?: Node): Node[] | undefined {
    if (!node) return [...this.#groups];
    return "items" in node ? [...node.items] : undefined;
  }

  getParent(node: Node): Node | undefined {
    return "items" in node ? undefined : this.#groups.find((group) => group.items.includes(node));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return "items" in node ? groupItem(node) : handoffItem(node, this.#grouping);
  }

  /** What costs something to make is only made for the item that the mouse is on. */
  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    if (!("items" in node)) item.tooltip = new vscode.MarkdownString(tooltipOf(node.handoff, Date.now()));
    return item;
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== MARK) return undefined;
    const count = Number(uri.query);
    const badge = count > 9 ? "9+" : String(count);
    return new vscode.FileDecoration(badge, counted(count, "error"));
  }
}

function groupItem(group: Group): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(group.label, group.isOpen ? Expanded : Collapsed);
  item.id = group.id;
  item.description = group.description;
  item.contextValue = "group";
  item.accessibilityInformation = { label: `${group.label}, ${group.description}`, role: "treeitem" };
  return item;
}

function handoffItem({ id, handoff }: Item, grouping: Grouping): vscode.TreeItem {
  const item = new vscode.TreeItem(labelOf(handoff, grouping), vscode.TreeItemCollapsibleState.None);
  const now = Date.now();
  item.id = id;
  item.description = descriptionOf(handoff, grouping, now);
  item.contextValue = "handoff";
  const { action, unfilled } = handoff;
  const color = action && !unfilled ? new vscode.ThemeColor(COLORS[action]) : undefined;
  item.iconPath = new vscode.ThemeIcon(iconOf(action, unfilled), color);
  if (handoff.errors) item.resourceUri = markOf(handoff);
  item.accessibilityInformation = { label: spokenOf(handoff, grouping, now), role: "treeitem" };
  item.command = { command: "handoff-lsp.view.open", title: "Open", arguments: [{ id, handoff }] };
  return item;
}

function markOf({ path, errors }: Handoff): vscode.Uri {
  return vscode.Uri.from({ scheme: MARK, path: `/${path}`, query: String(errors) });
}
