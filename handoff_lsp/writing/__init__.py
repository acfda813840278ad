"""From a contract to text: skeletons, the place of a missing field, the removal of a field."""
