// A new handoff from a contract, and the Status block of one that lacks it. The texts are the server's.

import * as vscode from "vscode";
import { codeOf } from "./code.ts";
import type { Server } from "./server.ts";

interface Contract {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly profiles: readonly { readonly name: string; readonly about: string; readonly default: boolean }[];
  /** The profile that path and config decide; null where it is the user's choice. */
  readonly profile: string | null;
}

interface Made {
  readonly snippet: string;
  readonly language: string;
}

type Editor = vscode.TextEditor;

/** Puts a new handoff into the active document if it is empty, else into a new one. Asks for what its path leaves open. */
export async function newHandoff(server: Server): Promise<void> {
  const empty = emptyEditor();
  const where = empty && !empty.document.isUntitled ? { uri: empty.document.uri.toString() } : {};
  const contracts = await server.request<Contract[]>("handoff.listContracts", where);
  const contract = "uri" in where && contracts.length === 1 ? contracts[0] : await pickContract(contracts);
  const profile = contract && (contract.profile ?? (await pickProfile(contract)));
  if (!contract || !profile) return;
  const asked = { ...where, contract: contract.name, profile, snippet: true };
  const made = await server.request<Made>("handoff.insertTemplate", asked);
  const fits = empty && (!empty.document.isUntitled || empty.document.languageId === made.language);
  const editor = fits ? await vscode.window.showTextDocument(empty.document) : await untitled(made.language);
  await editor.insertSnippet(new vscode.SnippetString(made.snippet), whole(editor.document));
}

async function pickContract(contracts: readonly Contract[]): Promise<Contract | undefined> {
  const items = contracts.map((contract) => {
    const { title, name, about } = contract;
    return { label: title, description: title === name ? "" : name, detail: about, contract };
  });
  const options = { title: "New Handoff", placeHolder: "Select a contract", matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, { ...options, matchOnDescription: true }))?.contract;
}

async function pickProfile(contract: Contract): Promise<string | undefined> {
  const profiles = [...contract.profiles].sort((a, b) => Number(b.default) - Number(a.default));
  const items = profiles.map(({ name, about, default: usual }) => {
    return { label: name, description: usual ? "default" : "", detail: about };
  });
  const options = { title: `New Handoff: ${contract.title}`, placeHolder: "Select a profile" };
  return (await vscode.window.showQuickPick(items, { ...options, matchOnDetail: true }))?.label;
}

/** The active editor if its document holds nothing but blanks. */
function emptyEditor(): Editor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.getText().trim() === "" ? editor : undefined;
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
