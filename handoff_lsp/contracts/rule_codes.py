"""The codes of rules that contracts may name: the rules themselves are on a floor above (a test compares them)."""

from __future__ import annotations

# Rules that report the checks of contracts.
CHECK_RULES = (
    "contradiction",
    "count-mismatch",
    "file-disagreement",
    "invalid-format",
    "missing-conditional-field",
    "missing-mention",
    "placeholder-left",
    "time-order",
)
# Those whose severity a field may change: the others, too.
RULES = (
    *CHECK_RULES,
    "deprecated-field",
    "deprecated-value",
    "duplicate-field",
    "duplicate-section",
    "empty-value",
    "illegal-transition",
    "internal-error",
    "invalid-config",
    "invalid-contract",
    "invalid-json",
    "invalid-log-line",
    "invalid-type",
    "invalid-value",
    "invalid-yaml",
    "legacy-duplicate",
    "misplaced-field",
    "missing-checklist",
    "missing-field",
    "missing-handoff",
    "missing-section",
    "missing-status",
    "missing-table",
    "path-not-found",
    "section-order",
    "status-not-first",
    "template-missing-field",
    "template-missing-section",
    "template-missing-value",
    "too-large",
    "unclosed-block",
    "unexpected-field",
    "unknown-field",
    "unused-suppression",
    "unwanted-content",
    "wrong-fence",
)
