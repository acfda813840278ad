"""Contract files as documents: their problems and fixes, completion, hover, definitions and references."""
