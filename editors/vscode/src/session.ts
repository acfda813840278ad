// The life of the language server: it is looked for, started, watched, started again, stopped. One thing at a time.

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import {
  type CodeAction,
  CodeActionResolveRequest,
  ExecuteCommandRequest,
  type LanguageClient,
  TextDocumentEdit,
} from "vscode-languageclient/node";
import { makeClient } from "./client.ts";
import { Crashes } from "./crashes.ts";
import { type Attempt, discover, type Found, namedServer, type Surroundings } from "./discovery.ts";
import { Formatting } from "./formatting.ts";
import { packed, Storage } from "./install.ts";
import type { PythonSurroundings } from "./python.ts";
import { interpreters } from "./pythonExtension.ts";
import { end, ended, type Run, run } from "./run.ts";
import type { Server, ServerState } from "./server.ts";
import { isEnabled, oldestServer, serverSettings } from "./settings.ts";
import { formatVersion } from "./versions.ts";

/** How long a server may take to start. */
const PATIENCE = 60_000;
/** The time (ms) for a server to end after a request to stop. */
const FAREWELL = 2000;

export class Session implements Server, vscode.Disposable {
  readonly storage: Storage;
  /** What was last looked at to find the server, in order. */
  attempts: readonly Attempt[] = [];
  /** The server that runs, or did last. */
  found: Found["server"];

  private readonly states = new vscode.EventEmitter<ServerState>();
  private readonly handoffs = new vscode.EventEmitter<void>();
  private readonly crashes = new Crashes();
  private current: ServerState = "none";
  private client: LanguageClient | undefined;
  private formatting: Formatting | undefined;
  private process: ChildProcessWithoutNullStreams | undefined;
  private waiting: Promise<void> = Promise.resolve();
  private pause: NodeJS.Timeout | undefined;
  private starting: AbortController | undefined;
  private why = "";

  readonly onDidChangeState = this.states.event;
  readonly onDidChangeHandoffs = this.handoffs.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
    private readonly trace: vscode.LogOutputChannel,
  ) {
    mkdirSync(this.cwd, { recursive: true });
    this.storage = new Storage(join(this.cwd, "servers"));
  }

  get state(): ServerState {
    return this.current;
  }

  /** Why it failed: the rest of a sentence about the server. */
  get failure(): string {
    return this.why;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Starts the server if it does not run and is wanted. Resolves when that is settled, whatever came of it. */
  start(): Promise<void> {
    return this.next(() => this.open());
  }

  /** Looks for the server anew and starts it. Who asks for that gives it all its chances again; a start under way ends. */
  restart(): Promise<void> {
    this.crashes.forget();
    this.starting?.abort();
    return this.next(async () => {
      await this.close();
      await this.open();
    });
  }

  stop(): Promise<void> {
    this.starting?.abort();
    return this.next(async () => {
      await this.close();
      this.become("none");
    });
  }

  /** Resolves when what was asked for so far is done. */
  settled(): Promise<void> {
    return this.waiting;
  }

  async request<Answer>(command: string, ...given: readonly unknown[]): Promise<Answer> {
    if (!this.client || this.current !== "running") throw new Error("The handoff-lsp server does not run.");
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [...given] });
  }

  /** Applies a code action; false if a document has changed since it was made. */
  async apply(action: CodeAction): Promise<boolean> {
    if (!this.client) return false;
    const { edit } = action.edit ? action : await this.client.sendRequest(CodeActionResolveRequest.type, action);
    const changes = edit?.documentChanges?.filter((each) => TextDocumentEdit.is(each)) ?? [];
    const versions = new Map(vscode.workspace.textDocuments.map(({ uri, version }) => [uri.toString(), version]));
    const isOld = ({ textDocument: { uri, version } }: TextDocumentEdit) =>
      version !== null && version !== (versions.get(vscode.Uri.parse(uri).toString()) ?? version);
    if (!edit || changes.some(isOld)) return false;
    return vscode.workspace.applyEdit(await this.client.protocol2CodeConverter.asWorkspaceEdit(edit));
  }

  /** Notes what a document was seen to be. */
  follow(uri: vscode.Uri, isHandoff: boolean): void {
    if (this.current === "running") this.formatting?.follow(uri, isHandoff);
  }

  /** What discovery looks at, and the search for a Python. */
  surroundings(): Surroundings & PythonSurroundings {
    const settings = serverSettings();
    return {
      platform: process.platform,
      env: process.env,
      home: homedir(),
      folders: (vscode.workspace.workspaceFolders ?? [])
        .filter((folder) => folder.uri.scheme === "file")
        .map((folder) => folder.uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      path: settings.path,
      command: settings.command,
      chosen: settings.python,
      interpreters,
      managed: this.storage.python(),
      isFile,
      real,
    };
  }

  /** The wheel of the server that this extension was packed with. */
  get packed(): string | undefined {
    return packed(this.context.extensionPath);
  }

  /** A folder of our own, in which programs run. */
  get cwd(): string {
    return this.context.globalStorageUri.fsPath;
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.states.dispose();
    this.handoffs.dispose();
  }

  private next(action: () => Promise<void>): Promise<void> {
    clearTimeout(this.pause);
    this.waiting = this.waiting.then(action).catch((error) => {
      this.log.error(error);
      if (this.current === "starting") this.fail("did not start"); // Nothing goes on with it.
    });
    return this.waiting;
  }

  private async open(): Promise<void> {
    if (this.client) return;
    if (!isEnabled()) {
      this.become("none");
      return;
    }
    this.become("starting");
    this.starting = new AbortController();
    const { signal } = this.starting;
    const ask: Run = (command, args, options) => run(command, args, { ...options, signal });
    const { server, attempts } = await discover(this.surroundings(), oldestServer(), ask, this.cwd);
    if (signal.aborted) return; // What ended it goes on.
    this.attempts = attempts;
    this.found = server;
    for (const { place, outcome, command, says } of attempts) {
      this.log.info(`${place}: ${outcome}${command ? ` (${command.join(" ")})` : ""}: ${says}`);
    }
    if (server) await this.run(server, signal);
    else if (attempts.some((attempt) => attempt.outcome === "untrusted")) this.become("untrusted");
    else this.become(namedServer(attempts) ? "unusable" : "missing");
  }

  private async run({ command, version }: NonNullable<Found["server"]>, signal: AbortSignal): Promise<void> {
    this.log.info(`Starting ${command.join(" ")} (${formatVersion(version)})`);
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const onGone = () => {
      this.onGone(client);
      leave(); // The client's own start may never settle.
    };
    const client = makeClient(command, {
      context: this.context,
      log: this.log,
      trace: this.trace,
      cwd: this.cwd,
      onProcess: (child) => {
        this.process = child;
        child.once("close", onGone); // After write errors the client stops without a call of its handler.
      },
      onGone,
    });
    this.client = client;
    this.formatting = new Formatting(client);
    client.onNotification("handoff/didChangeHandoffs", () => this.handoffs.fire());
    signal.addEventListener("abort", () => leave());
    const timer = setTimeout(() => {
      this.log.error(`The server did not answer within ${PATIENCE / 1000} s of its start.`);
      if (this.drop(client)) this.fail("did not answer within a minute of its start");
      leave();
    }, PATIENCE);
    try {
      await Promise.race([client.start(), left]);
    } catch (error) {
      this.log.error("The server did not start.", String(error));
      onGone();
      return;
    } finally {
      clearTimeout(timer);
    }
    if (this.client === client && !signal.aborted) this.become("running");
  }

  /** The server has ended by itself: again after a pause, or not any more. */
  private onGone(client: LanguageClient): void {
    if (!this.drop(client)) return;
    const pause = this.crashes.next(Date.now());
    if (pause === undefined) {
      this.log.error(`The server ended by itself ${this.crashes.count} times and is not started again.`);
      this.fail("keeps crashing and was not restarted");
      return;
    }
    this.become("starting");
    this.log.warn(`The server ended by itself. It is started again in ${pause} ms.`);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.start(), pause);
  }

  /** Lets go of a client and ends its server; false if it is not the one in use. */
  private drop(client: LanguageClient): boolean {
    if (this.client !== client) return false;
    if (this.process) end(this.process);
    this.client = this.process = undefined;
    setImmediate(() => void client.dispose().catch(() => {})); // It is still reporting this.
    return true;
  }

  private async close(): Promise<void> {
    clearTimeout(this.pause);
    const { client, process } = this;
    const patience = client?.isRunning() ? FAREWELL : 0; // One that only starts cannot be asked to stop.
    this.client = undefined; // From now on its end is no crash.
    this.process = undefined;
    try {
      if (client?.isRunning()) await client.stop(FAREWELL);
    } catch (error) {
      this.log.warn(`The server was not stopped in order: ${error}`);
    }
    if (process) await ended(process, patience);
    void client?.dispose().catch(() => {});
  }

  private fail(why: string): void {
    this.why = why;
    this.become("failed");
  }

  private become(state: ServerState): void {
    if (state === this.current) return;
    this.current = state;
    this.states.fire(state);
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
