"""Labels of topics: the words that tell a cluster from the collection."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

from .stage import Stages
from .work import WorkFolder


def make_labels(
    work: WorkFolder, stages: Stages, bags: DataFrame, features: DataFrame, names: DataFrame, levels: DataFrame
) -> DataFrame:
    """The words that tell a cluster from the collection: level, center_id, label; see src/cluster/label.ts.

    names: page_id, origin; levels: level, center_id, page_id, of which each has whole clusters of the one below.
    """
    rule = stages.numbers["labels"]
    tight = work.save("label-words", _tight_words(bags, names, levels))
    in_all = tight.groupBy("feature_id").agg(f.sum("weight").alias("in_all"))
    total_of_all = f.lit(float(bags.agg(f.sum("sum")).first()[0] or 0)).alias("total_of_all")
    repeated = work.save("host-words", _repeated(tight, names, rule))
    in_cluster = _words_by_level(work, tight, repeated, levels)
    of_words = [part for part, kind in stages.kinds.items() if kind == "words"]
    words = features.where(f.col("part_name").isin(*of_words)).select("feature_id", "key", "term")
    # By center first: rows are sorted by the first column fast, by the others slowly.
    of_cluster = ["center_id", "level"]
    figures = (
        levels.join(bags.select("page_id", "sum"), "page_id", "left")
        .groupBy(*of_cluster)
        .agg(f.sum("sum").alias("total"), f.count("*").alias("size"))
    )
    score = f.expr(stages.numbers["formulas"]["labelScore"])
    best = Window.partitionBy(*of_cluster).orderBy(f.col("score").desc(), "feature_id")
    first_of_word = Window.partitionBy(*of_cluster, "key").orderBy("place")
    # Words are joined to the few that are best: names are wider than figures.
    named = (
        in_cluster.join(in_all.join(words, "feature_id", "left_semi"), "feature_id")
        .join(figures, of_cluster)
        .select("*", total_of_all)
        .select(*of_cluster, "feature_id", score.alias("score"))
        .withColumn("place", f.row_number().over(best))
        .where(f.col("place") <= rule["terms"] * len(of_words))
        .where((f.col("score") >= rule["leastScore"]) | (f.col("place") == 1))
        .join(words, "feature_id")
        .withColumn("of_word", f.row_number().over(first_of_word))
        .where("of_word = 1")
    )
    terms = f.sort_array(f.collect_list(f.struct("place", "term")))
    label = f.array_join(f.transform(f.slice(terms, 1, rule["terms"]), lambda one: one["term"]), ", ")
    return work.save("labels", named.groupBy("level", "center_id").agg(label.alias("label")))


def _tight_words(bags: DataFrame, names: DataFrame, levels: DataFrame) -> DataFrame:
    """What the pages of a host have of each word, by tight cluster: center_id, origin (hashed), feature_id, weight, pages."""
    rows = (
        bags.select("page_id", "features", "weights")
        .join(names.select("page_id", _origin()), "page_id")
        .join(levels.where("level = 0").select("page_id", "center_id"), "page_id")
        .select("center_id", "origin", "features", "weights")
    )
    entries = rows.mapInArrow(_explode_bags, "center_id long, origin long, feature_id long, weight long")
    sums = f.sum("weight").alias("weight"), f.count("*").alias("pages")
    return entries.groupBy("center_id", "origin", "feature_id").agg(*sums)


def _origin() -> Column:
    return f.xxhash64("origin").alias("origin")


def _repeated(tight: DataFrame, names: DataFrame, rule: dict) -> DataFrame:
    """Words that many pages of a host have, and the share that has them; see src/cluster/host-words.ts."""
    sizes = (
        names.groupBy(_origin())
        .agg(f.count("*").alias("host_pages"))
        .where(f.col("host_pages") >= rule["leastHostPages"])
    )
    counts = tight.groupBy("origin", "feature_id").agg(f.sum("pages").alias("pages"))
    share = (f.col("pages") / f.col("host_pages")).alias("share")
    shares = counts.join(sizes, "origin").select("origin", "feature_id", share)
    return shares.where(f.col("share") >= rule["leastHostShare"])


def _words_by_level(work: WorkFolder, tight: DataFrame, repeated: DataFrame, levels: DataFrame) -> DataFrame:
    """level, center_id, feature_id, weight, pages (less what their hosts repeat): each level from the one below."""
    own = f.sum(f.col("pages") * (1 - f.coalesce("share", f.lit(0.0)))).alias("pages")
    counted = tight.join(repeated, ["origin", "feature_id"], "left").groupBy("center_id", "feature_id")
    below = work.save("label-words-0", counted.agg(f.sum("weight").alias("weight"), own))
    every = below.withColumn("level", f.lit(0))
    for level in range(1, levels.agg(f.max("level")).first()[0] + 1):
        above = levels.where(f.col("level") == level).select(f.col("page_id").alias("below_id"), "center_id")
        sums = f.sum("weight").alias("weight"), f.sum("pages").alias("pages")
        summed = (
            below.withColumnRenamed("center_id", "below_id").join(above, "below_id").groupBy("center_id", "feature_id")
        )
        below = work.save(f"label-words-{level}", summed.agg(*sums))
        every = every.unionByName(below.withColumn("level", f.lit(level)))
    return every


def _explode_bags(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        lengths, features, weights = [], [], []
        for ids, of_ids in zip(batch.column(2).to_pylist(), batch.column(3).to_pylist()):
            features.append(np.frombuffer(ids, "<u4"))
            weights.append(np.frombuffer(of_ids, "u1"))
            lengths.append(len(features[-1]))
        if features:
            columns = [np.repeat(batch.column(place).to_numpy(zero_copy_only=False), lengths) for place in (0, 1)]
            columns += [np.concatenate(column).astype(np.int64) for column in (features, weights)]
            yield pa.RecordBatch.from_arrays(
                [pa.array(column) for column in columns], names=["center_id", "origin", "feature_id", "weight"]
            )
