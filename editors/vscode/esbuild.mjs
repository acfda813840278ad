// Bundles the extension, its tests, or the package: `node esbuild.mjs [--tests | --package]`.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const shared = { absWorkingDir: here, bundle: true, platform: "node", target: "node20", logLevel: "warning" };
/** The bytes that a package may have: it brings the whole server, with all its commands. */
const MOST = 1_600_000;
process.chdir(here);

/** The extension in one file. VS Code 1.91 runs it with Node 20; source maps are for who debugs it here. */
async function extension(minify) {
  const entryPoints = ["src/extension.ts"];
  const options = { format: "cjs", external: ["vscode"], outfile: "dist/extension.cjs", minify, sourcemap: !minify };
  const { metafile } = await build({ ...shared, entryPoints, ...options, conditions: ["node"], metafile: true });
  writeFileSync("dist/ThirdPartyNotices.txt", notices(Object.keys(metafile.inputs)));
}

/** The licences of the packages that files of the bundle are from, and what these packages tell of others. */
function notices(inputs) {
  const packages = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const told = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|thirdpartynotices)\b/i.test(file));
    if (!files.some((file) => /^licen/i.test(file))) throw new Error(`${name} has no licence to be packed with it`);
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  return `${["The extension holds parts of these packages.", ...told].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
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
    const options = ["--no-dependencies", "--skip-license", "--no-rewrite-relative-links"];
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
