"""The K nearest pages of every page: the local neighbor graph in rounds of joins.

    equal bags -> one      rows and min-hash values by the stage `signature`; a sample's exact neighbors
    first step             pages of a bucket of some repetitions meet (stage `compare`)
    rounds                 the pages around a page meet, through entries new since the last round only; more repetitions
    recall below target    more rounds; where one gains little, a looser row filter
    equal bags back        each page gets the pages of the groups

A bucket is what pages of one prefix of min-hash values form; one of more than `cap` pages is split by the next value, at
most `depth` deep. One that is still larger (pages that differ in little, of which each has more near ones than its list
holds) is cut into runs by a hash of the page, and counted. Two pages that meet are offered to each other, so a round
needs no looking back. A page that many hold meets at most `reverse` of its holders in a round. These numbers are those of the
local build (Stages.numbers).

Source: src/join/buckets/nearest-neighbor-graph.ts, of which this is the distributed form.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.window import Window

from akin.stage import Stages
from akin.work import WorkFolder

# Pages of one chunk of the exact search for the sample.
CHUNK_PAGES = 16384
# Standard deviations of slack of the row filter, and what it gets more where a round gains less than LEAST_GAIN.
SLACK = 0.5
LEAST_GAIN = 0.01
MOST_LOOSENED = 3


@dataclass(frozen=True)
class NeighborOptions:
    """Settings beside those of `akin index` (--neighbors, --recall, --seed, --set floor)."""

    recall_at: int = 10
    sample_size: int = 1024
    # Repetitions of a step, in fours; the first step has them alone, the others a round beside.
    repetitions: int = 12
    max_repetitions: int = 48
    max_rounds: int = 8


@dataclass(frozen=True)
class Recall:
    """Share of the sampled pages' nearest that was found, and the interval of 95 % (join/pairs/measured-recall.ts)."""

    recall: float
    low: float
    high: float
    sample_count: int


@dataclass(frozen=True)
class NeighborReport:
    recall: Recall
    distinct_count: int
    repetitions: int
    rounds: int
    # Buckets too large at the last depth, and the pages in them: cut into runs.
    capped_bucket_count: int
    capped_page_count: int
    # Recall after the repetitions and after each round.
    steps: tuple[float, ...]


def find_neighbors(
    bags: DataFrame,
    feature_count: int,
    stages: Stages,
    folder: WorkFolder,
    options: NeighborOptions = NeighborOptions(),
) -> tuple[DataFrame, NeighborReport]:
    """The nearest pages of every page: (page_id, rank, neighbor_id, shared, total, nearness), rank from 0, ties by id.

    bags: (page_id, features, weights), uint32 ascending and uint8, little-endian. Every similarity is exact.
    """
    k, floor, target_recall = (stages.options[name] for name in ("neighborLimit", "floor", "targetRecall"))
    cut = stages.numbers["buckets"]
    found = {
        "featureCount": feature_count,
        "blocks": math.ceil(options.max_repetitions / cut["blockRepetitions"]),
        "slack": SLACK,
        "recallAt": min(options.recall_at, k),
    }
    groups = folder.save("bag-groups", _equal_bags(bags))
    firsts = groups.where("page_id = group_id").select("page_id")
    signed = folder.save("signatures", stages.run(bags.join(firsts, "page_id", "left_semi"), "signature", found))
    distinct_count = signed.count()
    truth = folder.save("truth", _truth(signed, distinct_count, stages, found, options))

    steps: list[float] = []
    lists: DataFrame | None = None
    recall = Recall(0.0, 0.0, 0.0, 0)
    repetitions, capped_buckets, capped_pages = 0, 0, 0
    while recall.low < target_recall and len(steps) <= options.max_rounds:
        step = len(steps)
        until = min(options.max_repetitions, repetitions + options.repetitions)
        buckets = (
            folder.save(f"buckets-{step}", _buckets(signed, repetitions, until, cut)) if repetitions < until else None
        )
        repetitions = until
        if buckets is not None:
            buckets_cut, pages_cut = _capped(buckets)
            capped_buckets, capped_pages = capped_buckets + buckets_cut, capped_pages + pages_cut
        members = _members(lists, buckets, signed, step, k, floor, cut)
        met = stages.run(members, "compare", found).withColumn("is_new", F.lit(True))
        if lists is not None:
            met = met.unionByName(lists.drop("rank").withColumn("is_new", F.lit(False)))
        lists = folder.save(f"lists-{step}", _nearest(met, k))
        before, recall = recall, _recall(truth, lists, distinct_count, stages)
        steps.append(recall.recall)
        if recall.recall - before.recall < LEAST_GAIN and found["slack"] < SLACK * (1 + MOST_LOOSENED):
            # What rounds cannot find any more the filter keeps out: all paths are walked again.
            found = {**found, "slack": found["slack"] + SLACK}
            lists = lists.withColumn("is_new", F.lit(True))
    equal = stages.numbers["lists"]["equalNearness"]
    expanded = folder.save("neighbors", _expand(lists, groups, bags, k, equal))
    report = NeighborReport(
        recall, distinct_count, repetitions, len(steps) - 1, capped_buckets, capped_pages, tuple(steps)
    )
    return expanded, report


def similarity() -> Column:
    """As the local build has it: equal fractions give equal numbers."""
    return F.col("shared").cast("double") / F.col("total")


def _equal_bags(bags: DataFrame) -> DataFrame:
    """(page_id, group_id): the smallest page with the same bag; pages with an empty bag are left out."""
    digest = F.sha2(F.concat(F.col("features"), F.col("weights")), 256)
    keyed = bags.where(F.length("weights") > 0).select("page_id", digest.alias("digest"))
    smallest = keyed.groupBy("digest").agg(F.min("page_id").alias("group_id"))
    return keyed.join(smallest, "digest").select("page_id", "group_id")


def _buckets(signed: DataFrame, first: int, last: int, cut: dict[str, int]) -> DataFrame:
    """(bucket, page_id, capped_size) of the repetitions first .. last - 1; capped_size is null where nothing was cut.

    One shuffle: windows over longer and longer prefixes of a page's values keep the partition of the first value.
    """
    cap, most = cut["cap"], cut["depth"]
    values = f"substring(minima, {4 * most} * repetition + 1, {4 * most})"
    repetition = F.explode(F.sequence(F.lit(first), F.lit(last - 1))).alias("repetition")
    rows = signed.select("page_id", "minima", repetition).select("page_id", "repetition", F.expr(values).alias("path"))
    rows = rows.withColumn("p1", F.substring("path", 1, 4))
    # The value first: rows are sorted by the first column fast, by the others slowly.
    prefixes: list[Column] = [F.col("p1"), F.col("repetition")]
    for depth in range(1, most + 1):
        rows = rows.withColumn(f"c{depth}", F.count("*").over(Window.partitionBy(*prefixes)))
        prefixes.append(F.substring("path", 4 * depth + 1, 4))
    depth, size = F.lit(most), F.col(f"c{most}")
    for d in range(most - 1, 0, -1):
        fits = F.col(f"c{d}") <= cap
        depth, size = F.when(fits, F.lit(d)).otherwise(depth), F.when(fits, F.col(f"c{d}")).otherwise(size)
    sized = rows.withColumn("depth", depth).withColumn("size", size).where("size > 1")
    capped = F.when(F.col("size") > cap, F.col("size"))
    run = F.pmod(F.xxhash64("page_id"), F.ceil(capped / cap))
    name = F.concat_ws("-", "repetition", F.hex(F.expr("substring(path, 1, 4 * depth)")), run)
    return sized.select(name.alias("bucket"), "page_id", capped.alias("capped_size"))


def _capped(buckets: DataFrame) -> tuple[int, int]:
    """Buckets that were cut into runs, and their pages."""
    whole = F.regexp_replace("bucket", "-[0-9]+$", "")
    cut = buckets.where("capped_size is not null").groupBy(whole).count()
    row = cut.agg(F.count("*"), F.coalesce(F.sum("count"), F.lit(0))).first()
    return row[0], row[1]


def _members(
    lists: DataFrame | None,
    buckets: DataFrame | None,
    signed: DataFrame,
    step: int,
    k: int,
    floor: float,
    cut: dict[str, int],
) -> DataFrame:
    """The pages of the groups of a step, as the stage `compare` reads them: of buckets, and of what is around pages."""
    groups: list[DataFrame] = []
    pages = signed.select("page_id", "row", "entries")
    if buckets is not None:
        groups.append(buckets.select("bucket", "page_id", F.lit(True).alias("is_new")))
    if lists is None:
        pages = pages.withColumn("known", F.lit("")).withColumn("bound", F.lit(floor))
    else:
        groups.append(_around(lists, step, cut["reverse"]))
        known = lists.groupBy("page_id").agg(
            F.array_join(F.collect_list("neighbor_id"), " ").alias("known"),
            F.when(F.count("*") == k, F.min(similarity())).otherwise(floor).alias("bound"),
        )
        pages = pages.join(known, "page_id", "left").fillna({"known": "", "bound": floor})
    members = functools.reduce(DataFrame.unionByName, groups).join(pages, "page_id")
    return members.repartition("bucket").sortWithinPartitions("bucket", "page_id")


def _nearest(met: DataFrame, k: int) -> DataFrame:
    """The k nearest of each page, nearest first, ties by id. A pair that was there before is not new."""
    once = met.groupBy("page_id", "neighbor_id").agg(
        *(F.first(name).alias(name) for name in ("shared", "total", "nearness")), F.min("is_new").alias("is_new")
    )
    return _ranked(once, k)


def _ranked(pairs: DataFrame, k: int) -> DataFrame:
    order = Window.partitionBy("page_id").orderBy(similarity().desc(), "neighbor_id")
    # Asked of the number itself, a limit ends each sort early.
    first = pairs.withColumn("place", F.row_number().over(order)).where(F.col("place") <= k)
    return first.withColumn("rank", F.col("place") - 1).drop("place")


def _around(lists: DataFrame, step: int, reverse: int) -> DataFrame:
    """The groups of a round: the neighbors both ways of each page, where one of them is new."""
    forward = lists.select(F.col("page_id").alias("bucket"), F.col("neighbor_id").alias("page_id"), "is_new")
    lot = Window.partitionBy("neighbor_id").orderBy(F.xxhash64("page_id", "neighbor_id", F.lit(step)))
    backward = (
        lists.withColumn("lot", F.row_number().over(lot))
        .where(F.col("lot") <= reverse)
        .select(F.col("neighbor_id").alias("bucket"), "page_id", "is_new")
    )
    edges = forward.unionByName(backward).groupBy("bucket", "page_id").agg(F.max("is_new").alias("is_new"))
    moving = edges.where("is_new").select("bucket").distinct()
    return edges.join(moving, "bucket", "left_semi").withColumn("bucket", F.col("bucket").cast("string"))


def _truth(
    signed: DataFrame, distinct_count: int, stages: Stages, found: dict[str, object], options: NeighborOptions
) -> DataFrame:
    """The exact nearest pages of sampled ones: (page_id, wanted, least), the similarity of the last of them."""
    sample = (
        signed.select("page_id", "entries").orderBy(F.xxhash64("page_id", F.lit("sample"))).limit(options.sample_size)
    )
    chunks = max(1, math.ceil(distinct_count / CHUNK_PAGES))
    numbers = F.explode(F.sequence(F.lit(0), F.lit(chunks - 1)))
    copies = sample.select(numbers.alias("chunk"), F.lit(True).alias("is_sample"), "page_id", "entries")
    others = signed.join(sample.select("page_id"), "page_id", "left_anti").select(
        F.pmod(F.xxhash64("page_id"), F.lit(chunks)).cast("int").alias("chunk"),
        F.lit(False).alias("is_sample"),
        "page_id",
        "entries",
    )
    grouped = copies.unionByName(others).repartition(chunks, "chunk")
    met = stages.run(grouped.sortWithinPartitions("chunk", F.desc("is_sample"), "page_id"), "truth", found)
    nearest = _ranked(met.distinct(), found["recallAt"])
    return nearest.groupBy("page_id").agg(F.count("*").alias("wanted"), F.min(similarity()).alias("least"))


def _recall(truth: DataFrame, lists: DataFrame, page_count: int, stages: Stages) -> Recall:
    """Of the sample, at a tie at the end of the list any of the tied counts."""
    near = lists.join(truth, "page_id").where(similarity() >= F.col("least"))
    held = near.groupBy("page_id").agg(F.count("*").alias("held"))
    counts = truth.join(held, "page_id", "left").select(
        F.col("wanted").cast("int").alias("wanted"),
        F.least("wanted", F.coalesce("held", F.lit(0))).cast("int").alias("held"),
    )
    row = stages.run(counts.coalesce(1), "recall", {"pageCount": page_count}).first()
    return Recall(1.0, 1.0, 1.0, 0) if row is None else Recall(**row.asDict())


def _expand(lists: DataFrame, groups: DataFrame, bags: DataFrame, k: int, equal: int) -> DataFrame:
    """The lists of all pages from those of the first pages of equal bags, of which the nearness is `equal`.

    A page has the others of its own group first, then the pages of the neighboring groups; no more than k + 1 pages of
    a group can come into a list.
    """
    by_page = Window.partitionBy("group_id").orderBy("page_id")
    sized = groups.withColumn("place", F.row_number().over(by_page)).where(F.col("place") <= k + 1)
    few = sized.select("group_id", F.col("page_id").alias("other_id"))
    figures = "shared", "total", "nearness"
    sums = bags.select(F.col("page_id").alias("group_id"), F.col("sum").alias("shared"))
    figures_of_equal = F.col("shared").alias("total"), F.lit(equal).alias("nearness")
    own = (
        groups.join(few, "group_id")
        .where("page_id <> other_id")
        .join(sums, "group_id")
        .select("page_id", F.col("other_id").alias("neighbor_id"), "shared", *figures_of_equal)
    )
    of_group = lists.join(few.withColumnRenamed("group_id", "neighbor_id"), "neighbor_id").select(
        "page_id", F.col("other_id").alias("neighbor_id"), *figures
    )
    wide = _ranked(of_group, k).withColumnRenamed("page_id", "group_id")
    others = groups.join(wide, "group_id").select("page_id", "neighbor_id", *figures)
    return _ranked(own.unionByName(others), k).select("page_id", "rank", "neighbor_id", *figures)


def rank_by_votes(neighbors: DataFrame, stages: Stages) -> DataFrame:
    """The same lists in the order of their votes (stage `votes`)."""
    packed: Callable[[Column], Column] = lambda entries: F.array_join(
        F.transform(entries, lambda e: F.concat_ws(" ", e["neighbor_id"], e["shared"], e["total"])), " "
    )
    entry = F.struct("rank", "neighbor_id", "shared", "total", "nearness")
    lists = neighbors.groupBy("page_id").agg(F.sort_array(F.collect_list(entry)).alias("entries"))
    own = lists.select(
        "page_id",
        F.col("page_id").alias("owner_id"),
        packed(F.col("entries")).alias("list"),
        F.array_join(F.col("entries.nearness"), " ").alias("nearness"),
    )
    voters = lists.select(
        F.col("page_id").alias("owner_id"),
        packed(F.slice("entries", 1, stages.numbers["lists"]["voters"])).alias("list"),
        F.lit("").alias("nearness"),
    )
    asked = neighbors.select("page_id", F.col("neighbor_id").alias("owner_id")).join(voters, "owner_id")
    rows = own.unionByName(asked.select("page_id", "owner_id", "list", "nearness"))
    return stages.run(rows.repartition("page_id").sortWithinPartitions("page_id"), "votes")
