// Explain: a page about a rule, a contract, a field or a value, picked from all that there is.

import * as vscode from "vscode";
import { codeOf } from "./code.ts";
import { type Pages, preview } from "./pages.ts";
import type { Server } from "./server.ts";

type Kind = "rule" | "contract" | "field" | "value";

interface Topic {
  readonly topic: string;
  readonly kind: Kind;
  readonly title: string;
}

interface Explained {
  readonly topic: string;
  readonly title: string;
  readonly markdown: string;
}

const HEADINGS: Record<Kind, string> = { rule: "Rules", contract: "Contracts", field: "Fields", value: "Values" };

/** Explains a topic; the one that is picked where none is given, those of the line's problems first. */
export async function explain(server: Server, pages: Pages, given?: unknown): Promise<void> {
  const topic = typeof given === "string" ? given : await pick(server);
  if (topic === undefined) return;
  const page = await server.request<Explained>("handoff.explain", { topic });
  await preview(pages.write(page.topic, page.markdown));
}

async function pick(server: Server): Promise<string | undefined> {
  const topics = await server.request<Topic[]>("handoff.listTopics");
  const here = codesHere();
  const items: (vscode.QuickPickItem & { topic?: string })[] = [];
  const add = (label: string, found: Topic[]) => {
    if (found.length === 0) return;
    items.push({ label, kind: vscode.QuickPickItemKind.Separator });
    items.push(
      ...found.map(({ topic, title }) => ({ label: topic, description: title === topic ? "" : title, topic })),
    );
  };
  add(
    "In this file",
    topics.filter(({ topic }) => here.has(topic)),
  );
  for (const kind of Object.keys(HEADINGS) as Kind[]) {
    add(
      HEADINGS[kind],
      topics.filter((topic) => topic.kind === kind && !here.has(topic.topic)),
    );
  }
  const options = { title: "Explain", placeHolder: "A rule, contract, field or value", matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.topic;
}

/** The rules that have found something in the document that is open. */
function codesHere(): Set<string> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const found = uri ? vscode.languages.getDiagnostics(uri) : [];
  return new Set(found.map(codeOf).filter((code) => code !== undefined));
}
