"""The rules: one file each, named after its code. A rule judges a bound handoff and knows neither disk nor LSP."""
