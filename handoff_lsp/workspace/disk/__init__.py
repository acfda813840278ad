"""Files and folders: reading, walking, patterns of paths, what git ignores and tracks."""
