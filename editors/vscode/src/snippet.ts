// A new handoff as a snippet of VS Code: what is to be filled in becomes a tab stop.

const TO_FILL = /<(?!!)[^<>\n]+>/g;

/** The text with tab stops that keep the brackets: what is passed over stays marked as unfilled, and is told of. */
export function asSnippet(text: string): string {
  let number = 0;
  let at = 0;
  let snippet = "";
  for (const found of text.matchAll(TO_FILL)) {
    number += 1;
    snippet += `${escaped(text.slice(at, found.index))}\${${number}:${escaped(found[0])}}`;
    at = found.index + found[0].length;
  }
  return snippet + escaped(text.slice(at));
}

function escaped(text: string): string {
  return text.replace(/[\\$}]/g, "\\$&");
}
