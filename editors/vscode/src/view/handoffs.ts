// The handoffs of a workspace as rows in groups, in the server's order and words. Knows no editor.

import type { Action, Position } from "../routing.ts";

/** A handoff as `handoff.listHandoffs` answers it. */
export interface Handoff {
  readonly uri: string;
  readonly path: string;
  readonly range: { readonly start: Position; readonly end: Position };
  readonly contract: string;
  readonly title: string;
  readonly profile: string;
  /** The status for people, such as `blocked`, `Artifacts: 8 items` or `no valid Status`. */
  readonly statusText: string;
  readonly agent: string | null;
  /** The feature's folder and the agent, or the file. */
  readonly label: string;
  readonly openQuestions: number | null;
  readonly changed: string | null;
  readonly action: Action | null;
  readonly needsPerson: boolean;
  readonly brief: string;
  /** The decision with its whole reason. */
  readonly markdown: string;
  readonly errors: number;
  readonly warnings: number;
  /** The untouched placeholders of a draft; absent from an older server's answer. */
  readonly unfilled?: number;
}

export type Grouping = "action" | "folder" | "agent";

/** A handoff with an id that stays while others come and go, and while its own lines move. */
export interface Item {
  readonly id: string;
  readonly handoff: Handoff;
}

export interface Group {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly isOpen: boolean;
  readonly items: readonly Item[];
}

/** The names of groups whose handoffs have no value for it. */
const NAMELESS: Record<Grouping, string> = { action: "no decision", folder: "top folder", agent: "no agent named" };
/** The group of drafts: unfinished is not wrong. */
const DRAFTS = "to fill in";
/** With more handoffs, only the groups that need a person are open at first. */
const MANY = 50;

/** The handoffs in groups, none of them empty. The server's order stays: what needs a person first. */
export function grouped(handoffs: readonly Handoff[], by: Grouping): Group[] {
  const groups = new Map<string, Item[]>();
  for (const item of identified(handoffs)) {
    const key = keyOf(item.handoff, by);
    const items = groups.get(key);
    if (items) items.push(item);
    else groups.set(key, [item]);
  }
  const last = by === "action" ? [DRAFTS, ""] : [""];
  const filled = [...groups].sort(([one], [other]) => last.indexOf(one) - last.indexOf(other));
  return filled.map(([key, items]) => {
    const persons = waiting(items.map(({ handoff }) => handoff));
    return {
      id: `${by}:${key}`,
      label: capitalized(key || NAMELESS[by], by === "action" || key === ""),
      description: persons && by !== "action" ? `${items.length} · ${needing(persons)}` : String(items.length),
      isOpen: persons > 0 || handoffs.length <= MANY,
      items,
    };
  });
}

function capitalized(text: string, really: boolean): string {
  return really ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function keyOf(handoff: Handoff, by: Grouping): string {
  if (by === "action") return handoff.unfilled ? DRAFTS : (handoff.action ?? "");
  if (by === "agent") return handoff.agent ?? "";
  return handoff.path.slice(0, Math.max(handoff.path.lastIndexOf("/"), 0));
}

/** A handoff is known by its document and its number among those of its contract there. */
function identified(handoffs: readonly Handoff[]): Item[] {
  const seen = new Map<string, number>();
  return handoffs.map((handoff) => {
    const key = `${handoff.uri}#${handoff.contract}`;
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return { id: `${key}#${number}`, handoff };
  });
}

/** How many need a person, none of them a draft: for the badge on the view's icon. */
export function waiting(handoffs: readonly Handoff[]): number {
  return handoffs.filter(({ needsPerson, unfilled }) => needsPerson && !unfilled).length;
}

/** How many need a person, in words. */
export function needing(count: number): string {
  return count === 1 ? "1 needs a person" : `${count} need a person`;
}

/** The name of a row: folder and agent, without the folder below that folder itself. */
export function labelOf(handoff: Handoff, by: Grouping): string {
  return by === "folder" ? handoff.agent || nameOf(handoff.path) : handoff.label;
}

/** The handoffs with the open folder in labels that are the same in several of them, given each one's folder. */
export function toldApart(placed: readonly (readonly [Handoff, string | undefined])[]): Handoff[] {
  const folders = new Map<string, Set<string | undefined>>();
  for (const [{ label }, folder] of placed) folders.set(label, (folders.get(label) ?? new Set()).add(folder));
  return placed.map(([handoff, folder]) => {
    const isInOthers = (folders.get(handoff.label)?.size ?? 0) > 1;
    return folder && isInOthers ? { ...handoff, label: `${folder} · ${handoff.label}` } : handoff;
  });
}

/** The text behind the name: status, open questions, age, file. */
export function descriptionOf(handoff: Handoff, by: Grouping, now: number): string {
  const name = nameOf(handoff.path);
  const parts = [
    handoff.unfilled ? `${handoff.unfilled} to fill in` : handoff.statusText,
    handoff.openQuestions ? counted(handoff.openQuestions, "open question") : "",
    handoff.changed ? age(Date.parse(handoff.changed), now) : "",
    labelOf(handoff, by).includes(name) ? "" : name,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** A row for a screen reader: the decision is in its icon only. */
export function spokenOf(handoff: Handoff, by: Grouping, now: number): string {
  const decision = handoff.action ? `${handoff.action}: ${handoff.brief}` : "no decision";
  const parts = [
    labelOf(handoff, by),
    handoff.unfilled ? "" : decision,
    descriptionOf(handoff, by, now),
    problems(handoff),
  ];
  return parts.filter(Boolean).join(", ");
}

/** The item of the handoff at a line of a document, else the document's first. */
export function itemAt(groups: readonly Group[], uri: string, line: number): Item | undefined {
  const items = groups.flatMap((group) => group.items).filter(({ handoff }) => handoff.uri === uri);
  const at = ({ handoff: { range } }: Item) => range.start.line <= line && line <= range.end.line;
  items.sort((one, other) => one.handoff.range.start.line - other.handoff.range.start.line);
  return items.find(at) ?? items[0];
}

/** The tooltip in Markdown: the server's page about the decision, and facts, in which all marks are escaped. */
export function tooltipOf(handoff: Handoff, now: number): string {
  const changed = handoff.changed ? Date.parse(handoff.changed) : Number.NaN;
  const rows = [
    ["Agent", handoff.agent ?? ""],
    ["Format", `${handoff.contract} · ${handoff.profile}`],
    ["Open questions", handoff.openQuestions === null ? "" : String(handoff.openQuestions)],
    ["Problems", problems(handoff)],
    ["Changed", Number.isNaN(changed) ? "" : `${age(changed, now)} (${handoff.changed})`],
  ].filter(([, value]) => value);
  const list = rows.map(([name, value]) => `- ${name}: ${escaped(value ?? "")}`).join("\n");
  const place = `${escaped(handoff.path)}:${handoff.range.start.line + 1}`;
  return [`**${escaped(handoff.title)}**`, handoff.markdown, "---", list, place].filter(Boolean).join("\n\n");
}

function problems(handoff: Handoff): string {
  const told = [
    handoff.errors ? counted(handoff.errors, "error") : "",
    handoff.warnings ? counted(handoff.warnings, "warning") : "",
  ];
  return told.filter(Boolean).join(", ");
}

/** How long ago a time was, in one unit. */
export function age(then: number, now: number): string {
  if (Number.isNaN(then)) return "";
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < -1) return "in the future";
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 60) return counted(days, "day", " ago");
  if (days < 730) return counted(Math.floor(days / 30), "month", " ago");
  return counted(Math.floor(days / 365), "year", " ago");
}

/** Text as Markdown shows it letter by letter. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function counted(count: number, thing: string, after = ""): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}${after}`;
}
