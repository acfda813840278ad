// The documents that are synchronized with the server. The server decides which of them are handoffs.

/** A filter by language and scheme, or by pattern, both of VS Code and of the protocol. */
export type Filter =
  | { readonly language: string; readonly scheme: string }
  | { readonly scheme: string; readonly pattern: string };

/** Markdown, and what VS Code calls the Markdown files of agents: `.claude/agents/*.md`, `SKILL.md`, `*.prompt.md` … */
export const LANGUAGES = ["markdown", "chatagent", "skill", "prompt", "instructions"];
const CONTAINS = "workspaceContains:**/";
const DATA = /\.(?:jsonc?|jsonl|log)$/;
/** Where contract files usually are; the server is silent about other YAML, and the setting names other folders. */
const CONTRACTS = "**/contracts/*.{yaml,yml}";
/** Where the config is; the server is silent about a `pyproject.toml` without its table. */
const CONFIGS = ["**/.handoff-lsp.toml", "**/pyproject.toml"];

/**
 * All Markdown, configs, contract files, and the data files for which the extension starts: those are in its manifest, from the
 * contracts.
 */
export function selector(activationEvents: readonly string[], more: readonly string[]): Filter[] {
  const patterns = activationEvents
    .filter((event) => event.startsWith(CONTAINS))
    .map((event) => `**/${event.slice(CONTAINS.length)}`)
    .filter((pattern) => DATA.test(pattern));
  return [
    ...LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme }))),
    ...[...new Set([...patterns, ...CONFIGS, CONTRACTS, ...more])].map((pattern) => ({ scheme: "file", pattern })),
  ];
}
