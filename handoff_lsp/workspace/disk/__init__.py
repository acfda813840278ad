"""Files and folders: reading, walking, patterns of paths, the files that git ignores and tracks."""
