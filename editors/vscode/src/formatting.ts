// Formatting, for handoffs alone. A formatter for all Markdown would conflict with the user's own: with two of them,
// VS Code formats nothing on save until one is the default.

import type { Uri } from "vscode";
import {
  DocumentFormattingRequest,
  DocumentRangeFormattingRequest,
  type DynamicFeature,
  type LanguageClient,
  type StaticFeature,
  type TextDocumentRegistrationOptions,
} from "vscode-languageclient/node";

/** Keeps the client from offering the server's formatting for all synchronized documents. */
export const noFormattingForAll: StaticFeature = {
  getState: () => ({ kind: "static" }),
  fillClientCapabilities: () => {},
  preInitialize: (capabilities) => {
    delete capabilities.documentFormattingProvider;
    delete capabilities.documentRangeFormattingProvider;
  },
  initialize: () => {},
  clear: () => {},
};

/** Offers it for each document that was seen to be a handoff, as long as it is one. */
export class Formatting {
  private readonly offered = new Set<string>();
  private readonly features: readonly DynamicFeature<TextDocumentRegistrationOptions>[];

  constructor(client: LanguageClient) {
    this.features = [
      client.getFeature(DocumentFormattingRequest.method),
      client.getFeature(DocumentRangeFormattingRequest.method),
    ];
  }

  follow(uri: Uri, isHandoff: boolean): void {
    const key = uri.toString();
    if (this.offered.has(key) === isHandoff) return;
    if (isHandoff) this.offered.add(key);
    else this.offered.delete(key);
    for (const feature of this.features) {
      const id = `${feature.registrationType.method} ${key}`;
      const documentSelector = [{ scheme: uri.scheme, pattern: uri.fsPath }];
      if (isHandoff) feature.register({ id, registerOptions: { documentSelector } });
      else feature.unregister(id);
    }
  }
}
