"""``python -m handoff_lsp`` is the command ``handoff-lsp``."""

import sys

from handoff_lsp.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
