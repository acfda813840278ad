// The settings that concern the extension itself. All others are the server's.

import { homedir } from "node:os";
import * as vscode from "vscode";
import { minimumOf, type Version } from "./versions.ts";

export const SECTION = "handoff-lsp";

export interface ServerSettings {
  readonly path: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly python: string;
  readonly installFrom: string;
  readonly documents: readonly string[];
}

/** Whether the extension is to do anything here. */
export function isEnabled(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("enable", true);
}

export function serverSettings(): ServerSettings {
  return {
    path: text(setting("server.path")),
    command: texts(setting("server.command")),
    args: texts(setting("server.args")),
    python: text(setting("server.python")),
    installFrom: text(setting("server.installFrom")) || requirement(),
    documents: texts(setting("server.documents")),
  };
}

/** The package to install by default; its version is also the oldest allowed one of a server. */
export function requirement(): string {
  return text(vscode.workspace.getConfiguration(SECTION).inspect("server.installFrom")?.defaultValue);
}

export function oldestServer(): Version {
  return minimumOf(requirement());
}

/** The user's own value, and the workspace's over it only if that is trusted: these settings say what is run. */
function setting(key: string): unknown {
  const config = vscode.workspace.getConfiguration(SECTION);
  if (vscode.workspace.isTrusted) return config.get(key);
  const inspected = config.inspect(key);
  return inspected?.globalValue ?? inspected?.defaultValue;
}

/** The setting that names the server, if one does: a command goes over a path. */
export function namingSetting(): "server.command" | "server.path" {
  return serverSettings().command.length > 0 ? "server.command" : "server.path";
}

/** Whether a setting is the workspace's, so that the user's own value does not count. */
export function isOfWorkspace(key: string): boolean {
  const { workspaceValue, workspaceFolderValue } = vscode.workspace.getConfiguration(SECTION).inspect(key) ?? {};
  return vscode.workspace.isTrusted && (workspaceValue !== undefined || workspaceFolderValue !== undefined);
}

/** A path with the home folder as `~`, for what is shown and copied. */
export function homely(text: string): string {
  const home = homedir();
  const parts = home.length > 1 ? text.split(home) : [text];
  // Not of a longer name that begins in the same way.
  return parts.reduce((told, rest) => told + (/^[\p{L}\p{N}_.-]/u.test(rest) ? home : "~") + rest);
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string" && each !== "") : [];
}
