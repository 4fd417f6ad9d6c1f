"""One subpackage for each method: checks of parts, and figures, numbers and report of models without a subpackage of their own."""
