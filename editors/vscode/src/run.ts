// Running programs, without a shell.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Command, spawned } from "./platform.ts";

export interface RunOptions {
  /** Where it runs. Never a folder of the workspace: Python would take modules from it. */
  readonly cwd: string;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
}

export interface RunResult {
  /** The exit code; null where it did not start, was killed or took too long. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why there is no exit code. */
  readonly problem?: string;
}

export type Run = (command: Command, args: readonly string[], options: RunOptions) => Promise<RunResult>;

/** Starts a program. Python writes UTF-8 to it, whatever the code page of a Windows machine. */
export function start(command: Command, args: readonly string[], cwd: string): ChildProcessWithoutNullStreams {
  const { file, args: all, verbatim } = spawned(command, args, process.env, process.platform);
  const env = { ...process.env, PYTHONUTF8: "1", PYTHONUNBUFFERED: "1" };
  return spawn(file, all, { cwd, env, windowsHide: true, windowsVerbatimArguments: verbatim });
}

/** Ends a program, with what it has started: Windows ends only the one itself. */
export function end(child: ChildProcessWithoutNullStreams): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  if (process.platform === "win32") spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { windowsHide: true });
  else child.kill("SIGKILL");
}

/** Lets a program end by itself within a time, then ends it. Resolves when it has ended. */
export async function ended(child: ChildProcessWithoutNullStreams, patience: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const timer = setTimeout(() => end(child), patience);
  await once(child, "exit");
  clearTimeout(timer);
}

/** Runs a program to its end. Never rejects. */
export const run: Run = (command, args, options) =>
  new Promise((resolve) => {
    const out = { stdout: "", stderr: "" };
    let problem: string | undefined;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = start(command, args, options.cwd);
    } catch (error) {
      resolve({ code: null, ...out, problem: String(error) });
      return;
    }
    const stop = (why: string) => {
      problem ??= why;
      end(child);
      // What it has started may hold these open for as long as it likes.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = options.timeout && setTimeout(() => stop(`no answer within ${options.timeout} ms`), options.timeout);
    const onAbort = () => stop("cancelled");
    if (options.signal?.aborted) onAbort();
    options.signal?.addEventListener("abort", onAbort);
    for (const stream of ["stdout", "stderr"] as const) {
      createInterface({ input: child[stream].setEncoding("utf8") }).on("line", (line) => {
        out[stream] += `${line}\n`;
        options.onLine?.(line);
      });
    }
    child.stdin.on("error", () => {});
    child.stdin.end();
    child.on("error", (error: NodeJS.ErrnoException) => {
      problem ??=
        error.code === "ENOENT" ? "no such program" : error.code === "EACCES" ? "not executable" : error.message;
      finish(null);
    });
    child.on("close", (code) => finish(problem === undefined ? code : null));
    function finish(code: number | null): void {
      clearTimeout(timer || undefined);
      options.signal?.removeEventListener("abort", onAbort);
      resolve({ code, ...out, ...(problem === undefined ? {} : { problem }) });
    }
  });
