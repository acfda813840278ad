// A new handoff from a contract, and the Status block of one that lacks it. The texts are the server's.

import * as vscode from "vscode";
import { codeOf } from "./code.ts";
import type { Server } from "./server.ts";
import { asSnippet } from "./snippet.ts";

interface Contract {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly profiles: readonly { readonly name: string; readonly about: string; readonly default: boolean }[];
}

interface Made {
  readonly text: string;
  readonly language: string;
}

type Editor = vscode.TextEditor;

/** Asks for contract and profile, and puts the handoff into the open document if that is an empty one, else a new one. */
export async function newHandoff(server: Server): Promise<void> {
  const contract = await pickContract(server);
  const profile = contract && (await pickProfile(contract));
  if (!contract || !profile) return;
  const made = await server.request<Made>("handoff.insertTemplate", { contract: contract.name, profile });
  const editor = emptyEditor(made.language) ?? (await untitled(made.language));
  await editor.insertSnippet(new vscode.SnippetString(asSnippet(made.text)), whole(editor.document));
}

/** Those that the workspace has handoffs of come first, the most used one before all. */
async function pickContract(server: Server): Promise<Contract | undefined> {
  const uses = new Map<string, number>();
  for (const { contract } of await server.request<{ contract: string }[]>("handoff.listHandoffs")) {
    uses.set(contract, (uses.get(contract) ?? 0) + 1);
  }
  const contracts = await server.request<Contract[]>("handoff.listContracts");
  contracts.sort((a, b) => (uses.get(b.name) ?? 0) - (uses.get(a.name) ?? 0));
  const items = contracts.map((contract) => {
    const { title, name, about } = contract;
    return { label: title, description: title === name ? "" : name, detail: about, contract };
  });
  const options = { title: "New Handoff", placeHolder: "Select a contract", matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, { ...options, matchOnDescription: true }))?.contract;
}

async function pickProfile(contract: Contract): Promise<string | undefined> {
  const profiles = [...contract.profiles].sort((a, b) => Number(b.default) - Number(a.default));
  if (profiles.length < 2) return profiles[0]?.name;
  const items = profiles.map(({ name, about, default: usual }) => {
    return { label: name, description: usual ? "default" : "", detail: about };
  });
  const options = { title: `New Handoff: ${contract.title}`, placeHolder: "Select a profile" };
  return (await vscode.window.showQuickPick(items, { ...options, matchOnDetail: true }))?.label;
}

/** The active editor if its document is of this language and holds nothing but blanks. */
function emptyEditor(language: string): Editor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.languageId === language && editor.document.getText().trim() === "" ? editor : undefined;
}

async function untitled(language: string): Promise<Editor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language }));
}

function whole(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
}

/** Inserts the Status block: by the quick fix of a handoff that lacks one, else whatever a handoff lacks here. */
export async function insertStatus(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { document, selection } = editor;
  const missing = vscode.languages.getDiagnostics(document.uri).filter((each) => codeOf(each) === "missing-status");
  const near = missing.sort((a, b) => distance(a, selection.active) - distance(b, selection.active))[0];
  if (near && (await applyFix(document, near))) return;
  const position = { line: selection.active.line, character: selection.active.character };
  await server.request("handoff.insertTemplate", { uri: document.uri.toString(), position });
}

function distance(diagnostic: vscode.Diagnostic, position: vscode.Position): number {
  return Math.abs(diagnostic.range.start.line - position.line);
}

async function applyFix(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): Promise<boolean> {
  const kind = vscode.CodeActionKind.QuickFix.value;
  const command = "vscode.executeCodeActionProvider";
  const offered = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    command,
    document.uri,
    diagnostic.range,
    kind,
    10,
  );
  const fixes = offered.filter(
    (each) => each.edit && each.diagnostics?.some((fixed) => codeOf(fixed) === "missing-status"),
  );
  const fix = fixes.find((each) => each.isPreferred) ?? fixes[0];
  return fix?.edit ? vscode.workspace.applyEdit(fix.edit) : false;
}
