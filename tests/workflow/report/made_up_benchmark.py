"""A file like that of psflip bench on a GPU that does not exist: round numbers, none of them measured."""

from __future__ import annotations

from typing import Any

GPU = {
    "sms": 100, "clock_mhz": 2000.0, "cuda_runtime": "13.0", "cuda_driver": "13.0", "copy_bandwidth": 4e12,
    "logic_rate": 16e12, "philox_rate": 0.4e12,
}  # fmt: skip


def job(model: str, mode: str, L: int, ps: float, packing: str = "samples", **other: Any) -> dict[str, Any]:
    """One timed job with the keys of docs/benchmark.md."""
    flips = 1e12 / ps
    content = {
        "model": model, "mode": mode, "packing": packing, "backend": "cuda", "device": "NVIDIA H200", "L": L, "T": 1.1,
        "samples": 4096, "replicas": 4, "sweeps": 1000, "threads": 1, "ps_per_flip": ps, "ps_per_flip_updates": ps,
        "flips_per_ns": 1000 / ps, "runs": [ps, 1.1 * ps, 0.9 * ps], "measuring_share": 0.05, "seconds_updates_share": 0.94,
        "start_up_seconds": 0.01, "code_version": "0.1.0", "git_commit": "made-up", "created": "2000-01-01T00:00:00Z",
        "instruction_set": "CUDA", "bytes_per_flip_model": 0.1, "operations_per_flip_model": 0.8,
        "philox_calls_per_flip_model": 0.01, "bytes_per_s": 0.1 * flips, "operations_per_s": 0.8 * flips,
        "philox_calls_per_s": 0.01 * flips, "share_of_bandwidth": 0.1 * flips / GPU["copy_bandwidth"],
        "share_of_logic_rate": 0.8 * flips / GPU["logic_rate"], "share_of_philox_rate": 0.01 * flips / GPU["philox_rate"],
    }  # fmt: skip
    return content | GPU | other


def jobs() -> list[dict[str, Any]]:
    """Two modes of the spin glass, one large lattice and many small ones."""
    shared = [job("ea3d", "shared", L, ps) for L, ps in ((16, 0.0625), (32, 0.08), (64, 0.125))]
    independent = [job("ea3d", "independent", L, 0.25) for L in (16, 32)]
    large = [job("ising2d", "independent", L, 0.3125, "sites", samples=1, replicas=1) for L in (4096, 32768)]
    return shared + independent + large + [job("ising2d", "independent", 128, 0.4, samples=1024, replicas=1)]
