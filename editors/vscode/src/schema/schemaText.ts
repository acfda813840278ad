// The text of a schema document. Knows no editor.

import { SCHEMAS } from "./contracts.ts";

const SILENT = { $schema: "http://json-schema.org/draft-07/schema#", $comment: "The handoff-lsp server judges these." };

/** A schema by its path; one that allows everything while the server itself judges. */
export function schemaText(path: string, silent: boolean): string | undefined {
  const schema = SCHEMAS[path.slice(1)];
  return schema && JSON.stringify(silent ? SILENT : schema);
}
