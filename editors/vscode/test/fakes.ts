// A machine for tests: which files there are, and what the programs among them answer.

import type { Command } from "../src/platform.ts";
import type { Run, RunResult } from "../src/run.ts";

export interface Call {
  readonly line: string;
  readonly cwd: string;
}

export type Answer = string | Partial<RunResult> | ((call: Call) => string | Partial<RunResult>);

/** A runner that records what it was asked to run. A command that is not among the answers is no program. */
export function fakeRun(answers: Record<string, Answer>): { run: Run; calls: Call[] } {
  const calls: Call[] = [];
  const run: Run = async (command: Command, args, { cwd, onLine }) => {
    const call = { line: [...command, ...args].join(" "), cwd };
    calls.push(call);
    const key = Object.keys(answers).find((each) => call.line.includes(each));
    const given = key === undefined ? { code: null, problem: "no such program" } : answers[key];
    const answer = typeof given === "function" ? given(call) : given;
    const result = typeof answer === "string" ? { code: 0, stdout: answer } : answer;
    for (const line of `${result?.stdout ?? ""}${result?.stderr ?? ""}`.split("\n")) onLine?.(line);
    return { code: 0, stdout: "", stderr: "", ...result };
  };
  return { run, calls };
}
