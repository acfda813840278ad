"""Learning a contract: texts in, the text of a contract out. Opens no file."""
