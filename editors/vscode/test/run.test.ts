import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { run } from "../src/run.ts";

const NODE = [process.execPath, "-e"] as const;
const options = { cwd: tmpdir() };

test("a program's answer, in lines, in UTF-8", async () => {
  const lines: string[] = [];
  const script = "console.log('作業 🙂'); console.error('b'); process.exitCode = 3";
  const result = await run([...NODE, script], ["x"], { ...options, onLine: (line) => lines.push(line) });
  assert.deepEqual(result, { code: 3, stdout: "作業 🙂\n", stderr: "b\n" });
  assert.deepEqual(lines.sort(), ["b", "作業 🙂"]);
});

test("arguments arrive as they are", async () => {
  const args = ['a "b"', "$HOME", "*", "花 子", "", "\\"];
  const { stdout } = await run(
    [...NODE, "console.log(JSON.stringify(process.argv.slice(1)))"],
    ["--", ...args],
    options,
  );
  assert.deepEqual(JSON.parse(stdout), args);
});

test("a program that is not there, or is no program", async () => {
  const gone = await run(["/no such/program"], [], options);
  assert.deepEqual([gone.code, gone.problem], [null, "no such program"]);
  const folder = await run([tmpdir()], [], options);
  assert.equal(folder.code, null);
  assert.ok(folder.problem);
});

test("one that takes too long is not waited for, though what it has started still holds its output", async () => {
  const orphan = `require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 8000)"], { stdio: "inherit" })`;
  const began = Date.now();
  const { problem } = await run([...NODE, orphan], [], { ...options, timeout: 500 });
  assert.equal(problem, "no answer within 500 ms");
  assert.ok(Date.now() - began < 7000);
});

test("one that takes too long, or is cancelled, is ended", async () => {
  const forever = [...NODE, "setInterval(() => {}, 1000)"] as const;
  assert.equal((await run(forever, [], { ...options, timeout: 50 })).problem, "no answer within 50 ms");
  const aborted = new AbortController();
  const running = run([...NODE, "console.log('up'); setInterval(() => {}, 1000)"], [], {
    ...options,
    signal: aborted.signal,
    onLine: () => aborted.abort(),
  });
  assert.deepEqual([(await running).code, (await running).problem], [null, "cancelled"]);
  assert.equal((await run(forever, [], { ...options, signal: aborted.signal })).problem, "cancelled");
});
