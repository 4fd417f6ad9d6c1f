"""Headline numbers and the comparisons with exact and published values."""
