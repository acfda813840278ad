import assert from "node:assert/strict";
import { test } from "node:test";
import { ICONS, iconOf } from "../src/routing.ts";
import {
  age,
  descriptionOf,
  escaped,
  grouped,
  type Handoff,
  itemAt,
  labelOf,
  needing,
  spokenOf,
  toldApart,
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
    statusText: "blocked",
    label: "board · Developer",
    agent: "Developer",
    openQuestions: 1,
    changed: "2026-03-02T09:00:00Z",
    action: "stop",
    needsPerson: given.action === undefined || given.action === "stop" || given.action === "ask",
    brief: "1 open question",
    markdown: "**stop: 1 open question**",
    errors: 0,
    warnings: 0,
    ...given,
  };
}

test("groups keep the server's order, which has what needs a person first, and none is empty", () => {
  const actions = ["stop", "stop", "ask", "retry", "advance", null] as const;
  const groups = grouped(
    actions.map((action) => handoff({ action })),
    "action",
  );
  const labels = groups.map(({ label, items }) => [label, items.length]);
  assert.deepEqual(labels, [
    ["Stop", 2],
    ["Ask", 1],
    ["Retry", 1],
    ["Advance", 1],
    ["No decision", 1],
  ]);
});

test("a draft is no stop: it has a group and an icon of its own, and needs nobody", () => {
  const draft = handoff({ statusText: "no valid Status", unfilled: 10, openQuestions: null });
  const given = [draft, handoff({ action: "advance" }), handoff({ action: null })];
  assert.deepEqual(
    grouped(given, "action").map(({ label }) => label),
    ["Advance", "To fill in", "No decision"],
  );
  assert.equal(waiting([draft]), 0);
  assert.equal(iconOf("stop", 10), "edit");
  assert.equal(descriptionOf(draft, "action", NOW), "10 to fill in · 3 h ago · a.md");
  assert.equal(spokenOf(draft, "action", NOW), "board · Developer, 10 to fill in · 3 h ago · a.md");
});

test("a folder or agent that needs a person comes first and says so; no name comes last", () => {
  const given = [
    handoff({ path: "README.md", agent: null }),
    handoff({ path: "b/x.md", agent: "worker-10" }),
    handoff({ path: "a/c/x.md", agent: "worker-9", action: "advance" }),
  ];
  const labels = (by: "folder" | "agent") => grouped(given, by).map(({ label, description }) => [label, description]);
  assert.deepEqual(labels("folder"), [
    ["b", "1 · 1 needs a person"],
    ["a/c", "1"],
    ["Top folder", "1 · 1 needs a person"],
  ]);
  assert.deepEqual(
    labels("agent").map(([label]) => label),
    ["worker-10", "worker-9", "No agent named"],
  );
});

test("of many handoffs, only the groups that need a person are open", () => {
  const open = (count: number) =>
    grouped(
      Array.from({ length: count }, (_, number) =>
        handoff({ path: `${number}/x.md`, action: number ? "advance" : "ask" }),
      ),
      "action",
    ).map(({ label, isOpen }) => [label, isOpen]);
  assert.deepEqual(open(20), [
    ["Ask", true],
    ["Advance", true],
  ]);
  assert.deepEqual(open(1000), [
    ["Ask", true],
    ["Advance", false],
  ]);
});

test("the row of the active editor is the one at its line, else the document's first", () => {
  const at = (start: number, action: "stop" | "advance") =>
    handoff({
      path: "x.md",
      action,
      range: { start: { line: start, character: 0 }, end: { line: start + 5, character: 0 } },
    });
  const groups = grouped([at(20, "stop"), handoff({ path: "other.md" }), at(2, "advance")], "action");
  const found = (line: number, uri = "file:///w/x.md") => itemAt(groups, uri, line)?.handoff.range.start.line;
  assert.deepEqual([found(3), found(22), found(0), found(99)], [2, 20, 2, 2]);
  assert.equal(found(0, "file:///w/none.md"), undefined);
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

test("the badge counts the handoffs that need a person", () => {
  const actions = ["stop", "ask", "advance", "continue", "retry", null] as const;
  assert.equal(waiting(actions.map((action) => handoff({ action }))), 2);
  assert.deepEqual([needing(1), needing(2)], ["1 needs a person", "2 need a person"]);
});

test("a row says folder, agent, status, open questions and age; nothing of what is not there", () => {
  assert.equal(labelOf(handoff(), "action"), "board · Developer");
  assert.equal(labelOf(handoff(), "folder"), "Developer");
  assert.equal(descriptionOf(handoff(), "action", NOW), "blocked · 1 open question · 3 h ago · a.md");
  const bare = handoff({
    agent: null,
    label: "a.md",
    statusText: "no valid Status",
    openQuestions: null,
    changed: null,
  });
  assert.equal(labelOf(bare, "folder"), "a.md");
  assert.equal(descriptionOf(bare, "action", NOW), "no valid Status");
  assert.equal(descriptionOf({ ...bare, statusText: "Artifacts: 8 items" }, "action", NOW), "Artifacts: 8 items");
  assert.equal(descriptionOf(handoff({ openQuestions: 0, changed: "no time" }), "action", NOW), "blocked · a.md");
});

test("rows that would be the same in several open folders begin with the folder", () => {
  const label = "a.md · Developer";
  const rows = toldApart([
    [handoff({ path: "one/a.md", label }), "one"],
    [handoff({ path: "other/a.md", label }), "other"],
    [handoff({ path: "one/b.md" }), "one"],
    [handoff({ path: "one/c.md", label: "c" }), "one"],
    [handoff({ path: "one/d.md", label: "c" }), "one"],
  ]);
  assert.deepEqual(
    rows.map((row) => row.label),
    [`one · ${label}`, `other · ${label}`, "board · Developer", "c", "c"],
  );
});

test("a screen reader hears the decision, which the eye has from the icon", () => {
  assert.equal(
    spokenOf(handoff({ errors: 2 }), "action", NOW),
    "board · Developer, stop: 1 open question, blocked · 1 open question · 3 h ago · a.md, 2 errors",
  );
});

test("each action has a shape of its own", () => {
  assert.equal(new Set(Object.values(ICONS)).size, 5);
  assert.ok(!Object.values(ICONS).includes(iconOf(null)));
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
  assert.ok(told.includes("**stop: 1 open question**"));
  assert.match(told, /handoffs\/a\\\.md:1$/);
  assert.equal(escaped("a_b | `c`"), "a\\_b \\| \\`c\\`");
});

test("a thousand handoffs are grouped within a few milliseconds", () => {
  const many = Array.from({ length: 1000 }, (_, number) => handoff({ path: `h/${number}.md` }));
  const before = performance.now();
  for (let round = 0; round < 10; round++) grouped(many, "action");
  assert.ok((performance.now() - before) / 10 < 50);
});
