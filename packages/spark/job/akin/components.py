"""Connected components in logarithmic rounds: alternating large stars and small stars.

    large star    every neighbor of u greater than u is joined to the smallest of u and its neighbors
    small star    u and every smaller neighbor are joined to the smallest of them

A page is joined to smaller ones only, so what remains is a star around the smallest page of each component. The rounds
end when nothing changes; what is left when few edges are is finished in the driver by union-find.

Source: Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii, SoCC 2014 (Connected Components in MapReduce and Beyond).
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from akin.work import WorkFolder

# Edges that the driver finishes alone: some 100 bytes each.
DRIVER_EDGES = 500_000


def find_components(
    edges: DataFrame, work: WorkFolder, name: str, driver_edges: int = DRIVER_EDGES
) -> tuple[DataFrame, int]:
    """(page_id, root) of each page with an edge, and the rounds: the smallest page of its component.

    edges: (a, b), either way round, any number of times.
    """
    stars = work.save(
        f"{name}-edges",
        edges.where("a <> b").select(F.greatest("a", "b").alias("u"), F.least("a", "b").alias("v")).distinct(),
    )
    rounds = 0
    state = _state(stars)
    while state[0] > driver_edges:
        rounds += 1
        before, stars = state, work.save(f"{name}-stars-{rounds}", _small_star(_large_star(stars)))
        state = _state(stars)
        if state == before:
            return _with_roots(stars), rounds
    return work.save(f"{name}-roots", _in_driver(stars)), rounds


def _state(stars: DataFrame) -> tuple[int, int]:
    """Equal for equal edges."""
    row = stars.agg(F.count("*"), F.coalesce(F.sum(F.xxhash64("u", "v").cast("decimal(38,0)")), F.lit(0))).first()
    return int(row[0]), int(row[1])


def _large_star(edges: DataFrame) -> DataFrame:
    both = edges.unionByName(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.min("v").alias("m")).select("u", F.least("u", "m").alias("m"))
    greater = both.where("v > u").join(least, "u")
    return greater.select(F.col("v").alias("u"), F.col("m").alias("v")).distinct()


def _small_star(edges: DataFrame) -> DataFrame:
    """Edges with u > v."""
    least = edges.groupBy("u").agg(F.min("v").alias("m"))
    smaller = edges.join(least, "u").where("v <> m").select(F.col("v").alias("u"), F.col("m").alias("v"))
    return smaller.unionByName(least.select("u", F.col("m").alias("v"))).distinct()


def _with_roots(stars: DataFrame) -> DataFrame:
    roots = stars.select(F.col("v").alias("page_id"), F.col("v").alias("root")).distinct()
    return stars.select(F.col("u").alias("page_id"), F.col("v").alias("root")).unionByName(roots)


def _in_driver(stars: DataFrame) -> DataFrame:
    parents: dict[int, int] = {}

    def find(page: int) -> int:
        while (parent := parents.setdefault(page, page)) != page:
            parents[page] = parents[parent]
            page = parents[page]
        return page

    for u, v in stars.toLocalIterator():
        low, high = sorted((find(u), find(v)))
        parents[high] = low
    rows = [(page, find(page)) for page in parents]
    return stars.sparkSession.createDataFrame(rows, "page_id bigint, root bigint")
