// What the orchestrator does with a handoff, as the server tells it, and how that looks.

export type Action = "advance" | "continue" | "retry" | "ask" | "stop";

/** A handoff of a document, as `handoff.showRouting` answers it. */
export interface Routed {
  readonly uri: string;
  readonly contract: string;
  readonly profile: string;
  readonly mode: "handoff" | "template" | "example";
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly status: string | null;
  readonly routing: { readonly action: Action; readonly reason: string } | null;
  /** The untouched placeholders of a draft; absent from an older server's answer. */
  readonly unfilled?: number;
}

const ICONS: Record<Action, string> = {
  advance: "pass",
  continue: "sync",
  retry: "debug-restart",
  ask: "question",
  stop: "error",
};

/** The codicon of an action; of a handoff about which nothing is decided, such as a template, without one. */
export function iconOf(action: Action | null | undefined): string {
  return action ? ICONS[action] : "file";
}
