// As much of VS Code as unit tests need. Tests put in what they are about.

export interface Values {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
}

const settings = new Map<string, Values>();

export const workspace = {
  isTrusted: true,
  onDidChangeConfiguration: () => ({ dispose: () => {} }),
  getConfiguration: (section: string) => ({
    inspect: (key: string) => settings.get(`${section}.${key}`),
    get: (key: string, otherwise?: unknown) => {
      const { workspaceValue, globalValue, defaultValue } = settings.get(`${section}.${key}`) ?? {};
      return workspaceValue ?? globalValue ?? defaultValue ?? otherwise;
    },
  }),
};

export function set(values: Record<string, Values>, trusted = true): void {
  settings.clear();
  for (const [key, value] of Object.entries(values)) settings.set(key, value);
  workspace.isTrusted = trusted;
}

/** The other extensions that there are, by their id. */
export const extensions = {
  installed: {} as Record<string, { activate(): Promise<unknown> }>,
  getExtension: (id: string) => extensions.installed[id],
};

/** The lines of output channels. As in VS Code a channel that was disposed of throws. */
export const shown: string[] = [];

export const window = {
  createOutputChannel: () => {
    let closed = false;
    return {
      appendLine: (line: string) => {
        if (closed) throw new Error("Channel has been closed");
        shown.push(line);
      },
      dispose: () => {
        closed = true;
      },
    };
  },
};

export class EventEmitter {
  readonly event = () => ({ dispose: () => {} });
  fire(): void {}
  dispose(): void {}
}
