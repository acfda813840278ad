"""Values computed once for each field."""

from __future__ import annotations

import pytest

from handoff_lsp.contracts import per_field
from handoff_lsp.contracts.build import build_contract
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.per_field import once_per_field


def test_it_is_worked_out_once_for_each_object_and_not_for_what_it_says() -> None:
    asked: list[Field] = []
    length = once_per_field(lambda field: asked.append(field) or len(field.title))
    one, same = Field(title="Status"), Field(title="Status")
    assert (length(one), length(one), length(same)) == (6, 6, 6)
    assert [id(field) for field in asked] == [id(one), id(same)]


def test_no_more_than_so_many_fields_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(per_field, "_MOST", 2)
    asked: list[str] = []
    title = once_per_field(lambda field: asked.append(field.title) or field.title)
    fields = [Field(title=name) for name in "abc"]
    assert [title(field) for field in (*fields, fields[0])] == ["a", "b", "c", "a"]
    assert asked == ["a", "b", "c", "a"]


def test_a_field_without_a_title_has_its_name_at_any_depth() -> None:
    inner = {"verdict": {"type": "enum"}, "note": {"title": "Remark"}}
    fields = {"status": {}, "abstract": {"type": "object", "fields": inner}}
    about = {"contract": "a", "title": "A", "about": "a", "status": "status", "unread": "a", "default_profile": "p"}
    contract = build_contract({**about, "profiles": {"p": {}}, "fields": fields})
    assert contract.fields["status"].title == "status"
    assert [child.title for child in contract.fields["abstract"].fields.values()] == ["verdict", "Remark"]
