// The handoffs of a workspace as people look at them: grouped, ordered, in words. Knows no editor.

import type { Action } from "../routing.ts";

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A handoff as `handoff.listHandoffs` answers it. */
export interface Handoff {
  readonly uri: string;
  readonly path: string;
  readonly range: { readonly start: Position; readonly end: Position };
  readonly contract: string;
  readonly title: string;
  readonly profile: string;
  readonly status: string | null;
  /** The reason for a missing status, if there is more to say; older servers do not send it. */
  readonly unread?: string | null;
  readonly agent: string | null;
  readonly openQuestions: number | null;
  readonly changed: string | null;
  readonly action: Action | null;
  readonly reason: string;
  readonly brief: string;
  readonly errors: number;
  readonly warnings: number;
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
  readonly items: readonly Item[];
}

/** What somebody has to look at comes first. */
const ACTIONS: readonly (readonly [Action, string])[] = [
  ["stop", "Stops"],
  ["ask", "Asks a human"],
  ["retry", "Retries"],
  ["continue", "Continues"],
  ["advance", "Advances"],
];
const LABELS = new Map<string, string>(ACTIONS);
/** What groups are called whose handoffs do not say what they are grouped by. */
const NAMELESS: Record<Grouping, string> = { action: "Not decided", folder: "Top folder", agent: "No agent named" };

/** The handoffs in groups, none of them empty, with the urgent ones first where it is grouped by what is done. */
export function grouped(handoffs: readonly Handoff[], by: Grouping): Group[] {
  const groups = new Map<string, Item[]>();
  if (by === "action") for (const [action] of ACTIONS) groups.set(action, []);
  for (const item of identified(handoffs)) {
    const key = keyOf(item.handoff, by);
    const items = groups.get(key);
    if (items) items.push(item);
    else groups.set(key, [item]);
  }
  const filled = [...groups].filter(([, items]) => items.length > 0);
  if (by !== "action") filled.sort(([one], [other]) => compareNames(one, other));
  return filled.map(([key, items]) => {
    const label = (by === "action" ? LABELS.get(key) : key) ?? "";
    return { id: `${by}:${key}`, label: label || NAMELESS[by], items };
  });
}

function keyOf(handoff: Handoff, by: Grouping): string {
  if (by === "action") return handoff.action ?? "";
  if (by === "agent") return handoff.agent ?? "";
  return handoff.path.slice(0, Math.max(handoff.path.lastIndexOf("/"), 0));
}

/** Where a name is missing it comes last. */
function compareNames(one: string, other: string): number {
  return Number(one === "") - Number(other === "") || one.localeCompare(other, undefined, { numeric: true });
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

/** How many wait for a human: for the number at the view's icon. */
export function waiting(handoffs: readonly Handoff[]): number {
  return handoffs.filter(({ action }) => action === "stop" || action === "ask").length;
}

/** What a handoff is called: its agent, else its file. */
export function labelOf(handoff: Handoff): string {
  return handoff.agent || nameOf(handoff.path);
}

/** The line behind the label: status, what is open, age, file. Nothing is said of what is not there. */
export function descriptionOf(handoff: Handoff, now: number): string {
  const told = [
    handoff.status ?? handoff.unread ?? "no valid status",
    handoff.openQuestions ? counted(handoff.openQuestions, "open question") : "",
    handoff.changed ? age(Date.parse(handoff.changed), now) : "",
    handoff.agent ? nameOf(handoff.path) : "",
  ];
  return told.filter(Boolean).join(" · ");
}

/** The tooltip in Markdown. What the files say is escaped: they are a stranger's. */
export function tooltipOf(handoff: Handoff, now: number): string {
  const changed = handoff.changed ? Date.parse(handoff.changed) : Number.NaN;
  const rows = [
    ["Status", handoff.status ?? handoff.unread ?? "no valid status"],
    ["Agent", handoff.agent ?? ""],
    ["Format", `${handoff.contract} · ${handoff.profile}`],
    ["Open questions", handoff.openQuestions === null ? "" : String(handoff.openQuestions)],
    ["Problems", problems(handoff)],
    ["Changed", Number.isNaN(changed) ? "" : `${age(changed, now)} (${handoff.changed})`],
  ].filter(([, value]) => value);
  const list = rows.map(([name, value]) => `- ${name}: ${escaped(value ?? "")}`).join("\n");
  const place = `${escaped(handoff.path)}:${handoff.range.start.line + 1}`;
  const parts = [`**${escaped(handoff.title)}**`, escaped(handoff.reason), list, place];
  return parts.filter(Boolean).join("\n\n");
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
