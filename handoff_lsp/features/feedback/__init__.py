"""The words to an agent about its handoffs, the same from the hooks and from the library."""
