// The rule that a diagnostic names. Knows no editor.

/** A code is there as it is, or with a link to its page. */
export function codeOf({ code }: { readonly code?: unknown }): string | undefined {
  const value = typeof code === "object" && code !== null && "value" in code ? code.value : code;
  return value === undefined ? undefined : String(value);
}
