"""The connection: transport, framing, pygls, positions in the client's encoding. Knows no handoff."""
