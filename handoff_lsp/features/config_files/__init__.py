"""What an editor can ask of a config file that is open: problems, fixes, completion, hover and definitions."""
