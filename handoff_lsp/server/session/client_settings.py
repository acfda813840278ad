"""What a client has said of its settings so far, and what was done because of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class ClientSettings:
    """The settings of a session, each part in the shape of a config file. Later parts go over earlier ones."""

    initial: Mapping[str, Any] = field(default_factory=dict)  # with ``initialize``
    pushed: Mapping[str, Any] = field(default_factory=dict)  # with ``didChangeConfiguration``
    general: Mapping[str, Any] = field(default_factory=dict)  # asked for, of what is in no folder
    folders: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # asked for, by the URI of a folder
    asked: int = 0  # how often the client was asked
    shown: dict[str, tuple[object, ...]] = field(default_factory=dict)  # by document: under what it was last shown
    to_watch: tuple[str, ...] = ()  # the patterns of files that the client is to tell of
    watched: tuple[str, ...] = ()  # those that are registered
    registering: bool = False  # whether that is being changed
