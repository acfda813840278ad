"""A session over stdio with the client of each profile, with a fixed seed: no law is broken."""

from __future__ import annotations

import pytest
from server.profiles import PROFILES

from fuzz.run import documents
from fuzz.wire import Wire


@pytest.mark.parametrize("profile", PROFILES)
def test_a_session_of_each_client(profile: str) -> None:
    wire = Wire(documents(), seed=20)
    assert [breach.law for breach in wire.session(profile)] == []
    assert wire.requests > 60 and wire.answers > 10
