"""The rules: one file each, named after its code. A rule checks a bound handoff and uses neither disk nor LSP."""
