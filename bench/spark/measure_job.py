"""Runs a job as packages/spark/job/akin_index.py does, and writes what it has cost so far whenever a step is complete.

    spark-submit [...] bench/spark/measure_job.py COSTS.jsonl INPUT... --to FOLDER [...]

A line has the step, pages of the index (null before they are known) and the sums of the stages so far. So a job that is stopped
has costs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import DataFrame, Row

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packages" / "spark" / "job"))

import akin_index
from akin.stage import Stages
from akin.work import WorkFolder


class MeasuredStages(Stages):
    made: MeasuredStages

    def __init__(self, *words) -> None:
        super().__init__(*words)
        MeasuredStages.made = self


class MeasuredWorkFolder(WorkFolder):
    costs: Path
    pages: int | None = None

    def save(self, name: str, rows: DataFrame, by: str | None = None) -> DataFrame:
        was_there = self.has(name)
        saved = super().save(name, rows, by)
        if name == "pages":
            MeasuredWorkFolder.pages = saved.count()
        if not was_there:
            self._tell(name)
        return saved

    def collect(self, name: str, rows: DataFrame) -> list[Row]:
        collected = super().collect(name, rows)
        self._tell(name)
        return collected

    def below(self, name: str) -> MeasuredWorkFolder:
        return MeasuredWorkFolder(self._spark, self.file(name))

    def _tell(self, step: str) -> None:
        line = {"step": step, "pages": self.pages, "stages": MeasuredStages.made.sums.value}
        with self.costs.open("a") as to:
            to.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    MeasuredWorkFolder.costs = Path(sys.argv.pop(1))
    akin_index.Stages, akin_index.WorkFolder = MeasuredStages, MeasuredWorkFolder
    akin_index.main()
