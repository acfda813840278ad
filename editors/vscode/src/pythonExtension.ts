// The Python extension, where it is installed: which interpreter it has chosen for each folder.
// Its API: https://github.com/microsoft/vscode-python/wiki/Python-Environment-APIs

import * as vscode from "vscode";

interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string } | undefined;
    resolveEnvironment(at: { readonly path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

const ID = "ms-python.python";
/** How long it may take to start, and to answer. */
const PATIENCE = 15_000;

/** The paths of the interpreters, of the open folders and of none; nothing where there is no such extension. */
export async function interpreters(): Promise<string[]> {
  return (await patiently(chosen)) ?? [];
}

/** Calls back when another interpreter is chosen. */
export async function onInterpreter(changed: () => void): Promise<vscode.Disposable | undefined> {
  return patiently(async () => (await api())?.environments?.onDidChangeActiveEnvironmentPath?.(changed));
}

async function chosen(): Promise<string[]> {
  const environments = (await api())?.environments;
  if (!environments) return [];
  const found = [];
  for (const resource of [...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri), undefined]) {
    const active = environments.getActiveEnvironmentPath(resource);
    // The path may be that of a folder, or just `python`.
    const resolved = active && (await environments.resolveEnvironment(active));
    const python = resolved?.executable.uri?.fsPath;
    if (python) found.push(python);
  }
  return found;
}

async function api(): Promise<PythonApi | undefined> {
  return vscode.extensions.getExtension<PythonApi>(ID)?.activate();
}

/** What the Python extension answers; nothing where it has trouble of its own or takes too long. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, undefined);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
