"""Figures and tables of scaling over GPUs, from files of tests/mpi/scaling and psflip-lab."""
