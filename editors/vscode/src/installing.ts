// Installing the server as the user sees it: progress that can be cancelled, the log, the reason of a failure, and another try.

import * as vscode from "vscode";
import { InstallError, install, noPython } from "./install.ts";
import { expandPath } from "./platform.ts";
import { findPython } from "./python.ts";
import { run } from "./run.ts";
import type { Session } from "./session.ts";
import { homely, isOfWorkspace, oldestServer, requirement, SECTION, serverSettings } from "./settings.ts";
import { formatVersion } from "./versions.ts";

/** Installs or upgrades the server and starts it; whether that worked. */
export async function installServer(session: Session): Promise<boolean> {
  for (;;) {
    try {
      const version = await withProgress(session);
      await session.restart();
      const chosen =
        session.found && session.found.place !== "managed"
          ? ` The one in use is ${homely(session.found.command.join(" "))}.`
          : "";
      void vscode.window.showInformationMessage(`Handoff: server ${formatVersion(version)} is installed.${chosen}`);
      return true;
    } catch (error) {
      session.log.error(String(error));
      if (!(error instanceof InstallError)) throw error;
      if (error.message === "cancelled" || !(await again(session, error))) return false;
    }
  }
}

async function withProgress(session: Session) {
  const options = { location: vscode.ProgressLocation.Notification, title: "Handoff", cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const aborted = new AbortController();
    token.onCancellationRequested(() => aborted.abort());
    progress.report({ message: "Looking for Python" });
    const { python, tried } = await findPython(session.surroundings(), run, session.cwd);
    if (!python) throw noPython(tried);
    const { home, folders, trusted } = session.surroundings();
    const from = serverSettings().installFrom;
    const wheel = from === requirement() ? session.packed : undefined;
    const done = await install(
      {
        python,
        from: wheel ?? expandPath(from, home, trusted ? folders[0] : undefined),
        minimum: oldestServer(),
        storage: session.storage,
        signal: aborted.signal,
        onStep: (message) => progress.report({ message: homely(message) }),
        onLine: (line) => session.log.info(line),
      },
      run,
    );
    return done.version;
  });
}

/** Asks what to do about a failure; whether to try once more. */
async function again(session: Session, error: InstallError): Promise<boolean> {
  const text = `Handoff: the server was not installed. ${homely(error.message)}`;
  // What is chosen becomes the user's own setting, which the workspace's goes over.
  const choose = isOfWorkspace("server.python") ? [] : ["Choose Python…"];
  const choice = await vscode.window.showErrorMessage(text, "Retry", ...choose, "Show Log");
  if (choice === "Show Log") session.log.show();
  if (choice !== "Choose Python…") return choice === "Retry";
  const title = "A Python to install the server with";
  const [chosen] = (await vscode.window.showOpenDialog({ title, openLabel: "Use", canSelectMany: false })) ?? [];
  if (!chosen) return false;
  const settings = vscode.workspace.getConfiguration(SECTION);
  await settings.update("server.python", chosen.fsPath, vscode.ConfigurationTarget.Global);
  return true;
}
