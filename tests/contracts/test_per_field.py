"""Values computed once for each field."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.contracts.build import build_contract
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.store import Workspace

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"


def test_it_is_worked_out_once_for_each_object_and_not_for_what_it_says() -> None:
    asked: list[Field] = []
    length = once_per_field(lambda field: asked.append(field) or len(field.title))
    one, same = Field(title="Status"), Field(title="Status")
    assert (length(one), length(one), length(same)) == (6, 6, 6)
    assert [id(field) for field in asked] == [id(one), id(same)]


def test_a_part_takes_its_values_along() -> None:
    """A contract that is saved again and again is built anew each time."""
    titled = once_per_field(lambda field: [field])
    field = Field(title="Status")
    assert titled(field)[0] is field
    there = weakref.ref(field)
    del field
    gc.collect()
    assert there() is None


def test_an_earlier_state_of_a_contract_is_not_kept(tmp_path: Path) -> None:
    plan = (GALLERY / "plan.yaml").read_text(encoding="utf-8")
    cases = read_case_file((GALLERY / "plan.cases.md").read_text(encoding="utf-8"), "plan", "plan")[0]
    (tmp_path / ".git").mkdir()
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["*.yaml"]\n', encoding="utf-8")
    workspace, path = Workspace(Resolver()), tmp_path / "tasks.md"
    document = workspace.open(path.as_uri(), path, 1, cases[0].text)
    specs = []
    for number in range(5):
        (tmp_path / "plan.yaml").write_text(plan.replace("about: ", f"about: {number} ", 1), encoding="utf-8")
        workspace.disk_changed()
        (handoff,) = document.analysis(workspace.resolver, workspace.files).handoffs
        specs.append(weakref.ref(handoff.spec))
    del handoff
    gc.collect()
    assert [spec() is not None for spec in specs] == [False] * 4 + [True]


def test_a_field_without_a_title_has_its_name_at_any_depth() -> None:
    inner = {"verdict": {"type": "enum"}, "note": {"title": "Remark"}}
    fields = {"status": {}, "abstract": {"type": "object", "fields": inner}}
    about = {"contract": "a", "title": "A", "about": "a", "status": "status", "unread": "a", "default_profile": "p"}
    contract = build_contract({**about, "profiles": {"p": {}}, "fields": fields})
    assert contract.fields["status"].title == "status"
    assert [child.title for child in contract.fields["abstract"].fields.values()] == ["verdict", "Remark"]
