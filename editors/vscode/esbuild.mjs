// Bundles the extension, its tests, or the package: `node esbuild.mjs [--tests | --package]`.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const shared = { absWorkingDir: here, bundle: true, platform: "node", target: "node20", logLevel: "warning" };
/** The bytes that a package may have. */
const MOST = 1_000_000;
process.chdir(here);

/** The extension in one file. VS Code 1.91 runs it with Node 20; source maps are for who debugs it here. */
async function extension(minify) {
  const entryPoints = ["src/extension.ts"];
  const options = { format: "cjs", external: ["vscode"], outfile: "dist/extension.cjs", minify, sourcemap: !minify };
  await build({ ...shared, entryPoints, ...options, conditions: ["node"] });
}

/** Each test file by itself, with what it imports of the extension. */
async function tests() {
  rmSync(join(dist, "test"), { recursive: true, force: true });
  const entryPoints = ["test/*.test.ts"];
  const options = {
    format: "esm",
    outdir: "dist/test",
    outExtension: { ".js": ".mjs" },
    alias: { vscode: "./test/vscode.ts" },
  };
  await build({ ...shared, entryPoints, ...options, sourcemap: "inline" });
}

/** dist/handoff-lsp.vsix, with the licence of the whole project. */
function vsix() {
  copyFileSync("../../LICENSE", "LICENSE");
  try {
    const vsce = join(dirname(createRequire(import.meta.url).resolve("@vscode/vsce/package.json")), "vsce");
    const options = [
      "--no-dependencies",
      "--allow-missing-repository",
      "--skip-license",
      "--no-rewrite-relative-links",
    ];
    execFileSync(process.execPath, [vsce, "package", ...options, "--out", "dist/handoff-lsp.vsix"], {
      stdio: "inherit",
    });
  } finally {
    rmSync("LICENSE");
  }
  const { size } = statSync("dist/handoff-lsp.vsix");
  if (size > MOST) throw new Error(`the package has ${size} bytes, and ${MOST} are the limit`);
}

mkdirSync(dist, { recursive: true });
const what = process.argv[2] ?? "";
if (what === "--tests") await tests();
else await extension(what === "--package");
if (what === "--package") vsix();
