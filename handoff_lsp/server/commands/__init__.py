"""workspace/executeCommand, one module for each group of commands."""
