// Versions as `handoff-lsp --version` and Python print them.

export type Version = readonly number[];

/** The first dotted version in a text, such as `0.1.0` of `handoff-lsp 0.1.0`; what follows it (`rc1`) is not kept. */
export function parseVersion(text: string): Version | undefined {
  const found = /(?<![\w.])(\d+(?:\.\d+)+)/.exec(text);
  return found?.[1]?.split(".").map(Number);
}

/** Below zero where `a` is the older one. What is not there counts as zero. */
export function compareVersions(a: Version, b: Version): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function formatVersion(version: Version): string {
  return version.join(".");
}

/** The oldest version that a requirement such as `handoff-lsp>=0.1,<0.2` admits. */
export function minimumOf(requirement: string): Version {
  const found = /[>~=]=\s*([\d.]+)/.exec(requirement);
  return found?.[1] ? found[1].split(".").map(Number) : [0];
}
