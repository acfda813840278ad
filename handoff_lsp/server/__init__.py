"""The server: the only room that uses pygls and LSP. Conversion, capabilities, scheduling; no domain rules."""
