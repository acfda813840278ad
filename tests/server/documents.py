"""Documents that the server tests share."""

SOUND = """# Feature login — Handoff from Developer

## Status
complete

## Status reason

## Abstract
outcome: login built
verdict: n/a
files: 1 created, 0 modified, 0 deleted
next_phase: Tester
open_questions: 0

## Iteration
iter 1

## Files Created
- `src/login.py`

## Files Modified

## Quality-Gate Results
pytest: 41 passed

## DoD coverage
- ✓ login form: `src/login.py`
"""

WITHOUT_STATUS = SOUND.replace("## Status\ncomplete\n\n", "")

# Emoji, CJK and a combining mark precede the wrong value on its line.
BEFORE = '{"agent_status": {"agent_id": "a0123456", "next_action": "\U0001f600\u65e5\u672ce\u0301", "plan_status": '
WRONG = '"NOPE"'
CONTRACT = f'# Report\n\n```agent_contract_handoff\n{BEFORE}{WRONG}, "pending_steps": []}}}}\n```\n'
