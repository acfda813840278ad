"""JSON Schemas of a handoff: as it is written, and as `parse` prints it."""
