"""The capabilities that editors declare, from their own sources, cut to the relevant ones.

Neovim's are from ``vim.lsp.protocol.make_client_capabilities()`` of 0.11.4; those of Helix, Zed, Kate, eglot, ALE and
VS Code's client library are from their sources. ``bare`` is a hastily written script or agent, which declares nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

Message = dict[str, Any]

SYMBOL_KINDS = list(range(1, 27))
ITEM_KINDS = list(range(1, 26))
BOTH = ["markdown", "plaintext"]
ACTION_KINDS = ["", "quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source"]
ACTION_KINDS += ["source.organizeImports"]
TOKENS = ["namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter", "variable"]
TOKENS += ["property", "enumMember", "event", "function", "method", "macro", "keyword", "modifier", "comment"]
TOKENS += ["string", "number", "regexp", "operator", "decorator"]
MODIFIERS = ["declaration", "definition", "readonly", "static", "deprecated", "abstract", "async", "modification"]
MODIFIERS += ["documentation", "defaultLibrary"]
RESOURCES = ["create", "rename", "delete"]


class Profile(NamedTuple):
    """A client: its capabilities, its way to name the folder, and the features that the server must offer."""

    capabilities: Message
    encoding: str
    folder: Callable[[Path], Message]
    pull: bool = False
    asks: bool = False  # it answers `workspace/configuration`
    watches: bool = False


def folders(root: Path) -> Message:
    """The folder as clients of today name it, which send the older ways along."""
    return {
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        "rootUri": root.as_uri(),
        "rootPath": str(root),
    }


def root_uri(root: Path) -> Message:
    """The folder as a URI alone."""
    return {"rootUri": root.as_uri(), "rootPath": str(root)}


def root_path(root: Path) -> Message:
    """The folder as a path alone, as before LSP 3."""
    return {"rootPath": str(root)}


def no_folder(_root: Path) -> Message:
    """A file and nothing around it."""
    return {}


VSCODE: Message = {
    "general": {
        "positionEncodings": ["utf-16"],
        "staleRequestSupport": {
            "cancel": True,
            "retryOnContentModified": [
                "textDocument/semanticTokens/full",
                "textDocument/semanticTokens/range",
                "textDocument/semanticTokens/full/delta",
            ],
        },
        "regularExpressions": {"engine": "ECMAScript", "version": "ES2020"},
        "markdown": {"parser": "marked", "version": "1.1.0"},
    },
    "notebookDocument": {"synchronization": {"dynamicRegistration": True, "executionSummarySupport": True}},
    "window": {
        "workDoneProgress": True,
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        "showDocument": {"support": True},
    },
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": RESOURCES,
            "failureHandling": "textOnlyTransactional",
            "normalizesLineEndings": True,
            "changeAnnotationSupport": {"groupsOnLabel": True},
        },
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "symbol": {
            "dynamicRegistration": True,
            "symbolKind": {"valueSet": SYMBOL_KINDS},
            "tagSupport": {"valueSet": [1]},
            "resolveSupport": {"properties": ["location.range"]},
        },
        "executeCommand": {"dynamicRegistration": True},
        "workspaceFolders": True,
        "semanticTokens": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "inlineValue": {"refreshSupport": True},
        "foldingRange": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "fileOperations": {
            "dynamicRegistration": True,
            "didCreate": True,
            "didRename": True,
            "didDelete": True,
            "willCreate": True,
            "willRename": True,
            "willDelete": True,
        },
    },
    "textDocument": {
        "synchronization": {
            "dynamicRegistration": True,
            "willSave": True,
            "willSaveWaitUntil": True,
            "didSave": True,
        },
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": False,
            "tagSupport": {"valueSet": [1, 2]},
            "codeDescriptionSupport": True,
            "dataSupport": True,
        },
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
        "completion": {
            "dynamicRegistration": True,
            "contextSupport": True,
            "insertTextMode": 2,
            "completionItem": {
                "snippetSupport": True,
                "commitCharactersSupport": True,
                "documentationFormat": BOTH,
                "deprecatedSupport": True,
                "preselectSupport": True,
                "tagSupport": {"valueSet": [1]},
                "insertReplaceSupport": True,
                "resolveSupport": {"properties": ["documentation", "detail", "additionalTextEdits"]},
                "insertTextModeSupport": {"valueSet": [1, 2]},
                "labelDetailsSupport": True,
            },
            "completionItemKind": {"valueSet": ITEM_KINDS},
            "completionList": {
                "itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "insertTextMode", "data"]
            },
        },
        "hover": {"dynamicRegistration": True, "contentFormat": BOTH},
        "definition": {"dynamicRegistration": True, "linkSupport": True},
        "references": {"dynamicRegistration": True},
        "documentHighlight": {"dynamicRegistration": True},
        "documentSymbol": {
            "dynamicRegistration": True,
            "symbolKind": {"valueSet": SYMBOL_KINDS},
            "hierarchicalDocumentSymbolSupport": True,
            "tagSupport": {"valueSet": [1]},
            "labelSupport": True,
        },
        "codeAction": {
            "dynamicRegistration": True,
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "honorsChangeAnnotations": True,
            "resolveSupport": {"properties": ["edit"]},
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ACTION_KINDS}},
        },
        "codeLens": {"dynamicRegistration": True},
        "formatting": {"dynamicRegistration": True},
        "rangeFormatting": {"dynamicRegistration": True, "rangesSupport": True},
        "onTypeFormatting": {"dynamicRegistration": True},
        "rename": {
            "dynamicRegistration": True,
            "prepareSupport": True,
            "prepareSupportDefaultBehavior": 1,
            "honorsChangeAnnotations": True,
        },
        "documentLink": {"dynamicRegistration": True, "tooltipSupport": True},
        "foldingRange": {
            "dynamicRegistration": True,
            "rangeLimit": 5000,
            "lineFoldingOnly": True,
            "foldingRangeKind": {"valueSet": ["comment", "imports", "region"]},
            "foldingRange": {"collapsedText": False},
        },
        "selectionRange": {"dynamicRegistration": True},
        "semanticTokens": {
            "dynamicRegistration": True,
            "tokenTypes": TOKENS,
            "tokenModifiers": MODIFIERS,
            "formats": ["relative"],
            "requests": {"range": True, "full": {"delta": True}},
            "multilineTokenSupport": False,
            "overlappingTokenSupport": False,
            "serverCancelSupport": True,
            "augmentsSyntaxTokens": True,
        },
        "inlayHint": {
            "dynamicRegistration": True,
            "resolveSupport": {
                "properties": ["tooltip", "textEdits", "label.tooltip", "label.location", "label.command"]
            },
        },
    },
}

NEOVIM_11: Message = {
    "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
    "window": {
        "workDoneProgress": True,
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        "showDocument": {"support": True},
    },
    "workspace": {
        "symbol": {"dynamicRegistration": False, "symbolKind": {"valueSet": SYMBOL_KINDS}},
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "workspaceFolders": True,
        "applyEdit": True,
        "workspaceEdit": {"resourceOperations": ["rename", "create", "delete"]},
        "inlayHint": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": False, "relativePatternSupport": True},
        "semanticTokens": {"refreshSupport": True},
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "dataSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "diagnostic": {"dynamicRegistration": False, "tagSupport": {"valueSet": [1, 2]}},
        "synchronization": {
            "dynamicRegistration": False,
            "willSave": True,
            "willSaveWaitUntil": True,
            "didSave": True,
        },
        "hover": {"dynamicRegistration": True, "contentFormat": BOTH},
        "definition": {"dynamicRegistration": True, "linkSupport": True},
        "references": {"dynamicRegistration": False},
        "documentHighlight": {"dynamicRegistration": False},
        "documentSymbol": {
            "dynamicRegistration": False,
            "hierarchicalDocumentSymbolSupport": True,
            "symbolKind": {"valueSet": SYMBOL_KINDS},
        },
        "formatting": {"dynamicRegistration": True},
        "rangeFormatting": {"dynamicRegistration": True, "rangesSupport": True},
        "rename": {"dynamicRegistration": True, "prepareSupport": True},
        "inlayHint": {
            "dynamicRegistration": True,
            "resolveSupport": {"properties": ["textEdits", "tooltip", "location", "command"]},
        },
        "semanticTokens": {
            "dynamicRegistration": False,
            "tokenTypes": TOKENS,
            "tokenModifiers": MODIFIERS,
            "formats": ["relative"],
            "requests": {"range": False, "full": {"delta": True}},
            "multilineTokenSupport": False,
            "overlappingTokenSupport": True,
            "serverCancelSupport": False,
            "augmentsSyntaxTokens": True,
        },
        "codeAction": {
            "dynamicRegistration": True,
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ACTION_KINDS}},
        },
        "codeLens": {"dynamicRegistration": False, "resolveSupport": {"properties": ["command"]}},
        "foldingRange": {
            "dynamicRegistration": False,
            "lineFoldingOnly": True,
            "foldingRange": {"collapsedText": True},
            "foldingRangeKind": {"valueSet": ["comment", "imports", "region"]},
        },
        "completion": {
            "dynamicRegistration": False,
            "contextSupport": True,
            "completionItemKind": {"valueSet": ITEM_KINDS},
            "completionItem": {
                "snippetSupport": True,
                "commitCharactersSupport": False,
                "preselectSupport": False,
                "deprecatedSupport": True,
                "documentationFormat": BOTH,
                "tagSupport": {"valueSet": [1]},
                "resolveSupport": {"properties": ["additionalTextEdits", "command"]},
            },
            "completionList": {"itemDefaults": ["editRange", "insertTextFormat", "insertTextMode", "data"]},
        },
    },
}

# Additions in 0.12.
NEOVIM_12 = deepcopy(NEOVIM_11)
NEOVIM_12["workspace"]["codeLens"] = {"refreshSupport": True}
NEOVIM_12["workspace"]["diagnostics"] = {"refreshSupport": True}
NEOVIM_12["textDocument"]["diagnostic"]["dynamicRegistration"] = True
NEOVIM_12["textDocument"]["codeLens"]["dynamicRegistration"] = True
NEOVIM_12["textDocument"]["selectionRange"] = {"dynamicRegistration": False}
NEOVIM_12["textDocument"]["onTypeFormatting"] = {"dynamicRegistration": False}
NEOVIM_12["textDocument"]["documentLink"] = {"dynamicRegistration": True, "tooltipSupport": False}

EMACS: Message = {
    "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
    "window": {"showDocument": {"support": True}, "showMessage": {}, "workDoneProgress": True},
    "workspace": {
        "applyEdit": True,
        "executeCommand": {"dynamicRegistration": False},
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "symbol": {"dynamicRegistration": False},
        "configuration": True,
        "workspaceFolders": True,
    },
    "textDocument": {
        "synchronization": {
            "dynamicRegistration": False,
            "willSave": True,
            "willSaveWaitUntil": True,
            "didSave": True,
        },
        "completion": {
            "dynamicRegistration": False,
            "completionItem": {
                "snippetSupport": False,
                "deprecatedSupport": True,
                "resolveSupport": {"properties": ["documentation", "details", "additionalTextEdits"]},
                "tagSupport": {"valueSet": [1]},
                "insertReplaceSupport": True,
            },
            "contextSupport": True,
        },
        "hover": {"dynamicRegistration": False, "contentFormat": BOTH},
        "references": {"dynamicRegistration": False},
        "definition": {"dynamicRegistration": False, "linkSupport": True},
        "documentSymbol": {
            "dynamicRegistration": False,
            "hierarchicalDocumentSymbolSupport": True,
            "symbolKind": {"valueSet": SYMBOL_KINDS},
        },
        "documentHighlight": {"dynamicRegistration": False},
        "codeAction": {
            "dynamicRegistration": False,
            "resolveSupport": {"properties": ["edit", "command"]},
            "dataSupport": True,
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ACTION_KINDS[1:]}},
            "isPreferredSupport": True,
        },
        "formatting": {"dynamicRegistration": False},
        "rangeFormatting": {"dynamicRegistration": False},
        "rename": {"dynamicRegistration": False},
        "inlayHint": {"dynamicRegistration": False},
        "publishDiagnostics": {
            "relatedInformation": False,
            "codeDescriptionSupport": False,
            "tagSupport": {"valueSet": [1, 2]},
        },
    },
    "experimental": {},
}

HELIX: Message = {
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "workspaceFolders": True,
        "applyEdit": True,
        "symbol": {"dynamicRegistration": False},
        "executeCommand": {"dynamicRegistration": False},
        "inlayHint": {"refreshSupport": False},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": RESOURCES,
            "failureHandling": "abort",
            "normalizesLineEndings": False,
        },
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": False},
        "fileOperations": {"willRename": True, "didRename": True},
    },
    "textDocument": {
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "resolveSupport": {"properties": ["documentation", "detail", "additionalTextEdits"]},
                "insertReplaceSupport": True,
                "deprecatedSupport": True,
                "tagSupport": {"valueSet": [1]},
            },
            "completionItemKind": {},
        },
        "hover": {"contentFormat": ["markdown"]},
        "rename": {"dynamicRegistration": False, "prepareSupport": True, "honorsChangeAnnotations": False},
        "formatting": {"dynamicRegistration": False},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ACTION_KINDS}},
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
        },
        "publishDiagnostics": {"versionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "inlayHint": {"dynamicRegistration": False},
    },
}

ZED: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True, "showMessage": {}},
    "workspace": {
        "configuration": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "workspaceFolders": True,
        "symbol": {},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "workspaceEdit": {
            "resourceOperations": RESOURCES,
            "documentChanges": True,
            "snippetEditSupport": True,
        },
        "fileOperations": {"dynamicRegistration": True, "didRename": True, "willRename": True},
        "applyEdit": True,
        "executeCommand": {"dynamicRegistration": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True, "dynamicRegistration": True},
        "definition": {"linkSupport": True, "dynamicRegistration": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["refactor", "quickfix", "source"]}},
            "dataSupport": True,
            "dynamicRegistration": True,
            "resolveSupport": {
                "properties": ["kind", "diagnostics", "isPreferred", "disabled", "edit", "command"],
            },
        },
        "completion": {
            "dynamicRegistration": True,
            "contextSupport": True,
            "completionItem": {
                "snippetSupport": True,
                "resolveSupport": {"properties": ["additionalTextEdits", "command", "detail", "documentation"]},
                "insertReplaceSupport": True,
                "labelDetailsSupport": True,
                "insertTextModeSupport": {"valueSet": [1, 2]},
                "documentationFormat": BOTH,
            },
            "insertTextMode": 2,
            "completionList": {
                "itemDefaults": ["commitCharacters", "editRange", "insertTextMode", "insertTextFormat", "data"]
            },
        },
        "rename": {"prepareSupport": True, "prepareSupportDefaultBehavior": 1, "dynamicRegistration": True},
        "hover": {"contentFormat": ["markdown"], "dynamicRegistration": True},
        "inlayHint": {
            "resolveSupport": {
                "properties": ["textEdits", "tooltip", "label.tooltip", "label.location", "label.command"]
            },
            "dynamicRegistration": True,
        },
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
            "codeDescriptionSupport": True,
        },
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": True},
        "formatting": {"dynamicRegistration": True},
        "rangeFormatting": {"dynamicRegistration": True},
        "onTypeFormatting": {"dynamicRegistration": True},
        "codeLens": {"dynamicRegistration": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True, "dynamicRegistration": True},
    },
}

KATE: Message = {
    "window": {
        "workDoneProgress": True,
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
    },
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "publishDiagnostics": {"relatedInformation": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}}
        },
        "semanticTokens": {
            "requests": {"range": True, "full": {"delta": True}},
            "tokenTypes": TOKENS,
            "tokenModifiers": [],
            "formats": ["relative"],
        },
        "synchronization": {"didSave": True},
        "selectionRange": {"dynamicRegistration": False},
        "hover": {"contentFormat": BOTH},
        "completion": {
            "completionItem": {
                "snippetSupport": False,
                "resolveSupport": {"properties": ["additionalTextEdits", "documentation"]},
            }
        },
        "inlayHint": {"dynamicRegistration": False},
    },
}

# Vim with ALE: plain text, flat symbols, no literals of code actions, no requests from the server.
ALE: Message = {
    "workspace": {
        "applyEdit": False,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "symbol": {"dynamicRegistration": False},
        "workspaceFolders": False,
        "configuration": False,
    },
    "textDocument": {
        "synchronization": {
            "dynamicRegistration": False,
            "willSave": False,
            "willSaveWaitUntil": False,
            "didSave": True,
        },
        "completion": {
            "dynamicRegistration": False,
            "completionItem": {
                "snippetSupport": False,
                "commitCharactersSupport": False,
                "documentationFormat": ["plaintext"],
                "deprecatedSupport": False,
                "preselectSupport": False,
            },
            "contextSupport": False,
        },
        "hover": {"dynamicRegistration": False, "contentFormat": ["plaintext"]},
        "references": {"dynamicRegistration": False},
        "documentSymbol": {"dynamicRegistration": False, "hierarchicalDocumentSymbolSupport": False},
        "definition": {"dynamicRegistration": False, "linkSupport": False},
        "typeDefinition": {"dynamicRegistration": False},
        "publishDiagnostics": {"relatedInformation": True},
        "codeAction": {"dynamicRegistration": False},
        "rename": {"dynamicRegistration": False},
    },
}

# A coding agent's client: it reads diagnostics, jumps and hovers, and refuses every request.
AGENT: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": False, "workspaceFolders": False},
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "tagSupport": {"valueSet": [1, 2]},
            "versionSupport": False,
            "codeDescriptionSupport": True,
            "dataSupport": False,
        },
        "hover": {"contentFormat": BOTH},
        "definition": {"linkSupport": True},
        "references": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
}

PROFILES = {
    "vscode": Profile(VSCODE, "utf-16", folders, pull=True, asks=True, watches=True),
    "neovim 0.11": Profile(NEOVIM_11, "utf-8", folders, asks=True),
    "neovim 0.12": Profile(NEOVIM_12, "utf-8", folders, pull=True, asks=True),
    "emacs": Profile(EMACS, "utf-32", folders, asks=True, watches=True),
    "helix": Profile(HELIX, "utf-8", folders, asks=True, watches=True),
    "zed": Profile(ZED, "utf-16", folders, pull=True, asks=True, watches=True),
    "kate": Profile(KATE, "utf-16", root_uri),
    "ale": Profile(ALE, "utf-16", root_path),
    "agent": Profile(AGENT, "utf-16", root_uri),
    "bare": Profile({}, "utf-16", no_folder),
}
