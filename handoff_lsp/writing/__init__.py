"""From a contract to text: skeletons, where a missing field goes, how a field is removed."""
