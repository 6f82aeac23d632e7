"""What each step of a job has cost, from Spark's event log and the report of the job, as a table in Markdown.

    cost.py EVENT_LOG REPORT

Bytes shuffled are those written for other tasks, compressed. Processor seconds are those of the JVM by step, and those of Node
and Python by stage.
"""

import json
import sys
from collections import defaultdict


def main(log: str, report_path: str) -> None:
    text = open(report_path).read()
    report = json.loads(text[text.index("{\n") :])
    pages = report["pages"]
    step_of_stage: dict[int, str] = {}
    costs: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for line in open(log):
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            step = (event.get("Properties") or {}).get("spark.job.description") or "counts"
            for stage in event["Stage IDs"]:
                step_of_stage.setdefault(stage, step.rstrip("0123456789-"))
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            metrics = event["Task Metrics"]
            cost = costs[step_of_stage.get(event["Stage ID"], "counts")]
            cost["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            cost["spilled"] += metrics["Disk Bytes Spilled"]
            cost["written"] += metrics["Output Metrics"]["Bytes Written"]
            cost["jvm"] += metrics["Executor CPU Time"] / 1e9
            cost["tasks"] += 1
    print(f"{pages:,} pages\n")
    print("| step | shuffled, bytes a page | written, bytes a page | JVM, ms a page | tasks |\n| --- | --- | --- | --- | --- |")
    total: dict[str, float] = defaultdict(float)
    for step, cost in costs.items():
        for name, amount in cost.items():
            total[name] += amount
        print(row(step, cost, pages))
    print(row("**all**", total, pages))
    print("\n| stage | records a page | Node, ms a page | Python, ms a page |\n| --- | --- | --- | --- |")
    sums = report["stages"]
    names = sorted({name.split(".")[0] for name in sums})
    node = python = 0.0
    for name in names:
        one = {what: sums.get(f"{name}.{what}", 0) for what in ("read", "node_seconds", "python_seconds")}
        node, python = node + one["node_seconds"], python + one["python_seconds"]
        print(
            f"| {name} | {one['read'] / pages:.2f} | {1000 * one['node_seconds'] / pages:.2f}"
            f" | {1000 * one['python_seconds'] / pages:.2f} |"
        )
    print(f"| **all** | | {1000 * node / pages:.2f} | {1000 * python / pages:.2f} |")


def row(step: str, cost: dict[str, float], pages: int) -> str:
    return (
        f"| {step} | {cost['shuffled'] / pages:,.0f} | {cost['written'] / pages:,.0f}"
        f" | {1000 * cost['jvm'] / pages:.2f} | {cost['tasks']:.0f} |"
    )


main(sys.argv[1], sys.argv[2])
