"""SIGTERM reaches Snakemake while its main thread holds the lock that its handler of SIGTERM takes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from workflows.status.stop import handle_sigterm_in_a_thread


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_sigterm_is_handled_although_the_main_thread_holds_the_lock_of_its_handler() -> None:
    lock, handled = threading.Lock(), threading.Event()

    def handler(*_: object) -> None:
        with lock:
            handled.set()

    signal.signal(signal.SIGTERM, handler)
    handle_sigterm_in_a_thread()
    with lock:
        os.kill(os.getpid(), signal.SIGTERM)  # without the thread this line would not end
        assert not handled.is_set()
    assert handled.wait(timeout=60)


def test_without_a_handler_sigterm_still_ends_the_process() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    handle_sigterm_in_a_thread()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
