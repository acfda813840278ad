"""All benchmarks, one after the other: `make bench`."""

from __future__ import annotations

from benchmarks import (
    agent_tokens,
    cached_check,
    cold_check,
    edit_latency,
    hook,
    many_contracts,
    many_files,
    many_turns,
    prompts,
    startup,
    workspace,
)

if __name__ == "__main__":
    cold_check.main()
    hook.main()
    cached_check.main()
    many_files.main()
    many_turns.main()
    many_contracts.main()
    prompts.main()
    startup.main()
    edit_latency.main()
    workspace.main()
    agent_tokens.main()
