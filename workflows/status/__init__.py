"""The state of a study: done, running, failed and waiting jobs of each part, and the display of a run."""
