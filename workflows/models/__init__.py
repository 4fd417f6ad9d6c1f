"""What studies show of a model: one subpackage for each model with figures and comparisons of its own."""
