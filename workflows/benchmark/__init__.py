"""Speeds from files of psflip bench: tables, figures, report."""
