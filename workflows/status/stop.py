"""SIGTERM to Snakemake. Its handler waits for a lock of the scheduler. If the main thread holds this lock when the signal
arrives, the thread would wait for itself forever: Snakemake 9.27 then never ends. A thread of its own can wait."""

from __future__ import annotations

import signal
import threading


def handle_sigterm_in_a_thread() -> None:
    """Runs the present handler of SIGTERM, if there is one, in a new thread. Called by the main thread."""
    handler = signal.getsignal(signal.SIGTERM)
    if callable(handler):
        signal.signal(
            signal.SIGTERM, lambda *arguments: threading.Thread(target=handler, args=arguments, daemon=True).start()
        )
