// The server's settings: only those that a user has set. VS Code adds the default of each setting that an extension
// declares, and these would override the team's config file.

/** The values of a section, as `WorkspaceConfiguration.inspect` has them, outermost first. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** What of the section belongs to the extension and not to the server. */
const OURS = new Set(["enable", "server", "trace"]);

/** The settings of the section as one tree, in which inner values go over outer ones as VS Code itself merges them. */
export function answer(inspected: Inspected | undefined): Record<string, unknown> {
  const layers = [inspected?.globalValue, inspected?.workspaceValue, inspected?.workspaceFolderValue];
  const all = layers.filter(isTable).reduce(merged, {});
  return Object.fromEntries(Object.entries(all).filter(([key]) => !OURS.has(key)));
}

function merged(data: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...data };
  for (const [key, value] of Object.entries(over)) {
    const mine = result[key];
    result[key] = isTable(mine) && isTable(value) ? merged(mine, value) : value;
  }
  return result;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
