// The orchestrator's decision about a handoff, in the server's words, and its icon. Knows no editor.

export type Action = "advance" | "continue" | "retry" | "ask" | "stop";

/** A handoff of a document, as `handoff.showRouting` answers it. */
export interface Routed {
  readonly uri: string;
  readonly contract: string;
  readonly profile: string;
  readonly mode: "handoff" | "template" | "example";
  readonly range: { readonly start: Position; readonly end: Position };
  /** The status for people, such as `blocked`, `Artifacts: 8 items` or `no valid Status`. */
  readonly statusText: string;
  readonly routing: { readonly action: Action; readonly brief: string; readonly reason: string } | null;
  /** The decision on one line, or the reason for its absence. */
  readonly line: string;
  /** The decision with its full reason. */
  readonly markdown: string;
  readonly places: readonly Place[];
  /** The untouched placeholders of a draft; absent from an older server's answer. */
  readonly unfilled?: number;
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A place that explains the decision. */
export interface Place {
  readonly kind: "decides" | "finding" | "reads";
  readonly text: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** Five shapes, not five colors of one. */
export const ICONS: Record<Action, string> = {
  advance: "check",
  continue: "debug-continue",
  retry: "debug-restart",
  ask: "question",
  stop: "error",
};

/** The codicon of an action, or of a draft; of a handoff about which nothing is decided, such as a template, without one. */
export function iconOf(action: Action | null | undefined, unfilled = 0): string {
  if (unfilled) return "edit";
  return action ? ICONS[action] : "file";
}
