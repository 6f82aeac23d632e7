"""What each step of jobs has cost, from Spark's event logs and the reports of the jobs, as tables in Markdown.

    cost.py EVENT_LOG COSTS [EVENT_LOG COSTS ...]      a column for each job
    cost.py --tasks EVENT_LOG                          the longest task of each step beside the median

An EVENT_LOG is a file, or the folder of the logs of one job; COSTS are of measure_job.py, or the report of a job. Bytes shuffled
are those written for other tasks, compressed. Processor seconds are those of the JVM by step, and those of Node and Python by
stage; all are by each page of the index.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from io import TextIOWrapper
from itertools import pairwise
from pathlib import Path

import pyarrow as pa

#: Steps of a job in groups, by how their names begin; what Spark runs between steps is `counts`.
GROUPS = {
    "files to pages and links": "extracted decided redirect- alias placed windows collapsed pages links",
    "features, bags": "feature bags",
    "neighbors": "bag-groups signatures truth buckets lists neighbors",
    "votes": "ranked",
    "CENTER": "center",
    "topics": "topic- topics",
    "copies and their clusters": "copy- copies-",
    "labels": "label-words host-words labels",
    "members, shards": "levels cluster-ids copy-cluster-ids members topic-clusters shared-titles page-names shard",
    "counts between steps": "counts",
}
STAGES = {
    "files to pages and links": "extract decide windows collapse",
    "features, bags": "feature-hash bag",
    "neighbors": "signature truth compare",
    "votes": "votes",
    "topics": "topics",
    "copies and their clusters": "shingles mark meet resemble copy-figure",
    "members, shards": "member-similarity shared-titles shown-title shard",
}
MIB = 1 << 20


def main(words: list[str]) -> None:
    if words[0] == "--tasks":
        print_tasks(words[1])
        return
    jobs = [Job(log, report) for log, report in zip(words[::2], words[1::2])]
    print_groups(jobs)
    for what, unit, scale in (
        ("shuffled", "bytes shuffled", 1),
        ("written", "bytes written", 1),
        ("jvm", "JVM, us", 1e6),
    ):
        print_steps(jobs, what, unit, scale)
    print_stages(jobs)


class Job:
    """Costs of a job by step and by stage."""

    def __init__(self, log: str, report: str) -> None:
        self.report = costs_of(report)
        self.pages = self.report["pages"]
        self.costs: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for step, event in tasks_of(log):
            metrics = event["Task Metrics"]
            cost = self.costs[step]
            cost["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            cost["written"] += metrics["Output Metrics"]["Bytes Written"]
            cost["jvm"] += metrics["Executor CPU Time"] / 1e9
            cost["tasks"] += 1

    def of_group(self, group: str, what: str) -> float:
        return sum(cost[what] for step, cost in self.costs.items() if group_of(step) == group)

    def of_stage(self, stage: str, what: str) -> float:
        return self.report["stages"].get(f"{stage}.{what}", 0)


def costs_of(path: str) -> dict:
    """Pages, and sums of the stages: of a report, or of costs by step, in which each run of a job that went on adds up anew."""
    text = Path(path).read_text()
    if not path.endswith(".jsonl"):
        return json.loads(text[text.index("{\n") :])
    lines = [json.loads(line) for line in text.splitlines()]
    is_end = lambda line, after: any(after["stages"].get(name, 0) < amount for name, amount in line["stages"].items())
    ends = [line for line, after in pairwise(lines) if is_end(line, after)] + lines[-1:]
    sums: dict[str, float] = defaultdict(float)
    for end in ends:
        for name, amount in end["stages"].items():
            sums[name] += amount
    return {"pages": next(line["pages"] for line in reversed(lines) if line["pages"]), "stages": sums}


def events_of(log: str) -> Iterator[dict]:
    path = Path(log)
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    for file in files:
        with open_input_stream(file) as stream:
            for line in TextIOWrapper(stream):
                # The last line of a job that runs may be half there.
                if line.startswith("{") and line.endswith("}\n"):
                    yield json.loads(line)


def open_input_stream(file: Path) -> pa.NativeFile:
    # Spark ends the log of a job that still runs without the end of its frame; what is there can be read.
    return pa.CompressedInputStream(pa.OSFile(str(file)), "zstd") if file.suffix == ".zstd" else pa.OSFile(str(file))


def tasks_of(log: str) -> Iterator[tuple[str, dict]]:
    """Each task that ended well, with the step that it was of."""
    step_of_stage: dict[int, str] = {}
    for event in events_of(log):
        if event["Event"] == "SparkListenerApplicationStart":
            step_of_stage.clear()  # a job that goes on has a log for each run, and numbers anew
        elif event["Event"] == "SparkListenerJobStart":
            step = (event.get("Properties") or {}).get("spark.job.description") or "counts"
            for stage in event["Stage IDs"]:
                step_of_stage.setdefault(stage, step.rstrip("0123456789-"))
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            yield step_of_stage.get(event["Stage ID"], "counts"), event


def group_of(step: str) -> str:
    for group, beginnings in GROUPS.items():
        if any(step == one.rstrip("-") or step.startswith(one) for one in beginnings.split()):
            return group
    raise ValueError(f"the step {step} is in no group")


def print_groups(jobs: list[Job]) -> None:
    """The whole job in ten lines."""
    heads = [
        f"{what}, {job.pages:,}"
        for what in ("bytes shuffled", "bytes written", "JVM, ms", "Node, ms", "Python, ms", "tasks")
        for job in jobs
    ]
    print_row(["steps", *heads])
    print_row(["---"] * (1 + len(heads)))
    sums = [0.0] * len(heads)
    for group in GROUPS:
        stages = STAGES.get(group, "").split()
        cells = [job.of_group(group, what) / job.pages for what in ("shuffled", "written") for job in jobs]
        cells += [1000 * job.of_group(group, "jvm") / job.pages for job in jobs]
        for what in ("node_seconds", "python_seconds"):
            cells += [1000 * sum(job.of_stage(stage, what) for stage in stages) / job.pages for job in jobs]
        cells += [job.of_group(group, "tasks") for job in jobs]
        sums = [one + more for one, more in zip(sums, cells)]
        print_row([group, *shown(cells, len(jobs))])
    print_row(["**all**", *shown(sums, len(jobs))])
    print()


def shown(cells: list[float], jobs: int) -> list[str]:
    return [f"{cell:.2f}" if 2 <= place // jobs <= 4 else f"{cell:,.0f}" for place, cell in enumerate(cells)]


def print_steps(jobs: list[Job], what: str, unit: str, scale: float) -> None:
    """One figure of each step, job beside job: what grows with pages is seen."""
    print_row([f"step: {unit} a page", *(f"{job.pages:,}" for job in jobs)])
    print_row(["---"] * (1 + len(jobs)))
    steps = dict.fromkeys(step for job in jobs for step in job.costs)
    for step in steps:
        print_row([step, *(f"{scale * job.costs[step][what] / job.pages:,.0f}" for job in jobs)])
    print()


def print_stages(jobs: list[Job]) -> None:
    heads = [f"{what}, {job.pages:,}" for what in ("records", "Node, us", "Python, us") for job in jobs]
    print_row(["stage", *heads])
    print_row(["---"] * (1 + len(heads)))
    for stage in sorted({name.split(".")[0] for job in jobs for name in job.report["stages"]}):
        cells = [f"{job.of_stage(stage, 'read') / job.pages:.2f}" for job in jobs]
        for what in ("node_seconds", "python_seconds"):
            cells += [f"{1e6 * job.of_stage(stage, what) / job.pages:,.0f}" for job in jobs]
        print_row([stage, *cells])
    print()


def print_tasks(log: str) -> None:
    """Of each step that stage of Spark's whose longest task is the longest, and the most memory of the step at once."""
    times: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    memory: dict[str, int] = defaultdict(int)
    records: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for step, event in tasks_of(log):
        metrics = event["Task Metrics"]
        times[step][event["Stage ID"]].append(metrics["Executor Run Time"] / 1000)
        memory[step] = max(memory[step], metrics["Peak Execution Memory"])
        shuffle = metrics["Shuffle Read Metrics"]
        records[step][event["Stage ID"]].append(
            shuffle["Total Records Read"] + metrics["Input Metrics"]["Records Read"]
        )
    resident = resident_of(log)
    print_row(
        [
            "step",
            "tasks",
            "median, s",
            "longest, s",
            "records: median",
            "most",
            "Spark's memory of a task, MiB",
            "Python, MiB",
            "Node, MiB",
        ]
    )
    print_row(["---"] * 9)
    for step, stages in times.items():
        stage, seconds = max(stages.items(), key=lambda one: max(one[1]))
        read = records[step][stage]
        python = max((resident.get(one, (0, 0))[0] for one in stages), default=0)
        node = max((resident.get(one, (0, 0))[1] for one in stages), default=0)
        print_row(
            [
                step,
                str(len(seconds)),
                f"{statistics.median(seconds):.1f}",
                f"{max(seconds):.1f}",
                f"{statistics.median(read):,.0f}",
                f"{max(read):,}",
                f"{memory[step] / MIB:,.0f}",
                f"{python / MIB:,.0f}",
                f"{node / MIB:,.0f}",
            ]
        )


def resident_of(log: str) -> dict[int, tuple[int, int]]:
    """Bytes in memory of all Python and of all other children at once, by stage of Spark's, where it was asked to log them."""
    most: dict[int, tuple[int, int]] = {}
    for event in events_of(log):
        if event["Event"] == "SparkListenerStageExecutorMetrics":
            metrics = event["Executor Metrics"]
            before = most.get(event["Stage ID"], (0, 0))
            now = metrics.get("ProcessTreePythonRSSMemory", 0), metrics.get("ProcessTreeOtherRSSMemory", 0)
            most[event["Stage ID"]] = max(before[0], now[0]), max(before[1], now[1])
    return most


def print_row(cells: list[str]) -> None:
    print(f"| {' | '.join(cells)} |")


main(sys.argv[1:])
