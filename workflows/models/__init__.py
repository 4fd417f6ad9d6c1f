"""One subpackage for each model."""
