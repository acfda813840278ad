// The text of the report that the doctor shows.

import type { Attempt } from "./discovery.ts";

/** What the extension knows, in plain data. */
export interface Facts {
  readonly extension: string;
  readonly vscode: string;
  readonly system: string;
  readonly remote: string | undefined;
  readonly trusted: boolean;
  readonly folders: number;
  readonly state: string;
  readonly server: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly settings: unknown;
  readonly report: string;
}

const PLACES = {
  setting: "The settings",
  workspace: "A virtual environment of the workspace",
  python: "The Python extension",
  path: "PATH",
  managed: "Installed by this extension",
} as const;

/** The report as Markdown. */
export function written(facts: Facts): string {
  const rows = facts.attempts.map(({ place, outcome, command, says }) => {
    const cells = [PLACES[place], outcome, command ? `\`${command.join(" ")}\`` : "", says];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  });
  return [
    "# Handoff doctor",
    "",
    "## Extension",
    "",
    `- Extension: ${facts.extension}`,
    `- Editor: ${facts.vscode}${facts.remote ? `, remote (${facts.remote})` : ""}`,
    `- System: ${facts.system}`,
    `- Folders: ${facts.folders}, ${facts.trusted ? "trusted" : "not trusted"}`,
    `- Server: ${facts.state}${facts.server ? `, ${facts.server}` : ""}`,
    "",
    "### Where the server was looked for",
    "",
    "| place | outcome | command | |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "### Settings that are set",
    "",
    "```json",
    JSON.stringify(facts.settings, null, 2),
    "```",
    "",
    "## Server",
    "",
    facts.report
      .trim()
      .replace(/^(?=#)/gm, "##")
      .replace(/^#{7,}/gm, "######"),
    "",
  ].join("\n");
}
