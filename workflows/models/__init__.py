"""Figures and comparisons of models: one subpackage for each model with figures and comparisons of its own."""
