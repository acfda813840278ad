"""The server: the one room that knows pygls and LSP. Conversion, capabilities, scheduling; no rule of the domain."""
