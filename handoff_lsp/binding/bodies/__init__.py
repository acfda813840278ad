"""The bodies of handoffs: a class for each syntax, all with the interface of ``body.Body``."""
