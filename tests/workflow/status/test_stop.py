"""SIGTERM reaches Snakemake while its main thread holds the lock that its handler of SIGTERM takes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

from workflows.status.stop import handle_sigterm_in_a_thread


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(JobScheduler, "exit_gracefully", JobScheduler.exit_gracefully)
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_sigterm_is_handled_although_the_main_thread_holds_the_lock_of_the_scheduler() -> None:
    handle_sigterm_in_a_thread()
    handled = threading.Event()
    scheduler = SimpleNamespace(_lock=threading.Lock(), _open_jobs=SimpleNamespace(release=handled.set))
    signal.signal(signal.SIGTERM, lambda *arguments: JobScheduler.exit_gracefully(scheduler, *arguments))
    with scheduler._lock:
        os.kill(os.getpid(), signal.SIGTERM)  # without the thread this line would not end
        assert not handled.is_set()
    assert handled.wait(timeout=60)
    assert scheduler._user_kill == "graceful"


def test_the_handler_is_changed_once() -> None:
    handle_sigterm_in_a_thread()
    handler = JobScheduler.exit_gracefully
    handle_sigterm_in_a_thread()
    assert JobScheduler.exit_gracefully is handler
