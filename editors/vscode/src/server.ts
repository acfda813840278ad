// The views' interface to the language server. The code that starts and restarts the server implements it once.

import type { Event } from "vscode";

/**
 * `none`: not looked for, as nothing here needs it; `missing`: looked for and not found; `unusable`: the one that
 * the settings name does not work; `untrusted`: the only ones are in an untrusted folder; `failed`: it does not start, or
 * crashed too often.
 */
export type ServerState = "none" | "missing" | "unusable" | "untrusted" | "starting" | "running" | "failed";

export interface Server {
  readonly state: ServerState;
  readonly onDidChangeState: Event<ServerState>;
  /** `handoff/didChangeHandoffs`: what `handoff.listHandoffs` answers may have changed. */
  readonly onDidChangeHandoffs: Event<void>;
  /** `workspace/executeCommand`. Rejects where no server runs. */
  request<Answer>(command: string, ...given: readonly unknown[]): Promise<Answer>;
}
