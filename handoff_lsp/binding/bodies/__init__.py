"""What a handoff is written in: a class for each syntax, all with the same questions. See ``body.Body``."""
