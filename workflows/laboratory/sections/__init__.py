"""Sections of the page of paper 001 and their figures."""
