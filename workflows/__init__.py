"""From a study file to a report. Run commands in the root of the repository: python -m workflows.SUBPACKAGE.MODULE."""
