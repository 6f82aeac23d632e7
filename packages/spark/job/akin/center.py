"""CENTER in rounds: the clusters that one scan over the similar pairs in page order gives.

A page is a center where no smaller page that is similar to it is one; so the centers are the lexicographic-first
maximal independent set, and a page is decided when all smaller pages that are similar to it are. A round takes the
pages without an undecided smaller one for centers, and what they are similar to for members. A member belongs to its
smallest center. When few pairs are left, the driver scans them.

Source: src/cluster/center.ts; rounds: Blelloch, Fineman, Shun, SPAA 2012.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from akin.neighbors import similarity
from akin.work import WorkFolder

# Pairs that the driver finishes alone: some 100 bytes each.
DRIVER_PAIRS = 500_000


def similar_pairs(neighbors: DataFrame, threshold: float) -> DataFrame:
    """(lo, hi): pairs of that similarity or more in which one page is among the nearest of the other."""
    ends = F.least("page_id", "neighbor_id").alias("lo"), F.greatest("page_id", "neighbor_id").alias("hi")
    return neighbors.where(similarity() >= threshold).select(*ends).distinct()


def find_centers(
    pages: DataFrame, pairs: DataFrame, work: WorkFolder, driver_pairs: int = DRIVER_PAIRS
) -> tuple[DataFrame, int]:
    """(page_id, center_id) of all pages, and the rounds. pages: (page_id); pairs: (lo, hi), each once."""
    all_pairs = work.save("center-pairs", pairs)
    left = all_pairs
    members = left.select(F.col("hi").alias("page_id")).limit(0)
    rounds = 0
    count = left.count()
    while count > driver_pairs:
        rounds += 1
        undecided = left.select(F.col("hi").alias("lo")).distinct()
        centers = left.select("lo").distinct().join(undecided, "lo", "left_anti")
        taken = work.save(
            f"center-members-{rounds}",
            left.join(centers, "lo", "left_semi").select(F.col("hi").alias("page_id")).distinct(),
        )
        members = members.unionByName(taken)
        left = work.save(
            f"center-left-{rounds}",
            left.join(taken.withColumnRenamed("page_id", "hi"), "hi", "left_anti")
            .join(taken.withColumnRenamed("page_id", "lo"), "lo", "left_anti")
            .select("lo", "hi"),
        )
        count = left.count()
    if count > 0:
        members = members.unionByName(_scan(left))
    return work.save("centers", _assign(pages, all_pairs, members)), rounds


def _scan(pairs: DataFrame) -> DataFrame:
    members: set[int] = set()
    for lo, hi in sorted((row["lo"], row["hi"]) for row in pairs.toLocalIterator()):
        if lo not in members:
            members.add(hi)
    return pairs.sparkSession.createDataFrame([(page,) for page in members], "page_id bigint")


def _assign(pages: DataFrame, pairs: DataFrame, members: DataFrame) -> DataFrame:
    from_centers = pairs.join(members.withColumnRenamed("page_id", "lo"), "lo", "left_anti")
    center_of = from_centers.groupBy(F.col("hi").alias("page_id")).agg(F.min("lo").alias("center_id"))
    own = F.coalesce("center_id", "page_id").alias("center_id")
    return pages.select("page_id").join(center_of, "page_id", "left").select("page_id", own)
