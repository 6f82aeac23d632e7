"""What the pairs of folded pages say of all pages: their lists, and the members of clusters of copies."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f

from .copies import Copies
from .parts import in_parts, joined_in_parts
from .stage import Stages
from .work import WorkFolder


def list_copies(work: WorkFolder, stages: Stages, copies: Copies) -> DataFrame:
    """The lists of pages: page_id, rank, neighbor_id, shared, total; nearest first, ties by id.

    Equal pages are each other's nearest. Of a fold the first pages are enough for any list. The rules are those of
    src/join/copies/copy-neighbors.ts.
    """
    most = stages.numbers["lists"]["copyNeighbors"]
    figure = f.col("stored_shared").alias("shared"), f.col("stored_total").alias("total")
    pairs = copies.pairs.select(f.col("a").alias("folded_id"), f.col("b").alias("other"), *figure)
    swapped = copies.pairs.select(f.col("b").alias("folded_id"), f.col("a").alias("other"), *figure)
    near = copies.equal.unionByName(pairs).unionByName(swapped)
    by_id = Window.partitionBy("folded_id").orderBy("page_id")
    firsts = (
        copies.folds.withColumn("place", f.row_number().over(by_id))
        .where(f.col("place") <= most + 1)
        .select(f.col("folded_id").alias("other"), f.col("page_id").alias("neighbor_id"))
    )
    order = Window.partitionBy("folded_id").orderBy((f.col("shared") / f.col("total")).desc(), "neighbor_id")
    # Equal pages have the same list, each without itself.
    met = near.join(firsts, "other").withColumn("place", f.row_number().over(order))
    entry = f.struct("place", "neighbor_id", "shared", "total")
    nearest = met.where(f.col("place") <= most + 1).groupBy("folded_id")
    lists = nearest.agg(f.sort_array(f.collect_list(entry)).alias("entries"))
    others = f.filter("entries", lambda one: one["neighbor_id"] != f.col("page_id"))
    ranked = (
        joined_in_parts(copies.folds, lists, "folded_id")
        .select("page_id", f.posexplode(f.slice(others, 1, most)).alias("rank", "entry"))
        .select("page_id", "rank", "entry.neighbor_id", "entry.shared", "entry.total")
    )
    return work.save("copy-lists", ranked)


def find_members(work: WorkFolder, stages: Stages, copies: Copies, sketches: DataFrame) -> DataFrame:
    """The clusters of two pages and more: level, clustering, center_id, page_id, similarity.

    A center is the page whose URL comes first: the least id.
    """
    pages = copies.roots.withColumnRenamed("page_id", "folded_id").join(copies.folds, "folded_id")
    figures = pages.groupBy("level", "root").agg(f.count("*").alias("size"), f.min("page_id").alias("center_id"))
    clusters = figures.where("size > 1").select("level", "root", "center_id")
    of_centers = copies.folds.select(f.col("page_id").alias("center_id"), f.col("folded_id").alias("center_fold"))
    asked = (
        copies.roots.join(clusters, ["level", "root"])
        .join(of_centers, "center_id")
        .join(sketches.select("page_id", "keys", "limit", "shingle_count"), "page_id")
        .select(
            "level",
            "root",
            "page_id",
            (f.col("page_id") == f.col("center_fold")).alias("is_center"),
            "keys",
            "limit",
            "shingle_count",
        )
    )
    in_order = in_parts(asked, copies.roots, ["root", "level"], f.col("is_center"))
    compared = stages.run(in_order, "copy-figure").withColumnRenamed("page_id", "folded_id")
    members = compared.join(copies.folds, "folded_id").join(clusters, ["level", "root"])
    return work.save("copy-members", members.select("level", "clustering", "center_id", "page_id", "similarity"))
