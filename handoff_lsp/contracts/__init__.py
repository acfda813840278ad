"""What a format is: contract files as typed, validated data. Knows no document."""
