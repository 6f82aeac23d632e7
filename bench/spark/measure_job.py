"""Runs a job as spark/akin_index.py does, and writes what it has cost so far whenever a step is complete.

    spark-submit [...] bench/spark/measure_job.py COSTS.jsonl INPUT... --to FOLDER [...]

A line has the step, pages of the index (null before they are known), the sums of the stages, and the processor seconds of the
JVM and of all that it started, with what starting, compiling and collecting garbage takes. So a job that is stopped has costs.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from pyspark.sql import DataFrame

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "spark"))

import akin_index  # noqa: E402
from akin.stage import Stages  # noqa: E402
from akin.work import WorkFolder  # noqa: E402


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
            line = {
                "step": name,
                "pages": self.pages,
                "stages": MeasuredStages.made.sums.value,
                "seconds": seconds_below(self._spark._jvm.java.lang.ProcessHandle.current().pid()),
            }
            with self.costs.open("a") as to:
                to.write(json.dumps(line) + "\n")
        return saved


def seconds_below(root: int) -> float:
    """Processor seconds of a process and all below it, those that have ended included."""
    times: dict[int, int] = {}
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended meanwhile
            parents[int(folder.name)] = int(fields[1])
            times[int(folder.name)] = sum(int(field) for field in fields[11:15])

    def is_below(pid: int) -> bool:
        return pid == root or (pid in parents and is_below(parents[pid]))

    return sum(time for pid, time in times.items() if is_below(pid)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    MeasuredWorkFolder.costs = Path(sys.argv.pop(1))
    akin_index.Stages, akin_index.WorkFolder = MeasuredStages, MeasuredWorkFolder
    akin_index.main()
