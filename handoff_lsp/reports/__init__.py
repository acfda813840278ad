"""The results of a check as plain, frozen data, the same for the command, the library, and other programs' JSON."""
