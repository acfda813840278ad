"""`check` of an agent's turns in one folder: the time for a file among 4,000 as a ratio to one among 500."""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from pathlib import Path

from handoff_lsp.cli.main import main as command

TURN = """# Turn {number}

```agent_contract_handoff
{{"agent_status": {{"plan_status": "IN_PROGRESS", "agent_id": "a1b2c3d4e5f60718", "pending_steps": ["tests"],
  "next_action": "go on"}}, "evidence_report": {{"patterns_checked": ["naming"], "files_checked": ["src/a.py"]}}}}
```
"""


def cost(count: int) -> float:
    """The processor time of this process for each of ``count`` files, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            (Path(folder) / f"turn-{number}.md").write_text(TURN.format(number=number), encoding="utf-8")
        start = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            command(["check", folder, "--output-format", "json", "--no-cache"])
        return (time.process_time() - start) / count


def main(few: int = 500, many: int = 4000) -> None:
    """Print the ratio."""
    cost(20)  # load the modules and contracts
    ratio = cost(many) / cost(few)
    print(f"{many:,} turns in one folder\n  a file among them, to one among {few:,}      {ratio:5.2f} ×")


if __name__ == "__main__":
    main()
