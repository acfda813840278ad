import assert from "node:assert/strict";
import { test } from "node:test";
import {
  age,
  descriptionOf,
  escaped,
  grouped,
  type Handoff,
  labelOf,
  tooltipOf,
  waiting,
} from "../src/view/handoffs.ts";

const NOW = Date.parse("2026-03-02T12:00:00Z");

function handoff(given: Partial<Handoff> = {}): Handoff {
  const start = { line: 0, character: 0 };
  return {
    uri: `file:///w/${given.path ?? "handoffs/a.md"}`,
    path: "handoffs/a.md",
    range: { start, end: { line: 9, character: 0 } },
    contract: "status-block",
    title: "Board title",
    profile: "developer",
    status: "blocked",
    agent: "Developer",
    openQuestions: 1,
    changed: "2026-03-02T09:00:00Z",
    action: "stop",
    reason: "Stops the pipeline.",
    brief: "1 open question",
    errors: 0,
    warnings: 0,
    ...given,
  };
}

test("what somebody has to look at comes first, and there is no empty group", () => {
  const actions = ["advance", null, "retry", "stop", "ask", "stop"] as const;
  const groups = grouped(
    actions.map((action) => handoff({ action })),
    "action",
  );
  const labels = groups.map(({ label, items }) => [label, items.length]);
  assert.deepEqual(labels, [
    ["Stops", 2],
    ["Asks a human", 1],
    ["Retries", 1],
    ["Advances", 1],
    ["Not decided", 1],
  ]);
});

test("folders and agents are in the order of their names, what has none comes last", () => {
  const given = [
    handoff({ path: "README.md", agent: null }),
    handoff({ path: "b/x.md", agent: "worker-10" }),
    handoff({ path: "a/c/x.md", agent: "worker-9" }),
  ];
  const labels = (by: "folder" | "agent") => grouped(given, by).map(({ label }) => label);
  assert.deepEqual(labels("folder"), ["a/c", "b", "Top folder"]);
  assert.deepEqual(labels("agent"), ["worker-9", "worker-10", "No agent named"]);
});

test("a handoff keeps its id when its lines move and others come and go", () => {
  const first = handoff({ path: "x.md" });
  const second = handoff({
    path: "x.md",
    range: { start: { line: 20, character: 0 }, end: { line: 30, character: 0 } },
  });
  const moved = { ...second, range: { start: { line: 25, character: 0 }, end: { line: 35, character: 0 } } };
  const ids = (given: Handoff[]) => grouped(given, "action").flatMap(({ items }) => items.map(({ id }) => id));
  assert.equal(new Set(ids([first, second])).size, 2);
  assert.deepEqual(ids([first, second]), ids([first, moved]));
  assert.ok(ids([handoff({ path: "a.md" }), first]).includes(ids([first])[0] ?? ""));
});

test("groups keep their ids while their handoffs change", () => {
  const ids = (given: Handoff[]) => grouped(given, "action").map(({ id }) => id);
  assert.deepEqual(ids([handoff()]), ids([handoff({ path: "b.md" }), handoff()]));
});

test("those that stop or ask wait for a human", () => {
  const actions = ["stop", "ask", "advance", "continue", "retry", null] as const;
  assert.equal(waiting(actions.map((action) => handoff({ action }))), 2);
});

test("the line says status, what is open, and the age; nothing of what is not there", () => {
  assert.equal(descriptionOf(handoff(), NOW), "blocked · 1 open question · 3 h ago · a.md");
  const bare = handoff({ agent: null, status: null, openQuestions: null, changed: null });
  assert.equal(labelOf(bare), "a.md");
  assert.equal(descriptionOf(bare, NOW), "no valid status");
  const broken = "the JSON cannot be parsed";
  assert.equal(descriptionOf({ ...bare, unread: broken }, NOW), broken);
  assert.equal(descriptionOf(handoff({ openQuestions: 0, changed: "no time" }), NOW), "blocked · a.md");
});

test("ages are in one unit", () => {
  const minutes = (count: number) => age(NOW - count * 60_000, NOW);
  const told = [-5, 0, 0.9, 1, 59, 60, 23 * 60 + 59, 24 * 60, 48 * 60, 70 * 24 * 60, 800 * 24 * 60].map(minutes);
  assert.deepEqual(told, [
    "in the future",
    "now",
    "now",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
    "1 day ago",
    "2 days ago",
    "2 months ago",
    "2 years ago",
  ]);
  assert.equal(age(Number.NaN, NOW), "");
});

test("what a file says is no markup in the tooltip", () => {
  const told = tooltipOf(handoff({ title: "[x](command:evil) <img>", agent: "*a*\n# b", errors: 1, warnings: 2 }), NOW);
  assert.match(told, /\\\[x\\\]\\\(command:evil\\\) \\<img\\>/);
  assert.match(told, /\\\*a\\\* \\# b/);
  assert.match(told, /Problems: 1 error, 2 warnings/);
  assert.match(told, /Stops the pipeline\\\./);
  assert.match(told, /handoffs\/a\\\.md:1$/);
  assert.equal(escaped("a_b | `c`"), "a\\_b \\| \\`c\\`");
});

test("a thousand handoffs are grouped within a few milliseconds", () => {
  const many = Array.from({ length: 1000 }, (_, number) => handoff({ path: `h/${number}.md` }));
  const before = performance.now();
  for (let round = 0; round < 10; round++) grouped(many, "action");
  assert.ok((performance.now() - before) / 10 < 50);
});
