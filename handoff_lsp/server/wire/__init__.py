"""The connection: transport, framing, pygls, positions in the client's encoding. It knows nothing of handoffs."""
