"""Edits of documents and files, in the shape that the client takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from lsprotocol import types

from handoff_lsp.server.session.session import Session

TextEdit = types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit
DocumentChange = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile

# Behind the id of an annotation: its edits need a confirmation.
_DOUBTFUL = "?"


def workspace_edit(
    session: Session, texts: Sequence[tuple[str, Sequence[TextEdit]]], then: Sequence[DocumentChange] = ()
) -> types.WorkspaceEdit:
    """The edits of documents by their URIs, with the versions of open ones, and the file operations after them.

    A client without document changes gets neither snippets nor file operations.
    """
    if not session.client.document_changes:
        return types.WorkspaceEdit(changes={uri: cast("list[types.TextEdit]", list(edits)) for uri, edits in texts})
    changes: list[DocumentChange] = [_edited(uri, edits, _version(session, uri)) for uri, edits in texts]
    return types.WorkspaceEdit(document_changes=[*changes, *then], change_annotations=_annotations(texts))


def annotated(edit: types.TextEdit, group: str, *, doubtful: bool) -> types.AnnotatedTextEdit:
    """An edit in a group of a preview. A doubtful one is made only if the user confirms it."""
    return types.AnnotatedTextEdit(f"{group}{_DOUBTFUL if doubtful else ''}", edit.range, edit.new_text)


def _annotations(texts: Sequence[tuple[str, Sequence[TextEdit]]]) -> dict[str, types.ChangeAnnotation] | None:
    named = [edit.annotation_id for _, edits in texts for edit in edits if isinstance(edit, types.AnnotatedTextEdit)]
    return {
        name: types.ChangeAnnotation(
            name.removesuffix(_DOUBTFUL),
            needs_confirmation=name.endswith(_DOUBTFUL),
            description="may mean something else" if name.endswith(_DOUBTFUL) else None,
        )
        for name in dict.fromkeys(named)
    } or None


def creation(uri: str, text: str, *, overwrite: bool = False) -> list[DocumentChange]:
    """A new file with a text. An existing one stays as it is, unless it may be overwritten."""
    start = types.Position(0, 0)
    options = types.CreateFileOptions(overwrite=True) if overwrite else None
    filled = _edited(uri, [types.TextEdit(types.Range(start, start), text)], None)
    return [types.CreateFile(uri, options=options), filled]


def _edited(uri: str, edits: Sequence[TextEdit], version: int | None) -> types.TextDocumentEdit:
    return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(edits))


def _version(session: Session, uri: str) -> int | None:
    document = session.documents.get(uri)
    return document.version if document is not None else None
