"""The exception of this package."""


class PsflipError(ValueError):
    """Input that cannot be used; the message is one sentence with the remedy."""
