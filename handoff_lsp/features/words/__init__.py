"""The words of contracts, fields and values: where prompts, templates, handoffs and contracts say them; renaming."""
