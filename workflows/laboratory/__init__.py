"""Measurements of the laboratory (psflip-lab) that are in Python, and its pages."""
