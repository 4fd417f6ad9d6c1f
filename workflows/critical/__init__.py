"""The transition of ea3d from relaxation (docs/ea3d_critical.md)."""
