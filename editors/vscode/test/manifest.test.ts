import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { selector } from "../src/documents.ts";
import { compareVersions, minimumOf, parseVersion } from "../src/versions.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const settings: Record<string, { default: unknown }> = Object.assign(
  {},
  ...manifest.contributes.configuration.map((part: { properties: object }) => part.properties),
);

test("the extension starts only where there is something for it", () => {
  const kinds = new Set(manifest.activationEvents.map((event: string) => event.split(":")[0]));
  assert.deepEqual(kinds, new Set(["workspaceContains", "onFileSystem"]));
});

test("the version that is installed fits the server of this repository", () => {
  const ours = parseVersion(readFileSync("../../handoff_lsp/__init__.py", "utf8").match(/__version__ = .*/)?.[0] ?? "");
  const requirement = String(settings["handoff-lsp.server.installFrom"]?.default);
  const below = parseVersion(requirement.split("<")[1] ?? "");
  assert.ok(ours && below);
  assert.ok(compareVersions(ours, minimumOf(requirement)) >= 0, requirement);
  assert.ok(compareVersions(ours, below) < 0, requirement);
  assert.equal(manifest.version, ours.join("."));
});

test("what a workspace may not decide before it is trusted is what is run", () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  const deciding = Object.keys(settings).filter((key) => /^handoff-lsp\.server\.(?!documents)/.test(key));
  assert.deepEqual(restrictedConfigurations.sort(), deciding.sort());
});

test("data files are opened by the patterns that start the extension, and Markdown by language", () => {
  const filters = selector(manifest.activationEvents, ["**/runs/*.json"]);
  const languages = filters.flatMap((filter) => ("language" in filter ? `${filter.language} ${filter.scheme}` : []));
  // VS Code calls prompts by names of its own, and nothing is done in a file whose language is not among these.
  for (const language of ["markdown", "chatagent", "skill", "prompt", "instructions"]) {
    for (const scheme of ["file", "untitled"]) assert.ok(languages.includes(`${language} ${scheme}`), language);
  }
  const patterns = filters.map((filter) => ("pattern" in filter ? filter.pattern : ""));
  assert.ok(patterns.includes("**/.agent/status.json") && patterns.includes("**/.agent/activity.log"));
  assert.equal(patterns.at(-1), "**/runs/*.json");
  assert.ok(patterns.includes("**/contracts/*.{yaml,yml}") && !patterns.includes("**/*.yaml"));
  assert.ok(!patterns.some((pattern) => pattern.endsWith(".md")));
  const configs = patterns.filter((pattern) => pattern.endsWith(".toml"));
  assert.deepEqual(configs, ["**/.handoff-lsp.toml", "**/pyproject.toml"]);
});

test("each command of a menu or a key is declared", () => {
  const declared = new Set(manifest.contributes.commands.map(({ command }: { command: string }) => command));
  const used = Object.values<{ command: string }[]>(manifest.contributes.menus).flat();
  for (const { command } of used) assert.ok(declared.has(command), command);
});
