"""The headline numbers of a study, each beside the exact or published value: summary.json."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import exact
import numpy as np
import pandas as pd
from grids import read_grids
from headline import LITERATURE, Headline, published
from scipy import stats
from summarize_critical import critical_numbers, equilibrium_numbers
from summarize_rfim3d import field_numbers
from tables import join, read, select, temperatures


def crossing_numbers(crossings: pd.DataFrame) -> list[Headline]:
    """Critical temperature and critical value from each phenomenological coupling: extrapolated, and of the largest pair."""
    symbols = {"U4": ("U₄", "ising2d_binder_critical"), "xi_over_L": ("ξ/L", "ising2d_xi_over_L_critical")}
    numbers = []
    for observable, (symbol, key) in symbols.items():
        rows = crossings[crossings["observable"] == observable] if len(crossings) else crossings
        for row in rows.itertuples():
            last = not np.isfinite(row.L2) or len(rows) == 1
            pair = "L → ∞" if not np.isfinite(row.L2) else f"L = {row.L1:.0f}, {row.L2:.0f}"
            if not last and row.L2 != rows["L2"][np.isfinite(rows["L2"])].max():
                continue
            name = f"2D Ising: critical temperature, crossing of {symbol}, {pair}"
            limit, source = exact.CRITICAL_TEMPERATURE, "Onsager, Phys. Rev. 65, 117 (1944), exact"
            numbers.append(Headline(name, row.T_crossing, row.error, limit, 0.0, source).judged())
            numbers.append(published(f"2D Ising: {symbol} at the crossing, {pair}", row.value, row.value_error, key))
    return numbers


def torus_numbers(table: pd.DataFrame) -> list[Headline]:
    """Energies and specific heats of all equilibrated points against the exact finite lattices."""
    numbers = []
    source = "Kaufman, Phys. Rev. 76, 1232 (1949), exact on the torus"
    for index, (observable, symbol) in enumerate((("e", "energy"), ("C", "specific heat"))):
        rows = select(table, observable=observable)
        rows = rows[rows["equilibrated"].fillna(False).astype(bool) & (rows["error"] > 0)]
        if not len(rows):
            continue
        expected = [exact.torus(int(row.L), row.T)[index] for row in rows.itertuples()]
        pulls = ((rows["value"] - expected) / rows["error"]).to_numpy()
        probability = float(stats.chi2.sf(np.sum(pulls**2), len(pulls)))
        verdict = "agrees" if 0.001 < probability < 0.999 else "differs"
        name = f"2D Ising: {symbol}, χ² probability of {len(pulls)} points"
        note = f"χ² = {np.sum(pulls**2):.1f}; all (L, T) that passed the equilibration test"
        numbers.append(Headline(name, probability, source=source, verdict=verdict, note=note))
        worst = rows.iloc[int(np.argmax(np.abs(pulls)))]
        reference = exact.torus(int(worst.L), worst["T"])[index]
        chance = 1 - (1 - 2 * stats.norm.sf(np.abs(pulls).max())) ** len(pulls)
        name = f"2D Ising: {symbol}, worst of {len(pulls)} points, L = {worst.L}, T = {worst['T']:.6g}"
        note = f"a worst point as far off as this or farther has probability {chance:.2g}"
        verdict = "agrees" if chance > 0.001 else "differs"
        worst_number = Headline(
            name, worst["value"], worst["error"], reference, 0.0, source, verdict=verdict, note=note
        )
        numbers.append(worst_number.judged())
    return numbers


def magnetization_number(table: pd.DataFrame) -> list[Headline]:
    """The point of the largest lattice nearest to T_c at which the lattice is still as good as infinite."""
    rows = select(table, observable="m_abs")
    rows = rows[(rows["T"] < exact.CRITICAL_TEMPERATURE) & rows["equilibrated"].fillna(False).astype(bool)]
    if not len(rows):
        return []
    # Below T_c finite-size corrections fall as exp(-L/xi), 1/xi = 2 (2K + ln tanh K); exp(-15) is far below any error here.
    k = 1 / rows["T"]
    rows = rows[rows["L"] * 2 * (2 * k + np.log(np.tanh(k))) > 15].sort_values(["L", "T"])
    if not len(rows):
        return []
    row = rows.iloc[-1]
    name = f"2D Ising: magnetization ⟨|m|⟩, L = {row.L}, T = {row['T']:.6g}"
    reference = float(exact.spontaneous_magnetization(row["T"]))
    return [
        Headline(name, row["value"], row["error"], reference, 0.0, "Yang, Phys. Rev. 85, 808 (1952), exact").judged()
    ]


def relaxation_numbers(table: pd.DataFrame) -> list[Headline]:
    """Exact identities of the relaxation, for the largest lattice at each temperature."""
    numbers = []
    for t in temperatures(table):
        rows = select(table, T=t)
        rows = rows[rows["L"] == rows["L"].max()]
        place = f"L = {rows['L'].iloc[0]}, T = {t:.6g}"
        first = select(rows, observable="e", t=1)
        for row in first.itertuples():
            source = "exact, closed form of the first sweep"
            name = f"3D EA: energy after one sweep, {place}"
            numbers.append(Headline(name, row.value, row.error, exact.first_sweep_energy(t), 0.0, source).judged())
        for row in select(rows, observable="m2", t=rows["t"].max()).itertuples():
            name = f"3D EA: N [⟨m²⟩] after {row.t:.0f} sweeps, {place}"
            numbers.append(Headline(name, row.value, row.error, 1.0, 0.0, "exact, gauge invariance").judged())
    return numbers


def relaxation_of_another_program(table: pd.DataFrame) -> list[Headline]:
    """Values at the last common time where a table of an independent program has the same size and temperature."""
    path = Path(__file__).parent.parent / "references" / "ea3d_relaxation.csv"
    known = pd.read_csv(path, comment="#")
    numbers = []
    for (size, t, observable), group in known.groupby(["L", "T", "observable"]):
        mine = select(table, L=size, T=t, observable=observable).merge(group, on="t", suffixes=("", "_known"))
        for row in mine.sort_values("t").tail(1).itertuples():
            name = f"3D EA: {observable} after {row.t:.0f} sweeps, L = {size}, T = {t:.6g}"
            source = "an independent program (workflows/references), random numbers of its own"
            numbers.append(Headline(name, row.value, row.error, row.value_known, row.error_known, source).judged())
    return numbers


def dynamics_numbers(fits: pd.DataFrame) -> list[Headline]:
    """The dynamic exponent of the largest lattice at each temperature."""
    numbers = []
    for t in temperatures(fits) if len(fits) else []:
        rows = select(fits, T=t, range="whole")
        for row in rows[rows["L"] == rows["L"].max()].itertuples():
            name = f"3D EA: z from {'ξ' if row.quantity == 'xi' else 'χ'}, L = {row.L}, T = {t:.6g}"
            note = (
                f"effective exponent for {row.t_min:.0f} ≤ t ≤ {row.t_max:.0f}; the second-moment ξ is not yet in the "
                "regime 1 ≪ ξ ≪ L of the published value"
            )
            near = abs(t - LITERATURE["ea3d_T_critical"]["value"]) < 0.01
            if near:
                number = published(name, row.z, row.z_error, "ea3d_z_critical", note)
                number.verdict = "effective"
            else:
                number = Headline(name, row.z, row.z_error, verdict="effective", note=note)
            numbers.append(number)
    return numbers


def summarize(
    table: pd.DataFrame, crossings: pd.DataFrame, fits: pd.DataFrame, tempered: pd.DataFrame, grids: pd.DataFrame
) -> list[Headline]:
    numbers = []
    square, glass = select(table, model="ising2d"), select(table, model="ea3d")
    if len(square):
        numbers += crossing_numbers(crossings) + torus_numbers(square) + magnetization_number(square)
    if len(glass):
        numbers += relaxation_numbers(glass) + relaxation_of_another_program(glass) + dynamics_numbers(fits)
    if len(grids):
        numbers += field_numbers(select(table, model="rfim3d"), tempered, grids)
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "observables"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name in ("crossings", "dynamics", "tempered", "grids", "critical"):
        parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    tables = [join(paths) for paths in (arguments.crossings, arguments.dynamics, arguments.tempered)]
    critical = json.loads(arguments.study.read_text(encoding="utf-8")).get("critical")
    table = read(arguments.observables)
    numbers = critical_numbers(join(arguments.critical), critical) if critical else []
    numbers += summarize(table, *tables, read_grids(arguments.grids))
    numbers += equilibrium_numbers(select(table, model="ea3d"))
    text = json.dumps([asdict(number) for number in numbers], indent=2, ensure_ascii=False)
    arguments.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
