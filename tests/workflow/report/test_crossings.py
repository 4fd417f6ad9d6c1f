"""What a report says of pairs of sizes that cross and of pairs that do not."""

from __future__ import annotations

import numpy as np
import pandas as pd

from conftest import ROOT
from workflows.line.report import lines
from workflows.line.table import CROSSINGS
from workflows.report.page import html_table
from workflows.report.tables import Extrapolation, crossing_table, without_crossing
from workflows.study.study import open_file
from workflows.tables.crossings import crossed, uncrossed
from workflows.tables.study_tables import StudyTables

HOW = Extrapolation("cubics", "ν = 1", "ω = 1 and 2")


def pair(observable: str, L1: float, L2: float, t: float = np.nan) -> dict[str, object]:
    window = {"chi2_dof": np.nan, "T_min": 0.9, "T_max": 1.65, "equilibrated": 1.0 if t > 0 else np.nan, "blocks": 8}
    systematic = {"error_systematic": np.nan, "value_error_systematic": np.nan}
    values = {"T_crossing": t, "error": 0.01 * t, "value": 1.5, "value_error": 0.1}
    return {"observable": observable, "L1": L1, "L2": L2} | values | window | systematic


def tables(*rows: dict[str, object]) -> StudyTables:
    table = pd.DataFrame(rows)
    return StudyTables(pd.DataFrame(), crossings=crossed(table), uncrossed=uncrossed(table))


def test_pairs_that_do_not_cross_are_named_after_the_table_of_those_that_do() -> None:
    content = crossing_table(tables(pair("U4", 6, 8, 1.1), pair("U4", 8, 10), pair("xi_over_L", 8, 10)), HOW)
    assert content is not None and [row[1:3] for row in content["rows"]] == [["6, 8", "1.100(11)"]]
    page = str(html_table(content))
    sentence = "The curves of U₄ and ξ/L of L = 8 and 10 do not cross between T = 0.9 and 1.65, or only by chance."
    assert page.index("1.100(11)") < page.index(sentence) and page.count("do not cross") == 1


def test_without_any_crossing_there_is_a_sentence_and_no_table() -> None:
    page = str(html_table(crossing_table(tables(pair("U4", 8, 10)), HOW)))
    assert page.startswith("<p>The curves of U₄ of L = 8 and 10 do not cross") and "<table" not in page


def test_without_pairs_that_do_not_cross_nothing_is_said() -> None:
    found = tables(pair("U4", 6, 8, 1.1), pair("U4", 6, np.inf, np.nan))
    assert without_crossing(found.uncrossed) == "" and len(found.crossings) == 1, "a limit is no pair"
    assert crossing_table(StudyTables(pd.DataFrame()), HOW) is None


def test_a_nishimori_line_without_crossings_has_a_sentence_in_place_of_its_table() -> None:
    study = open_file(ROOT / "config" / "nishimori.yaml")
    p = [part.p for part in study.nishimori_lines["line"]]
    (found,) = lines(pd.DataFrame(columns=CROSSINGS), study.content)
    assert found["figure"] == "line_line"
    page = str(html_table(found["table"]))
    assert page.startswith(
        f"<p>The curves of no two sizes cross between p = {p[0]:g} and {p[-1]:g}, or only by chance."
    )
