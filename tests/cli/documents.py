"""The handoff for the tests of the command."""

BAD = """\
# Board — Handoff from Backend Developer

## Status
compleet

## Status reason

## Abstract
outcome: did it
verdict: n/a
files: 1 created, 0 modified, 0 deleted
next_phase: dod-checker
open_questions: 0

## Iteration
iter 1

## Files Created
- a.py

## Quality-Gate Results
- tests: 4 passed

## DoD coverage
- ✓ row
"""
