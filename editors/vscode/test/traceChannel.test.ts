import assert from "node:assert/strict";
import { test } from "node:test";
import { traceChannel } from "../src/traceChannel.ts";
import { shown } from "./vscode.ts";

test("what is traced after the channel was disposed of is lost, and no error", () => {
  const subscriptions: { dispose(): unknown }[] = [];
  const channel = traceChannel(subscriptions as never);
  channel.trace("before");
  for (const each of subscriptions) each.dispose();
  channel.trace("after");
  channel.appendLine("after");
  assert.equal(shown.length, 1);
  assert.match(shown[0] ?? "", / before$/);
});
