"""The settings that a client has sent so far, and the files that it was asked to watch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from handoff_lsp.text.lazy_dataclass import lazy_dataclass


@lazy_dataclass
class ClientSettings:
    """The settings of a session, each part in the shape of a config file. Later parts go over earlier ones."""

    initial: Mapping[str, Any] = field(default_factory=dict)  # with ``initialize``
    pushed: Mapping[str, Any] = field(default_factory=dict)  # with ``didChangeConfiguration``
    general: Mapping[str, Any] = field(default_factory=dict)  # requested, for files in no folder
    folders: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # requested, by the URI of a folder
    asked: int = 0  # the number of requests to the client
    shown: dict[str, tuple[object, ...]] = field(
        default_factory=dict
    )  # by document: the settings it was last shown under
    to_watch: tuple[str, ...] = ()  # the patterns of files for the client to watch
    watched: tuple[str, ...] = ()  # those that it was last asked to watch
    watching: bool = False  # whether it has accepted that
    registering: bool = False  # whether the registration is being changed
    initialized: bool = False  # whether `initialized` has come
