"""Tables of a study: reading, joining, and numbers as text."""
