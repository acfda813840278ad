// What differs between operating systems, as functions of the platform: paths, and how a program is started.

import { posix, win32 } from "node:path";

/** A program and the arguments that belong to it, such as `py -3`. */
export type Command = readonly [string, ...string[]];
export type Environment = Readonly<Record<string, string | undefined>>;

/** What `child_process.spawn` is to be given. No shell reads it. */
export interface Spawned {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

const BATCH = /\.(?:cmd|bat)$/i;
const CMD_MEANS = /[()\][%!^"`<>&|;, *?]/g;

export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === "win32" ? win32 : posix;
}

/** Where a virtual environment has a program; whether it is there is not looked at. */
export function inVenv(venv: string, name: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? win32.join(venv, "Scripts", `${name}.exe`) : posix.join(venv, "bin", name);
}

/** A setting's path with `~`, `${userHome}` and `${workspaceFolder}`; without a folder the latter stays as it is. */
export function expandPath(text: string, home: string, folder: string | undefined): string {
  return text
    .replace(/^~(?=$|[\\/])/, () => home)
    .replaceAll("${userHome}", () => home)
    .replaceAll("${workspaceFolder}", () => folder ?? "${workspaceFolder}");
}

/** Whether a path is a folder or in it. */
export function isInside(path: string, folder: string, platform: NodeJS.Platform): boolean {
  const paths = pathsOf(platform);
  const way = paths.relative(folder, path);
  return !(way === ".." || way.startsWith(`..${paths.sep}`) || paths.isAbsolute(way));
}

/** What decides whether a file may be run. */
export interface Ground {
  readonly platform: NodeJS.Platform;
  /** The open folders. */
  readonly folders: readonly string[];
  /** Whether the workspace is trusted. If not, nothing in it is run, nor what something in it names. */
  readonly trusted: boolean;
  /** Where a path leads when all links are followed. */
  readonly real: (path: string) => string;
}

/** Whether a file may be run: any one where the workspace is trusted, else only what is not in it, by whatever link. */
export function mayRun(at: Ground, file: string): boolean {
  const paths = pathsOf(at.platform);
  const places = [file, at.real(file), paths.join(at.real(paths.dirname(file)), paths.basename(file))];
  const folders = at.folders.flatMap((folder) => [folder, at.real(folder)]);
  return at.trusted || !folders.some((folder) => places.some((place) => isInside(place, folder, at.platform)));
}

/** Where a program that a setting names is looked for. */
export interface Machine extends Ground {
  readonly env: Environment;
  readonly home: string;
  readonly isFile: (path: string) => boolean;
}

export const UNTRUSTED = "the workspace is not trusted, so its programs are not used";

/** The program that a setting names, by its path or by its name on PATH; if it cannot be used, why. */
export function named(program: string, at: Machine): { readonly file: string; readonly problem?: string } {
  const [folder] = at.trusted ? at.folders : [];
  const paths = pathsOf(at.platform);
  const file = expandPath(program, at.home, folder);
  const isName = !file.includes("/") && !(at.platform === "win32" && file.includes("\\"));
  let full: string | undefined = file;
  if (isName) full = onPath(file, at.env, at.platform).find((each) => at.isFile(each) && mayRun(at, each));
  else if (!paths.isAbsolute(file)) full = folder && paths.join(folder, file);
  if (full === undefined || (!isName && !at.isFile(full)))
    return { file, problem: isName ? "not on PATH" : "no such file" };
  return mayRun(at, full) ? { file: full } : { file: full, problem: UNTRUSTED };
}

/**
 * The files that a name may mean on PATH, in order. Windows' habit of looking into the current folder is not followed:
 * it would let a workspace put a program of its own in the way.
 */
export function onPath(name: string, env: Environment, platform: NodeJS.Platform): string[] {
  const paths = pathsOf(platform);
  const endings = platform === "win32" && !/\.(?:exe|cmd|bat)$/i.test(name) ? [".exe", ".cmd", ".bat"] : [""];
  return pathFolders(env, platform).flatMap((folder) => endings.map((ending) => paths.join(folder, name + ending)));
}

/** The folders of PATH. Relative ones are left out: they would let a workspace put a program of its own in the way. */
export function pathFolders(env: Environment, platform: NodeJS.Platform): string[] {
  const paths = pathsOf(platform);
  // Windows calls it `Path`, and a copy of process.env minds the case.
  const key = Object.keys(env).find((each) => (platform === "win32" ? each.toUpperCase() : each) === "PATH");
  const folders = ((key && env[key]) || "").split(paths.delimiter).map((each) => each.replace(/^"(.*)"$/, "$1"));
  return folders.filter((folder) => paths.isAbsolute(folder));
}

/** How a command is started. Windows starts no batch file without cmd.exe, which reads its line in its own way. */
export function spawned(
  command: Command,
  args: readonly string[],
  env: Environment,
  platform: NodeJS.Platform,
): Spawned {
  const [file, ...first] = command;
  const all = [...first, ...args];
  if (platform !== "win32" || !BATCH.test(file)) return { file, args: all, verbatim: false };
  const line = [win32.normalize(file).replace(CMD_MEANS, "^$&"), ...all.map(forCmd)].join(" ");
  return { file: env.ComSpec ?? env.COMSPEC ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/** An argument in quotes as programs read them (backslashes count only before a quote), kept whole through cmd.exe. */
function forCmd(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
  return quoted.replace(CMD_MEANS, "^$&");
}
