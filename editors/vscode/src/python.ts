// A Python that is new enough to install the server with.

import { type Command, type Machine, mayRun, named, onPath } from "./platform.ts";
import type { Run } from "./run.ts";
import { compareVersions, formatVersion, parseVersion, type Version } from "./versions.ts";

/** The oldest Python that the server runs on (`requires-python` of the project). */
export const OLDEST_PYTHON: Version = [3, 11];

const NAMES = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

export interface PythonSurroundings extends Machine {
  /** `handoff-lsp.server.python`; where it is set no other is asked. */
  readonly chosen: string;
  readonly interpreters: () => Promise<readonly string[]>;
}

export interface Python {
  readonly command: Command;
  readonly version: Version;
}

/** The first that is new enough, and in words what the others are. */
export async function findPython(
  at: PythonSurroundings,
  run: Run,
  cwd: string,
): Promise<{ readonly python?: Python; readonly tried: readonly string[] }> {
  const tried: string[] = [];
  const chosen = at.chosen ? named(at.chosen, at) : undefined;
  const by = chosen ? " (handoff-lsp.server.python)" : "";
  if (chosen?.problem) return { tried: [`${chosen.file}${by}: ${chosen.problem}`] };
  for (const command of chosen ? [[chosen.file] as const] : await pythons(at)) {
    const { code, stdout, problem } = await run(command, ["--version"], { cwd, timeout: 20_000 });
    const version = code === 0 ? parseVersion(stdout) : undefined;
    if (version && compareVersions(version, OLDEST_PYTHON) >= 0) return { python: { command, version }, tried };
    // The `python` that Windows has without a Python ends with an error and leads to a shop.
    const what = version ? ` is ${formatVersion(version)}` : problem ? `: ${problem}` : ` ends with exit code ${code}`;
    tried.push(`${command.join(" ")}${by}${what}`);
  }
  return { tried };
}

async function pythons(at: PythonSurroundings): Promise<Command[]> {
  const first = (name: string) => onPath(name, at.env, at.platform).find((file) => at.isFile(file) && mayRun(at, file));
  const active = at.trusted ? (await at.interpreters()).filter(at.isFile) : [];
  const found: Command[] = active.map((file): Command => [file]);
  for (const name of NAMES) {
    const file = first(name);
    if (file) found.push([file]);
  }
  const launcher = at.platform === "win32" ? first("py") : undefined;
  if (launcher) found.push([launcher, "-3"]);
  const seen = new Set<string>();
  return found.filter((command) => !seen.has(command.join("\0")) && seen.add(command.join("\0")));
}
