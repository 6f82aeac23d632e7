"""Clusters of topics and of copies as shards hold them: numbered over all, named, and divided by the shards of members."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from .labels import make_labels
from .pages import in_order, numbered
from .parts import in_parts
from .stage import Stages
from .work import WorkFolder


@dataclass(frozen=True)
class Clustered:
    """What clusters are made of; None where a relation is left out."""

    bags: DataFrame
    features: DataFrame
    #: Clusters of topics: page_id, level, center_id; every page in every level.
    levels: DataFrame | None
    #: Clusters of copies: level, clustering (its name), center_id, page_id, similarity.
    copy_members: DataFrame | None


def place_clusters(
    work: WorkFolder, of_count: WorkFolder, stages: Stages, found: Clustered, names: DataFrame
) -> DataFrame | None:
    """Each cluster once for each shard that has members of it; `members` are those of the shard. None without clusters.

    names: page_id, url, origin, title, shard. A cluster's parent has all its members, so it is in the shards of these by itself.
    """
    parts = []
    first = 0
    if found.levels is not None:
        topics, first = _topic_clusters(work, stages, found, names)
        parts.append(topics)
    if found.copy_members is not None:
        parts.append(_copy_clusters(work, stages, found, names, first))
    if not parts:
        return None
    every = parts[0]
    for more in parts[1:]:
        every = every.unionByName(more)
    return of_count.save("shard-clusters", every)


def _topic_clusters(work: WorkFolder, stages: Stages, found: Clustered, names: DataFrame) -> tuple[DataFrame, int]:
    levels = work.save("levels", found.levels.select(f.col("level").cast("int").alias("level"), "center_id", "page_id"))
    numbers = levels.select("level", "center_id").distinct()
    # The ids of clusters ascend by level and center.
    cluster_ids = numbered(work.save("cluster-ids", in_order(numbers, "level", "center_id")), "id")
    with_bags = levels.join(found.bags.select("page_id", "features", "weights"), "page_id", "left")
    by_center = in_parts(with_bags, levels, ["center_id", "level"], f.col("page_id") == f.col("center_id"))
    members = work.save("members", stages.run(by_center, "member-similarity"))
    figures = members.groupBy("level", "center_id").agg(f.count("*").alias("size"), f.min("similarity").alias("radius"))
    above = levels.select(
        (f.col("level") - 1).alias("level"),
        f.col("page_id").alias("center_id"),
        f.col("center_id").alias("parent_center"),
    )
    parents = cluster_ids.select(
        (f.col("level") - 1).alias("level"), f.col("center_id").alias("parent_center"), f.col("id").alias("parent_id")
    )
    clusters = work.save(
        "topic-clusters",
        cluster_ids.join(figures, ["level", "center_id"])
        .join(above, ["level", "center_id"], "left")
        .join(parents, ["level", "parent_center"], "left")
        .join(names.select(f.col("page_id").alias("center_id"), "url", "title"), "center_id")
        .join(make_labels(work, stages, found.bags, found.features, names, levels), ["level", "center_id"], "left")
        .select(
            f.lit(stages.numbers["relations"]["topic"]).alias("relation"),
            "id",
            "level",
            "center_id",
            "parent_id",
            "size",
            "radius",
            f.coalesce("label", f.lit("")).alias("label"),
            "url",
            "title",
        ),
    )
    return _by_shard(clusters, members, names), clusters.count()


def _copy_clusters(work: WorkFolder, stages: Stages, found: Clustered, names: DataFrame, first: int) -> DataFrame:
    members = found.copy_members
    figures = members.groupBy("level", "clustering", "center_id").agg(
        f.count("*").alias("size"), f.min("similarity").alias("radius")
    )
    placed = work.save("copy-cluster-ids", in_order(figures, "level", "center_id"))
    clusters = (
        numbered(placed, "id")
        .withColumn("id", f.col("id") + first)
        .join(names.select(f.col("page_id").alias("center_id"), "url", "title"), "center_id")
        .select(
            f.lit(stages.numbers["relations"]["copy"]).alias("relation"),
            "id",
            f.col("level").cast("int").alias("level"),
            "center_id",
            f.lit(None).cast("int").alias("parent_id"),
            "size",
            "radius",
            f.lit("").alias("label"),
            "url",
            "title",
        )
    )
    return _by_shard(
        clusters, members.select(f.col("level").cast("int").alias("level"), "center_id", "page_id", "similarity"), names
    )


def _by_shard(clusters: DataFrame, members: DataFrame, names: DataFrame) -> DataFrame:
    member = f.struct("page_id", "similarity")
    own = (
        members.join(names.select("page_id", "shard"), "page_id")
        .groupBy("level", "center_id", "shard")
        .agg(f.sort_array(f.collect_list(member)).alias("members"))
    )
    return clusters.join(own, ["level", "center_id"])


def packed_clusters(clusters: DataFrame) -> DataFrame:
    """shard, relation, id, URL and title of the center, and the cluster with its members as JSON."""
    cluster = f.struct(
        "id",
        "level",
        f.col("center_id").alias("centerId"),
        f.col("parent_id").alias("parentId"),
        "size",
        "radius",
        "label",
    )
    members = f.transform(
        "members", lambda one: f.struct(one["page_id"].alias("pageId"), one["similarity"].alias("similarity"))
    )
    rows = f.concat(f.lit("["), f.to_json(cluster), f.lit(","), f.to_json(members), f.lit("]"))
    return clusters.select(
        "shard", "relation", f.col("id").cast("long").alias("id"), "url", "title", rows.alias("json")
    )
