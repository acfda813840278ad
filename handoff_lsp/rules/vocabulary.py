"""Which values the status of one handoff may have: an agent may use some of those that its contract knows."""

from __future__ import annotations

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.put import nested
from handoff_lsp.contracts.model import Check, Value


def own_values(block: Block) -> list[Value]:
    """The values that the status of this very handoff may have: those of its profile that no check rules out alone."""
    spec, path = block.spec, block.spec.contract.status
    field = spec.field(path)
    if field is None:
        return []
    checks = [check for check in spec.contract.checks.values() if check.at == path and _is_vocabulary(block, check)]
    return [
        value for value in field.offered if not value.deprecated and not _is_ruled_out(block, path, value.value, checks)
    ]


def _is_vocabulary(block: Block, check: Check) -> bool:
    """Whether nothing but the status decides on a check, so that it says which values there are."""
    paths = (path for line in (check.check, check.when) for path in block.spec.paths_in(line))
    names = {path.partition(".")[0] for path in paths}
    status = block.spec.contract.status.split(".")[0]
    others = {*block.spec.fields, *block.spec.contract.companions, "settings"} - {status}
    return not names & others


def _is_ruled_out(block: Block, path: str, value: str, checks: list[Check]) -> bool:
    if not checks:
        return False
    values = block.values_of(block.data_with(nested(path, value)))
    return any((not check.when or values.holds(check.when)) and values.fails(check.check) for check in checks)
