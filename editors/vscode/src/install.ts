// The server in a virtual environment of the extension's own. Nothing here is called before the user has asked for it.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastLine, managedCommand } from "./discovery.ts";
import { inVenv } from "./platform.ts";
import { OLDEST_PYTHON, type Python } from "./python.ts";
import type { Run, RunResult } from "./run.ts";
import { compareVersions, formatVersion, parseVersion, type Version } from "./versions.ts";

export interface Plan {
  readonly python: Python;
  /** What pip is to install: a requirement, or the path of a wheel. */
  readonly from: string;
  /** The oldest version that will do. */
  readonly minimum: Version;
  readonly storage: Storage;
  readonly signal: AbortSignal;
  readonly onStep: (message: string) => void;
  readonly onLine: (line: string) => void;
}

/** The server that the extension brings along, as a wheel; undefined where it was packed without one. */
export function packed(extension: string): string | undefined {
  const folder = join(extension, "server");
  const wheel = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".whl")) : undefined;
  return wheel && join(folder, wheel);
}

/** An installation that did not work, with its reason for people. */
export class InstallError extends Error {}

const STEP_TIME = 15 * 60_000;
const COMPLETE = "complete";
const GONE = ".old";

/**
 * The folder with what was installed. Each installation has a folder of its own, which counts from when it is marked as
 * complete: a failed upgrade leaves the server as it was, and one that runs is not changed under its feet.
 */
export class Storage {
  constructor(readonly folder: string) {}

  /** The interpreter of the newest installation that is complete. */
  python(platform: NodeJS.Platform = process.platform): string | undefined {
    const newest = this.newest();
    return newest && inVenv(join(this.folder, newest), "python", platform);
  }

  /** A folder for a new installation. Its name sorts after those before. */
  next(): string {
    mkdirSync(this.folder, { recursive: true });
    return join(this.folder, `${Date.now().toString(36).padStart(9, "0")}${randomBytes(2).toString("hex")}`);
  }

  complete(venv: string): void {
    writeFileSync(join(venv, COMPLETE), "");
  }

  /**
   * Removes what is older than the newest complete one. What is newer may be another window's installation under way, and
   * what is in use on Windows cannot be renamed: both wait for a later time.
   */
  tidy(): void {
    const kept = this.newest();
    if (kept === undefined) return;
    for (const name of this.installations())
      if (name < kept || name.endsWith(GONE)) this.remove(join(this.folder, name));
  }

  remove(venv: string): void {
    try {
      const gone = venv.endsWith(GONE) ? venv : venv + GONE;
      if (gone !== venv) renameSync(venv, gone);
      rmSync(gone, { recursive: true, force: true });
    } catch {
      // In use, or not there.
    }
  }

  private installations(): string[] {
    try {
      return readdirSync(this.folder).sort();
    } catch {
      return [];
    }
  }

  private newest(): string | undefined {
    return this.installations()
      .filter((name) => !name.endsWith(GONE) && existsSync(join(this.folder, name, COMPLETE)))
      .pop();
  }
}

/** Makes the environment, installs into it and asks the server for its version. Throws InstallError. */
export async function install(plan: Plan, run: Run): Promise<{ readonly python: string; readonly version: Version }> {
  const { storage, signal, onLine } = plan;
  const venv = storage.next();
  const python = inVenv(venv, "python", process.platform);
  const step = async (message: string, command: Parameters<Run>[0], args: readonly string[]): Promise<RunResult> => {
    plan.onStep(message);
    onLine(`$ ${[...command, ...args].join(" ")}`);
    const result = await run(command, args, { cwd: storage.folder, timeout: STEP_TIME, signal, onLine });
    if (signal.aborted) throw new InstallError("cancelled");
    if (result.code !== 0) throw new InstallError(`${message} failed: ${reasonOf(result)}`);
    return result;
  };
  try {
    const isolated = ["-I", "-X", "utf8", "-m"];
    const using = `Python ${formatVersion(plan.python.version)}`;
    await step(`Creating a virtual environment (${using})`, plan.python.command, [...isolated, "venv", venv]);
    const pip = ["pip", "install", "--disable-pip-version-check", "--no-input", plan.from];
    await step(`Installing ${plan.from}`, [python], [...isolated, ...pip]);
    const asked = await step("Asking the server for its version", managedCommand(python), ["--version"]);
    const version = parseVersion(asked.stdout);
    if (!version) throw new InstallError(`${plan.from} does not print its version: ${lastLine(asked.stdout)}`);
    if (compareVersions(version, plan.minimum) < 0) {
      const needed = formatVersion(plan.minimum);
      throw new InstallError(`${plan.from} is version ${formatVersion(version)}, and ${needed} or newer is needed`);
    }
    storage.complete(venv);
    return { python, version };
  } catch (error) {
    storage.remove(venv);
    throw error;
  }
}

/** What a failed step says: pip's own errors if there are any, else its last line. */
export function reasonOf({ stderr, stdout, problem, code }: RunResult): string {
  if (problem) return problem;
  const errors = stderr.match(/^(?:ERROR|error): .*$/gm);
  if (/ensurepip is not available/.test(stdout + stderr)) {
    return "this Python has no ensurepip (on Debian and Ubuntu it is in the package python3-venv)";
  }
  return (
    errors?.[errors.length - 1]?.replace(/^error: /i, "") || lastLine(stderr) || lastLine(stdout) || `exit code ${code}`
  );
}

export function noPython(tried: readonly string[]): InstallError {
  const needed = `Python ${formatVersion(OLDEST_PYTHON)} or newer is needed`;
  return new InstallError(tried.length > 0 ? `${needed}, but ${tried.join(", ")}` : `${needed}, and none was found`);
}
