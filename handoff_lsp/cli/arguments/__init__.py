"""The arguments of the command line, by groups of commands."""
