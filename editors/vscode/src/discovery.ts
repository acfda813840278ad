// Which server is started: the places where one may be, in order, and the first that answers with a version new enough.

import {
  type Command,
  expandPath,
  inVenv,
  type Machine,
  mayRun,
  named,
  onPath,
  pathFolders,
  pathsOf,
  UNTRUSTED,
} from "./platform.ts";
import type { Run } from "./run.ts";
import { compareVersions, formatVersion, parseVersion, type Version } from "./versions.ts";

export type Place = "setting" | "workspace" | "python" | "path" | "managed";

/** A server that may be there. */
export interface Candidate {
  readonly place: Place;
  /** The program and its arguments, up to those of ours (`server`, `--version`). */
  readonly command: Command;
}

/** What became of a candidate, or of a place that has none. */
export interface Attempt {
  readonly place: Place;
  readonly command?: Command;
  readonly outcome: "found" | "absent" | "failed" | "too-old" | "untrusted";
  readonly version?: Version;
  /** For people: why it is not taken, or which version it is. */
  readonly says: string;
}

export interface Found {
  readonly server?: { readonly place: Place; readonly command: Command; readonly version: Version };
  readonly attempts: readonly Attempt[];
}

/** The surroundings of the search. `${workspaceFolder}` is the first of the open folders. */
export interface Surroundings extends Machine {
  /** `handoff-lsp.server.path` and `.command`, as they count in this workspace. */
  readonly path: string;
  readonly command: readonly string[];
  /** The interpreters that the Python extension has chosen for the folders. Asked only where the answer may be used. */
  readonly interpreters: () => Promise<readonly string[]>;
  /** The Python of the server that this extension has installed. */
  readonly managed: string | undefined;
}

export const MODULE = ["-m", "handoff_lsp"] as const;
const PROGRAM = "handoff-lsp";
const VENVS = [".venv", "venv"];

/** The time limit for a server's version: a first start compiles its imports. */
const PATIENCE = 20_000;

/** Asks one candidate after another. A server from a setting is used alone: it was chosen by hand. */
export async function discover(at: Surroundings, minimum: Version, run: Run, cwd: string): Promise<Found> {
  const attempts: Attempt[] = [];
  for await (const next of candidates(at)) {
    const attempt = "outcome" in next ? next : await ask(next, minimum, run, cwd);
    attempts.push(attempt);
    const { place, command, version } = attempt;
    if (attempt.outcome === "found" && command && version) return { server: { place, command, version }, attempts };
    if (place === "setting" && attempt.outcome !== "absent") break;
  }
  return { attempts };
}

/** What became of the server that the settings name, if they name one. */
export function namedServer(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.find((attempt) => attempt.place === "setting" && attempt.outcome !== "absent");
}

/** The arguments that a Python of ours is started with: nothing but its own packages is imported, whatever the folder. */
export function managedCommand(python: string): Command {
  return [python, "-I", "-X", "utf8", ...MODULE];
}

async function ask(candidate: Candidate, minimum: Version, run: Run, cwd: string): Promise<Attempt> {
  const result = await run(candidate.command, ["--version"], { cwd, timeout: PATIENCE });
  // Other programs print versions as well, such as a Python in place of the server.
  const version = result.stdout.startsWith(PROGRAM) && result.code === 0 ? parseVersion(result.stdout) : undefined;
  if (!version) {
    const what = lastLine(result.stderr) || lastLine(result.stdout) || `exit code ${result.code}`;
    const told = result.problem ?? `it is no ${PROGRAM}: ${what}`;
    return { ...candidate, outcome: "failed", says: told };
  }
  const says = formatVersion(version);
  if (compareVersions(version, minimum) >= 0) return { ...candidate, outcome: "found", version, says };
  return { ...candidate, outcome: "too-old", version, says: `${says} is older than ${formatVersion(minimum)}` };
}

export function lastLine(text: string): string {
  return text.trimEnd().split("\n").pop()?.trim() ?? "";
}

async function* candidates(at: Surroundings): AsyncGenerator<Candidate | Attempt> {
  yield* setting(at);
  yield* workspace(at);
  yield* interpreters(at);
  yield* path(at);
  if (at.managed) yield { place: "managed", command: managedCommand(at.managed) };
  else yield absent("managed", "not installed by this extension");
}

function* setting(at: Surroundings): Generator<Candidate | Attempt> {
  const [program, ...rest] = at.command.length > 0 ? at.command : [at.path];
  if (!program) {
    yield absent("setting", "not set");
    return;
  }
  const [folder] = at.trusted ? at.folders : [];
  const args = rest.map((each) => expandPath(each, at.home, folder));
  const { file, problem } = named(program, at);
  if (problem === undefined) yield { place: "setting", command: [file, ...args] };
  else if (problem === UNTRUSTED) yield { place: "setting", command: [file], outcome: "untrusted", says: UNTRUSTED };
  else yield { place: "setting", command: [file], outcome: "failed", says: `${file}: ${problem}` };
}

function* workspace(at: Surroundings): Generator<Candidate | Attempt> {
  if (!at.trusted) {
    yield { place: "workspace", outcome: "untrusted", says: UNTRUSTED };
    return;
  }
  const paths = pathsOf(at.platform);
  const venvs = at.folders.flatMap((folder) => VENVS.map((name) => paths.join(folder, name)));
  const there = venvs.map((venv) => inVenv(venv, PROGRAM, at.platform)).filter(at.isFile);
  for (const program of there) yield { place: "workspace", command: [program] };
  if (there.length === 0) yield absent("workspace", `no ${PROGRAM} in ${VENVS.join(" or ")} of an open folder`);
}

async function* interpreters(at: Surroundings): AsyncGenerator<Candidate | Attempt> {
  if (!at.trusted) {
    yield { place: "python", outcome: "untrusted", says: UNTRUSTED };
    return;
  }
  const there = [...new Set(await at.interpreters())].filter(at.isFile);
  for (const python of there) yield { place: "python", command: [python, ...MODULE] };
  if (there.length === 0) yield absent("python", "no Python extension, or no interpreter chosen");
}

function* path(at: Surroundings): Generator<Candidate | Attempt> {
  const program = onPath(PROGRAM, at.env, at.platform).find((each) => at.isFile(each) && mayRun(at, each));
  const folders = pathFolders(at.env, at.platform).join(", ") || "empty";
  yield program ? { place: "path", command: [program] } : absent("path", `no ${PROGRAM} on PATH: ${folders}`);
}

function absent(place: Place, says: string): Attempt {
  return { place, outcome: "absent", says };
}
