// The page of a prompt: what it has its agent write, who reads that, and what is wrong with it.

import * as vscode from "vscode";
import { type Pages, preview } from "./pages.ts";
import type { Server } from "./server.ts";

/** The argument of the lens above a prompt. */
export interface Prompt {
  readonly uri: string;
}

interface Shown {
  readonly markdown: string;
}

/** Shows the page of a prompt beside it. */
export async function showPrompt(server: Server, pages: Pages, { uri }: Prompt): Promise<void> {
  const page = await server.request<Shown | null>("handoff.showPrompt", { uri, quiet: true });
  if (!page) {
    void vscode.window.showInformationMessage("This document says nothing about a contract");
    return;
  }
  const name = vscode.workspace.asRelativePath(vscode.Uri.parse(uri)).replace(/\.md$/, "");
  await preview(pages.write(name, page.markdown));
}
