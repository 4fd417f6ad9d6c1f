"""SIGTERM to Snakemake. Its handler waits for a lock of the scheduler. If the main thread holds this lock when the signal
arrives, the thread would wait for itself forever: Snakemake 9.27 then never ends. A thread of its own can wait."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

try:
    from snakemake.scheduling.job_scheduler import JobScheduler
except ImportError:  # its place in older versions
    from snakemake.scheduler import JobScheduler


def in_a_thread(function: Callable[..., None]) -> Callable[..., None]:
    """The function, called in a new thread; it does not wait for its end."""

    @functools.wraps(function)
    def started(*arguments: object) -> None:
        threading.Thread(target=function, args=arguments, daemon=True).start()

    return started


def handle_sigterm_in_a_thread() -> None:
    """Changes the handler that schedulers made from now on install. Called once, while Snakemake reads the Snakefile."""
    if not hasattr(JobScheduler.exit_gracefully, "__wrapped__"):
        JobScheduler.exit_gracefully = in_a_thread(JobScheduler.exit_gracefully)
