"""From input files to one record of each URL: extract, decide, collapse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from .stage import Stages
from .work import WorkFolder, glob

ANSWERS = ["url", "kind", "sweep", "file", "position", "fetched_ms", "site", "to", "to_site"]
#: Rows of a URL as the stage `collapse` wants them.
HIDDEN, GONE, ERASED, PAGE, FOLDED, PAST, WINDOWS = range(7)


def input_files(spark: SparkSession, sweeps: list[list[str]]) -> DataFrame:
    """A row a file, one in each partition: file, path, size, modified_ms, sweep. Sweeps are lists of patterns, the oldest
    first, numbered from 1.

    Raises FileNotFoundError where a pattern names no file.
    """
    files: list[tuple[str, int, int, int]] = []
    for sweep, patterns in enumerate(sweeps, 1):
        for pattern in patterns:
            found = [(*file, sweep) for file in glob(spark, pattern) if file[1] > 0]
            if not found:
                raise FileNotFoundError(f"no file is named by {pattern}")
            files += found
    rows = spark.sparkContext.parallelize([(number, *file) for number, file in enumerate(files)], len(files))
    return spark.createDataFrame(rows, "file long, path string, size long, modified_ms long, sweep int")


def extract(work: WorkFolder, stages: Stages, files: DataFrame, cat: list[str]) -> DataFrame:
    """What the files hold, divided by kind."""
    return work.save("extracted", stages.run(files, "extract", {"cat": cat}), by="kind")


def decide(work: WorkFolder, stages: Stages, extracted: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Of each URL the answer that holds; and the pages that held in other sweeps."""
    answers = extracted.where(f.col("kind").isin("page", "noindex", "redirect", "gone")).select(*ANSWERS)
    sorted_answers = answers.repartition("url").sortWithinPartitions("url", "file", "position")
    decided = work.save("decided", stages.run(sorted_answers, "decide"))
    return decided.where("not is_past"), decided.where("is_past")


def find_aliases(work: WorkFolder, decided: DataFrame) -> DataFrame:
    """The URLs that others speak for: url, kind of the answer, where it ends (`end`, `end_site`).

    The rules are those of the local alias book: redirects lead on from URLs that were not fetched, a canonical link holds
    inside one site, or where its target was read; of a circle the first fetched URL in string order speaks.
    """
    redirects = decided.where("kind = 'redirect'").select("url", "site", "to", "to_site", f.lit(False).alias("fetched"))
    ends = chain_ends(work, "redirect-ends", redirects)
    named = decided.where("kind = 'page' and to is not null")
    targets = decided.select(f.col("url").alias("end"), f.col("kind").alias("end_kind"))
    canonicals = (
        named.join(ends.withColumnRenamed("url", "to").select("to", "end", "end_site", "is_circle"), "to", "left")
        .where("coalesce(is_circle, false) = false")
        .withColumn("end", f.coalesce("end", "to"))
        .withColumn("end_site", f.coalesce("end_site", "to_site"))
        .join(targets, "end", "left")
        .where("end_kind = 'page' or (end_kind is null and end_site = site)")
        .select("url", "site", "to", "to_site", f.lit(True).alias("fetched"))
    )
    edges = work.save("alias-edges", redirects.unionByName(canonicals))
    resolved = chain_ends(work, "alias-ends", edges).where("end != url").select("url", "end", "end_site")
    return work.save("aliases", resolved.join(decided.select(*ANSWERS), "url"))


def chain_ends(work: WorkFolder, name: str, edges: DataFrame) -> DataFrame:
    """Where following `to` from each URL ends: url, end, end_site, is_circle.

    By pointer doubling: after k rounds a URL knows the one 2^k steps on, and the least of those on the way. What is open
    when a round closes nothing leads to circles; once 2^k is more than there are of these, all of their circles have been
    walked, and the least of the one that a URL has come to is its end. A chain of n steps takes log2 n rounds.
    """
    own = f.struct((~f.col("fetched")).alias("is_unfetched"), f.col("url"), f.col("site"))
    state = work.save(f"{name}-0", edges.select("url", "to", "to_site", own.alias("least"), f.lit(False).alias("done")))
    open_before, k = -1, 0
    while True:
        k += 1
        ahead = state.select(
            f.col("url").alias("to"),
            f.col("to").alias("next"),
            f.col("to_site").alias("next_site"),
            f.col("least").alias("next_least"),
            f.col("done").alias("next_done"),
        )
        closed = state.where("done")
        moved = (
            state.where("not done")
            .join(ahead, "to", "left")
            .select(
                "url",
                f.coalesce("next", "to").alias("to"),
                f.coalesce("next_site", "to_site").alias("to_site"),
                f.least("least", f.coalesce("next_least", "least")).alias("least"),
                (f.col("next").isNull() | f.col("next_done")).alias("done"),
            )
        )
        state = work.save(f"{name}-{k}", closed.unionByName(moved))
        open_now = state.where("not done").count()
        if open_now == 0 or (open_now == open_before and 2**k >= open_now):
            break
        open_before = open_now
    circles = state.where("not done")
    found = circles.select(f.col("url").alias("to"), f.col("least").alias("of_circle"))
    of_circles = circles.join(found, "to").select(
        "url",
        f.col("of_circle.url").alias("end"),
        f.col("of_circle.site").alias("end_site"),
        f.lit(True).alias("is_circle"),
    )
    of_chains = state.where("done").select(
        "url", f.col("to").alias("end"), f.col("to_site").alias("end_site"), f.lit(False).alias("is_circle")
    )
    return work.save(name, of_chains.unionByName(of_circles))


def place_captures(
    work: WorkFolder, extracted: DataFrame, decided: DataFrame, past: DataFrame, aliases: DataFrame
) -> DataFrame:
    """The captures that are not pages of their own URLs: sweep, file, position, and where they go (`target`, `rank`; null:
    nowhere).

    Of fetched aliases that end at one URL, that URL's own capture speaks; else one of them: of its own site first, then the
    latest, then by URL. A past capture that named another URL goes where its own URL leads now.
    """
    place = ["sweep", "file", "position"]
    ends = decided.where("kind in ('page', 'noindex')").select(
        f.col("url").alias("end"), f.lit(True).alias("is_fetched")
    )
    fetched = aliases.where("kind = 'page'").join(ends, "end", "left")
    first = f.struct(
        (f.col("site") != f.col("end_site")).alias("is_other"), (-f.col("fetched_ms")).alias("late"), f.col("url")
    )
    speakers = (fetched.where("is_fetched is null").groupBy("end").agg(f.min(first).alias("first"))).select(
        "end", f.col("first.url").alias("speaker")
    )
    moved = fetched.join(speakers, "end", "left").select(
        *place,
        f.col("end").alias("target"),
        f.when(f.col("speaker") == f.col("url"), PAGE).otherwise(FOLDED).alias("rank"),
    )
    leads_on = f.col("end").isNotNull() & f.col("to").isNotNull()
    target = f.when(leads_on, f.col("end")).otherwise(f.col("url")).alias("target")
    kept = past.join(aliases.select("url", "end"), "url", "left").select(*place, target, f.lit(PAST).alias("rank"))
    pages = extracted.where("kind = 'page'").select(*place)
    known = decided.where("kind = 'page'").select(*place).unionByName(past.select(*place))
    lost = pages.join(known, place, "left_anti").select(
        *place, f.lit(None).cast("string").alias("target"), f.lit(None).cast("int").alias("rank")
    )
    return work.save("placed", moved.unionByName(kept).unionByName(lost).withColumn("is_placed", f.lit(True)))


def credit_windows(work: WorkFolder, stages: Stages, captures: DataFrame, aliases: DataFrame) -> DataFrame:
    """The anchor windows of the captures that speak, summed by the URL that they are credited to: some come several times."""
    windows = captures.where(f"rank = {PAGE} and length(windows) > 0").select("windows")
    summed = stages.run(windows, "windows")
    ends = aliases.select("url", "end")
    url = f.coalesce("end", "url").alias("url")
    credited = summed.join(ends, "url", "left").select(url, "windows", "window_count", "left_out_texts")
    return work.save("windows", credited)


def collapse(
    work: WorkFolder, stages: Stages, extracted: DataFrame, decided: DataFrame, past: DataFrame, aliases: DataFrame
) -> DataFrame:
    """The pages of the index with their global ids: the position of each in the order of all URLs."""
    placed = place_captures(work, extracted, decided, past, aliases)
    captures = (
        extracted.where("kind = 'page'")
        .select("file", "position", "url", "record", "windows")
        .join(placed.drop("sweep"), ["file", "position"], "left")
        .withColumn("rank", f.expr(f"if(is_placed, rank, {PAGE})"))
        .withColumn("target", f.coalesce("target", "url"))
        .where("rank is not null")
    )
    windows = credit_windows(work, stages, captures, aliases)
    file_captures = stages.numbers["captures"]["perFile"]
    sequence = (f.col("file") * file_captures + f.col("position")).alias("sequence")
    credited = windows.select("url", f.lit(WINDOWS).alias("rank"), f.col("windows").alias("record"))
    absent = decided.where("kind in ('noindex', 'gone')").select(
        "url", f.expr(f"if(kind = 'noindex', {HIDDEN}, {GONE})").alias("rank")
    )
    erased = (
        decided.where("erased_before is not null")
        .join(aliases.select("url", "end"), "url", "left")
        .select("url", "end", f.col("erased_before").alias("sequence"))
    )
    erasures = [
        erased.select("url", f.col("url").alias("own_url"), "sequence"),
        # What goes to another URL with an alias is erased there.
        erased.where("end is not null").select(f.col("end").alias("url"), f.col("url").alias("own_url"), "sequence"),
    ]
    rows = (
        captures.select(f.col("target").alias("url"), "rank", f.col("url").alias("own_url"), sequence, "record")
        .unionByName(credited, allowMissingColumns=True)
        .unionByName(absent, allowMissingColumns=True)
    )
    for erasure in erasures:
        rows = rows.unionByName(erasure.withColumn("rank", f.lit(ERASED)), allowMissingColumns=True)
    partitions = int(rows.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    in_order = rows.repartitionByRange(partitions, "url").sortWithinPartitions("url", "rank", "own_url")
    made = stages.run(in_order, "collapse")
    collapsed = work.save("collapsed", with_place(made))
    return numbered(collapsed, "page_id").withColumnRenamed("key_limit", "limit")


def numbered(rows: DataFrame, name: str) -> DataFrame:
    """Rows of sorted ranges with their position over all of them as a column."""
    counts = {row["range"]: row["count"] for row in rows.groupBy("range").count().collect()}
    starts, total = [], 0
    for range_number in sorted(counts):
        starts.append((range_number, total))
        total += counts[range_number]
    offsets = rows.sparkSession.createDataFrame(starts, "range int, start long")
    return (
        rows.join(f.broadcast(offsets), "range")
        .withColumn(name, f.col("start") + f.col("place"))
        .drop("range", "place", "start")
    )


def in_order(rows: DataFrame, *keys: str) -> DataFrame:
    """Rows sorted by keys over all partitions, with what `numbered` needs."""
    partitions = int(rows.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    ranged = rows.repartitionByRange(partitions, *keys).sortWithinPartitions(*keys)
    return with_place(ranged)


def with_place(rows: DataFrame) -> DataFrame:
    """Rows with the number of their partition and their place in it."""
    place = f.monotonically_increasing_id().bitwiseAND((1 << 33) - 1)
    return rows.withColumn("range", f.spark_partition_id()).withColumn("place", place)


def find_links(work: WorkFolder, pages: DataFrame, decided: DataFrame, aliases: DataFrame) -> DataFrame:
    """The distinct links of each page: page_id, target (a page id, null outside the index), is_followed.

    Links name URLs by their keys; those of aliases lead to the pages that speak for them. A link to the page itself is left
    out.
    """
    alias_keys = aliases.select("url", "end").join(decided.select("url", "url_key"), "url")
    ends = alias_keys.join(pages.select(f.col("url").alias("end"), "page_id"), "end").select("url_key", "page_id")
    own = pages.select("url_key", "page_id").join(ends, "url_key", "left_anti")
    known = own.unionByName(ends).select(f.col("url_key").alias("key"), f.col("page_id").alias("target"))
    links = page_links(pages).where("not is_folded")
    met = links.join(known, "key", "left").where("target is null or target != page_id")
    inside = met.where("target is not null").groupBy("page_id", "target").agg(f.max("is_followed").alias("is_followed"))
    outside = met.where("target is null").select("page_id", "target", "is_followed")
    return work.save("links", inside.unionByName(outside))


def page_links(pages: DataFrame) -> DataFrame:
    """A row for each distinct key of the links of a page: page_id, key, is_followed, is_folded (of a capture that another
    one speaks for)."""
    columns = pages.select("page_id", "links", "nofollow_links", "folded_links")
    return columns.mapInArrow(_explode_links, "page_id long, key long, is_followed boolean, is_folded boolean")


def _explode_links(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        pages, keys, followed, folded = [], [], [], []
        for page_id, *columns in zip(*(column.to_pylist() for column in batch.columns)):
            for place, links in enumerate(columns):
                distinct = np.unique(np.frombuffer(links, "<f8")).astype(np.int64)
                pages.append(np.full(len(distinct), page_id, np.int64))
                keys.append(distinct)
                followed.append(np.full(len(distinct), place == 0))
                folded.append(np.full(len(distinct), place == 2))
        if pages:
            arrays = [pa.array(np.concatenate(column)) for column in (pages, keys, followed, folded)]
            yield pa.RecordBatch.from_arrays(arrays, names=["page_id", "key", "is_followed", "is_folded"])
