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
from headline import LITERATURE, Headline, judge_together, published, student_p, warn_of_few_blocks
from scipy import stats
from summarize_critical import critical_numbers, equilibrium_numbers
from summarize_rfim3d import field_numbers
from tables import fewest_blocks, join, known, read, select, temperatures


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
            temperature = Headline(name, row.T_crossing, row.error, limit, 0.0, source, blocks=row.blocks)
            temperature.error_systematic = known(row.error_systematic)
            numbers.append(temperature.judged())
            name = f"2D Ising: {symbol} at the crossing, {pair}"
            systematic = known(row.value_error_systematic)
            numbers.append(
                published(name, row.value, row.value_error, key, error_systematic=systematic, blocks=row.blocks)
            )
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
        single = student_p(pulls, rows["blocks"].to_numpy() - 1)
        name = f"2D Ising: {symbol}, χ² probability of {len(pulls)} points"
        note = f"χ² = {np.sum(pulls**2):.1f}; all (L, T) that passed the equilibration test"
        numbers.append(
            Headline(
                name, probability, source=source, note=note, blocks=fewest_blocks(rows), p=all_points(single)
            ).judged()
        )
        worst = rows.iloc[int(np.argmin(single))]
        reference = exact.torus(int(worst.L), worst["T"])[index]
        chance = float(-np.expm1(len(pulls) * np.log1p(-single.min())))
        name = f"2D Ising: {symbol}, worst of {len(pulls)} points, L = {worst.L}, T = {worst['T']:.6g}"
        note = f"a worst point as far off as this or farther has probability {chance:.2g}"
        worst_number = Headline(name, worst["value"], worst["error"], reference, 0.0, source, note=note, p=chance)
        worst_number.blocks = int(worst["blocks"])
        numbers.append(worst_number.judged())
    return numbers


def all_points(p: np.ndarray) -> float:
    """Two-sided probability of a χ² as far from its expectation, of independent points with two-sided probabilities `p`
    of their own: each counts with the Gaussian deviation of the same probability, so few blocks are no alarm."""
    upper = stats.chi2.sf(np.sum(stats.chi2.isf(p, 1)), len(p))
    return float(2 * min(upper, 1 - upper))


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
    number = Headline(name, row["value"], row["error"], reference, 0.0, "Yang, Phys. Rev. 85, 808 (1952), exact")
    number.blocks = int(row["blocks"])
    return [number.judged()]


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
            number = Headline(name, row.value, row.error, exact.first_sweep_energy(t), 0.0, source, blocks=row.blocks)
            numbers.append(number.judged())
        for row in select(rows, observable="m2", t=rows["t"].max()).itertuples():
            name = f"3D EA: N [⟨m²⟩] after {row.t:.0f} sweeps, {place}"
            source = "exact, gauge invariance"
            numbers.append(Headline(name, row.value, row.error, 1.0, 0.0, source, blocks=row.blocks).judged())
    return numbers


def relaxation_of_another_program(table: pd.DataFrame) -> list[Headline]:
    """Values at the last common time where a table of an independent program has the same size and temperature."""
    path = Path(__file__).parent.parent / "references" / "ea3d_relaxation.csv"
    other = pd.read_csv(path, comment="#")
    numbers = []
    for (size, t, observable), group in other.groupby(["L", "T", "observable"]):
        mine = select(table, L=size, T=t, observable=observable).merge(group, on="t", suffixes=("", "_known"))
        for row in mine.sort_values("t").tail(1).itertuples():
            name = f"3D EA: {observable} after {row.t:.0f} sweeps, L = {size}, T = {t:.6g}"
            source = "an independent program (workflows/references), random numbers of its own"
            number = Headline(name, row.value, row.error, row.value_known, row.error_known, source, blocks=row.blocks)
            numbers.append(number.judged())
    return numbers


def dynamics_numbers(fits: pd.DataFrame, table: pd.DataFrame) -> list[Headline]:
    """The dynamic exponent of the largest lattice at each temperature; `table` has its number of blocks."""
    numbers = []
    for t in temperatures(fits) if len(fits) else []:
        rows = select(fits, T=t, range="whole")
        for row in rows[rows["L"] == rows["L"].max()].itertuples():
            name = f"3D EA: z from {'ξ' if row.quantity == 'xi' else 'χ'}, L = {row.L}, T = {t:.6g}"
            note = (
                f"effective exponent for {row.t_min:.0f} ≤ t ≤ {row.t_max:.0f}; the second-moment ξ is not yet in the "
                "regime 1 ≪ ξ ≪ L of the published value"
            )
            more = {"verdict": "effective", "blocks": fewest_blocks(select(table, L=row.L, T=t, observable=row.quantity))}
            if abs(t - LITERATURE["ea3d_T_critical"]["value"]) < 0.01:
                numbers.append(published(name, row.z, row.z_error, "ea3d_z_critical", note, **more))
            else:
                numbers.append(Headline(name, row.z, row.z_error, note=note, **more))
    return numbers


def summarize(
    table: pd.DataFrame,
    crossings: pd.DataFrame,
    fits: pd.DataFrame,
    tempered: pd.DataFrame,
    grids: pd.DataFrame,
    transition: list[Headline],
) -> list[Headline]:
    """All numbers. Comparisons of one model are judged together; `transition` has those of the transition of ea3d."""
    square, glass = select(table, model="ising2d"), select(table, model="ea3d")
    plane, relaxation, field = [], [], []
    if len(square):
        plane = crossing_numbers(crossings) + torus_numbers(square) + magnetization_number(square)
    if len(glass):
        relaxation = relaxation_numbers(glass) + relaxation_of_another_program(glass) + dynamics_numbers(fits, glass)
    if len(grids):
        field = field_numbers(select(table, model="rfim3d"), tempered, grids)
    for family, numbers in (("2D Ising", plane), ("3D EA", transition + relaxation), ("3D RFIM", field)):
        judge_together(family, numbers)
    numbers = [*transition, *plane, *relaxation, *field, *equilibrium_numbers(glass)]
    warn_of_few_blocks(numbers)
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "observables"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name in ("crossings", "dynamics", "tempered", "grids", "critical", "readings"):
        parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    tables = [join(paths) for paths in (arguments.crossings, arguments.dynamics, arguments.tempered)]
    critical = json.loads(arguments.study.read_text(encoding="utf-8")).get("critical")
    table = read(arguments.observables)
    readings = join(arguments.readings)
    transition = critical_numbers(join(arguments.critical), critical, readings) if critical else []
    numbers = summarize(table, *tables, read_grids(arguments.grids), transition)
    text = json.dumps([asdict(number) for number in numbers], indent=2, ensure_ascii=False)
    arguments.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
