"""`key: value` lines, outlines and logs."""
