"""A study file: its checks, its jobs, and the layout of results/<study>/."""
