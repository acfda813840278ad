import assert from "node:assert/strict";
import { test } from "node:test";
import { interpreters, onInterpreter } from "../src/pythonExtension.ts";
import { extensions } from "./vscode.ts";

const active = { path: "/py" };

/** The interpreters where the Python extension is like this. */
async function of(environments: object) {
  extensions.installed["ms-python.python"] = { activate: async () => ({ environments }) };
  return interpreters();
}

test("without the Python extension there is no interpreter", async () => {
  delete extensions.installed["ms-python.python"];
  assert.deepEqual(await interpreters(), []);
  assert.equal(await onInterpreter(() => {}), undefined);
});

test("its interpreter is the executable of the environment that is chosen", async () => {
  const resolveEnvironment = async (at: unknown) =>
    at === active && { executable: { uri: { fsPath: "/py/bin/python" } } };
  assert.deepEqual(await of({ getActiveEnvironmentPath: () => active, resolveEnvironment }), ["/py/bin/python"]);
  assert.deepEqual(await of({ getActiveEnvironmentPath: () => undefined, resolveEnvironment }), []);
});

test("trouble in it is not ours: nothing is thrown, nothing is waited for without end", async (t) => {
  const getActiveEnvironmentPath = () => active;
  const broken = () => Promise.reject(new Error("no such environment"));
  assert.deepEqual(await of({ getActiveEnvironmentPath, resolveEnvironment: broken }), []);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const hanging = of({ getActiveEnvironmentPath, resolveEnvironment: () => new Promise(() => {}) });
  t.mock.timers.tick(60_000);
  assert.deepEqual(await hanging, []);
});
