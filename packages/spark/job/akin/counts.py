"""What an index tells of its making: captures that became no pages, marks, different texts, the recall of its lists."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from .neighbors import NeighborReport
from .pages import FOLDED
from .stage import Stages


def count_records(
    extracted: DataFrame, decided: DataFrame, placed: DataFrame, pages: DataFrame
) -> dict[int, dict[str, object]]:
    """By sweep what became of its records: all, those that are captures of the index, and the others by reason."""
    answers = extracted.where("kind in ('page', 'noindex', 'redirect', 'gone', 'skip')")
    reason = f.when(f.col("kind").isin("noindex", "redirect"), f.col("kind")).otherwise(f.col("reason"))
    reasons = answers.where("kind != 'page'").select("sweep", reason.alias("reason")).groupBy("sweep", "reason").count()
    sweep_and_count = f.explode(f.from_json("duplicates", "map<string,long>")).alias("name", "count")
    counts = decided.where("duplicates is not null").select(sweep_and_count)
    duplicates = counts.groupBy(f.col("name").cast("int").alias("sweep")).agg(f.sum("count").alias("count"))
    folded = placed.where(f.col("rank") == FOLDED).groupBy("sweep").count()
    records = {
        row["sweep"]: {"recordCount": row["count"], "captureCount": 0, "skipped": {}}
        for row in answers.groupBy("sweep").count().collect()
    }
    for row in reasons.collect():
        records[row["sweep"]]["skipped"][row["reason"]] = row["count"]
    for name, by_sweep in (("duplicate", duplicates), ("canonical", folded)):
        for row in by_sweep.collect():
            records[row["sweep"]]["skipped"][name] = row["count"]
    captured = pages.where("fetched").select(f.explode(f.split("sweeps", " ").cast("array<int>")).alias("sweep"))
    for row in captured.groupBy("sweep").count().collect():
        records[row["sweep"]]["captureCount"] = row["count"]
    return records


def count_marks(extracted: DataFrame) -> dict[str, int]:
    """Records that are pages, and those of them that have marks of a kind, by the names of a local build's report."""
    has = {"body": "has_body", "ignore": "has_ignored", "weight": "has_weights"}
    marked = [f.count_if(column).alias(f"{kind}RecordCount") for kind, column in has.items()]
    pages = extracted.where("kind = 'page'").agg(f.count("*").alias("recordCount"), *marked)
    return pages.first().asDict()


def unknown_members(extracted: DataFrame, most: int = 100) -> dict[str, int]:
    """Members of records of JSON that were not read: in how many records each is, the most frequent first."""
    rows = extracted.where("kind = 'member'").groupBy("reason").count().orderBy(f.desc("count"), "reason")
    return {row["reason"]: row["count"] for row in rows.limit(most).collect()}


def dropped_links(extracted: DataFrame) -> int:
    """Links of pages that were left out: too many, or too long."""
    return int(extracted.where("kind = 'page'").agg(f.coalesce(f.sum("dropped_links"), f.lit(0))).first()[0])


def count_texts(stages: Stages, pages: DataFrame) -> int:
    """Different texts of captures, past ones too; 0 where copies are left out."""
    size = stages.numbers["captures"]["digestBytes"]
    now = pages.where("shingle_digest is not null").select(f.col("text_digest").alias("digest"))
    place = f.expr(f"explode(sequence(0, cast(length(past_digests) / {size} as int) - 1))").alias("place")
    past = pages.where("length(past_digests) > 0").select("past_digests", place)
    digest = f.expr(f"substring(past_digests, {size} * place + 1, {size})").alias("digest")
    return now.unionByName(past.select(digest)).distinct().count()


def stored_recall(report: NeighborReport) -> dict[str, object]:
    """The recall of the lists under the names that an index stores."""
    recall = report.recall
    measured = {
        "recall": recall.recall,
        "recall_low": recall.low,
        "recall_high": recall.high,
        "sample_count": recall.sample_count,
    }
    return {"method": "graph", **measured, "kinds": []}


def damaged_files(extracted: DataFrame, files: DataFrame, most: int = 100) -> list[list[object]]:
    """Files with records that are broken, or that end inside of one: path, how many, what is wrong with the first."""
    broken = extracted.where("kind = 'skip' and reason in ('unreadable', 'digest', 'truncated')")
    first = f.min_by("detail", "position").alias("first")
    counted = broken.groupBy("file").agg(f.count("*").alias("records"), first).join(files, "file")
    rows = counted.orderBy("file").limit(most).collect()
    return [[row["path"], row["records"], row["first"]] for row in rows]
