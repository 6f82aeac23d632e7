"""The last steps: what each shard holds of the pages, lists and clusters of the whole, and its index file."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from .clusters import Clustered, packed_clusters, place_clusters
from .pages import page_links
from .stage import StageError, Stages
from .work import WorkFolder


@dataclass(frozen=True)
class Whole:
    """What the steps before have found; None where a relation is left out."""

    pages: DataFrame
    decided: DataFrame
    aliases: DataFrame
    links: DataFrame
    link_urls: DataFrame
    features: DataFrame
    bags: DataFrame
    part_page_counts: dict[str, int]
    #: What became of them, by sweep.
    records: dict[int, dict[str, object]]
    #: Final lists by relation: page_id, rank, neighbor_id, shared, total; where votes order them, nearness too.
    lists: dict[int, DataFrame] = field(default_factory=dict)
    #: Clusters of topics: page_id, level, center_id; every page in every level.
    levels: DataFrame | None = None
    #: Clusters of copies: level, clustering (its name), center_id, page_id, similarity.
    copy_members: DataFrame | None = None
    #: Templates of hosts: host, key.
    templates: DataFrame | None = None
    measured: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Target:
    """Where the shards go."""

    folder: str
    put: list[str] | None
    shard_count: int
    index: str
    #: Their names, the oldest first.
    sweeps: list[str]
    started_at_ms: int
    memory_bytes: int


def write_shards(work: WorkFolder, stages: Stages, whole: Whole, target: Target) -> list[dict]:
    """Makes the index files, one a task. Returns what the stage says of each; raises StageError where one is missing."""
    count = target.shard_count
    of_hash = (f.col("url_hash") % count).cast("int")
    shown = show_titles(work, stages, whole.pages)
    of_count = work.below(f"shards-{count}")
    names = of_count.save(
        "page-names",
        whole.pages.select(
            "page_id", "url", "url_key", "url_hash", "origin", "lang", "fetched", of_hash.alias("shard")
        ).join(shown, "page_id"),
    )
    aliases = of_count.save("shard-aliases", _aliases(whole, names, of_hash))
    lists = _lists(whole, names)
    clustered = Clustered(whole.bags, whole.features, whole.levels, whole.copy_members)
    clusters = place_clusters(work, of_count, stages, clustered, names)
    rows = [
        _own_pages(whole, names),
        _elsewhere(names, _named_pages(stages, names, aliases, whole, clusters)),
        _alias_rows(aliases, names),
        _answers(whole, of_hash),
        _link_urls(work, whole, names),
        _features(whole, count),
        *lists,
        *([] if clusters is None else [packed_clusters(clusters).withColumn("step", f.lit("cluster"))]),
        *_templates(whole, names),
        _heads(whole, target, names.sparkSession),
    ]
    every = rows[0]
    for more in rows[1:]:
        every = every.unionByName(more, allowMissingColumns=True)
    columns = stages.describe("shard")["input"]
    for column in ("relation", "id"):
        every = every.withColumn(column, f.coalesce(column, f.lit(0)))
    # By its place among the rows of a shard.
    order = f.array(*(f.lit(row) for row in stages.numbers["shards"]["rows"]))
    every = every.withColumn("step", f.array_position(order, f.col("step")).cast("int") - 1).select(*columns)
    ordered = _one_task_each(every, count).sortWithinPartitions("shard", "step", "relation", "id", "url")
    found = {
        "folder": target.folder,
        "shardCount": count,
        "pageCount": names.count(),
        "index": target.index,
        "sweeps": target.sweeps,
        "startedAtMs": target.started_at_ms,
        "memoryBytes": target.memory_bytes,
        **({"put": target.put} if target.put else {}),
    }
    made = [row.asDict() for row in work.collect("shards", stages.run(ordered, "shard", found))]
    if len(made) != count:
        raise StageError(f"{len(made)} of {count} shards could be made; the logs of the executors say why")
    return sorted(made, key=lambda shard: shard["shard"])


def _one_task_each(rows: DataFrame, count: int) -> DataFrame:
    """The rows of each shard in a partition of their own: by numbers that Spark's hash sends to different ones.

    Ranges would be drawn from a sample, for which Spark would make the rows twice.
    """
    place = f.pmod(f.hash("id"), f.lit(count)).alias("place")
    numbers = (
        rows.sparkSession.range(40 * count + 1000).select("id", place).groupBy("place").agg(f.min("id").alias("id"))
    )
    number_of = {row["place"]: row["id"] for row in numbers.collect()}
    numbered_shards = f.array(*(f.lit(number_of[shard]).cast("long") for shard in range(count)))
    return rows.repartition(count, f.element_at(numbered_shards, f.col("shard") + 1))


def show_titles(work: WorkFolder, stages: Stages, pages: DataFrame) -> DataFrame:
    """page_id and title to show: without what the titles of a host share."""
    if stages.options["keepTitles"]:
        return pages.select("page_id", "title")
    distinct = pages.where("fetched and not is_gone").select("origin", "title").distinct()
    shared = stages.run(distinct.repartition("origin").sortWithinPartitions("origin"), "shared-titles")
    joined = pages.select("page_id", "title", "origin", "fetched").join(
        work.save("shared-titles", shared), "origin", "left"
    )
    is_cut = f.col("fetched") & f.col("shared").isNotNull()
    cut = stages.run(joined.where(is_cut), "shown-title")
    return cut.unionByName(joined.where(~is_cut).select("page_id", "title"))


def _own_pages(whole: Whole, names: DataFrame) -> DataFrame:
    met = whole.links
    inside = met.where("target is not null").select("page_id", "target")
    outgoing = inside.groupBy("page_id").agg(
        f.array_join(f.sort_array(f.collect_list("target")), " ").alias("numbers"), f.count("*").alias("inside")
    )
    outside = met.where("target is null").groupBy("page_id").agg(f.count("*").alias("outside"))
    incoming = inside.groupBy("target").agg(f.count("*").alias("count")).withColumnRenamed("target", "page_id")
    nothing = f.lit(0)
    gone = (
        whole.pages.where("is_gone")
        .select("page_id", "url")
        .join(whole.decided.select("url", "sweep"), "url")
        .drop("url")
    )
    return (
        whole.pages.select("page_id", "record")
        .join(gone, "page_id", "left")
        .join(names.select("page_id", "shard", "title"), "page_id")
        .join(whole.bags.select("page_id", "features", "weights"), "page_id", "left")
        .join(outgoing, "page_id", "left")
        .join(outside, "page_id", "left")
        .join(incoming, "page_id", "left")
        .select(
            "shard",
            f.lit("page").alias("step"),
            f.col("page_id").alias("id"),
            "title",
            f.coalesce("count", nothing).alias("count"),
            (f.coalesce("inside", nothing) + f.coalesce("outside", nothing)).alias("out_count"),
            "sweep",
            "record",
            "features",
            "weights",
            "numbers",
        )
    )


def _aliases(whole: Whole, names: DataFrame, of_hash) -> DataFrame:
    """url, end, kind, shard of the URL, and page and shard of the end (null where nothing is there)."""
    own = whole.aliases.join(whole.decided.select("url", "url_key", "url_hash"), "url")
    ends = names.select(f.col("url").alias("end"), f.col("page_id").alias("end_id"), f.col("shard").alias("end_shard"))
    kind = f.when(f.col("kind") == "redirect", "redirect").otherwise("canonical").alias("kind")
    return own.join(ends, "end", "left").select(
        "url", "url_key", "end", kind, of_hash.alias("shard"), "end_id", "end_shard"
    )


def _alias_rows(aliases: DataFrame, names: DataFrame) -> DataFrame:
    own = aliases.select("shard", "url", "end", "kind")
    led_to = aliases.where("end_shard is not null").select(f.col("end_shard").alias("shard"), "url", "end", "kind")
    return (
        own.unionByName(led_to)
        .distinct()
        .select("shard", f.lit("alias").alias("step"), "url", f.col("end").alias("to"), "kind")
    )


def _answers(whole: Whole, of_hash) -> DataFrame:
    others = whole.decided.where("kind != 'page'")
    to = f.when(f.col("kind") == "redirect", f.col("to")).alias("to")
    return others.select(of_hash.alias("shard"), f.lit("answer").alias("step"), "url", "kind", to, "sweep", "fetched_ms")


def _link_urls(work: WorkFolder, whole: Whole, names: DataFrame) -> DataFrame:
    wanted = page_links(whole.pages).join(names.select("page_id", "shard"), "page_id").select("shard", "key").distinct()
    urls = whole.link_urls.select("key", "url").distinct()
    return wanted.join(urls, "key").select("shard", f.lit("link").alias("step"), "url")


def _features(whole: Whole, count: int) -> DataFrame:
    shards = whole.features.sparkSession.range(count).select(f.col("id").cast("int").alias("shard"))
    return whole.features.crossJoin(f.broadcast(shards)).select(
        "shard",
        f.lit("feature").alias("step"),
        f.col("feature_id").alias("id"),
        f.col("part_name").alias("kind"),
        f.col("stem").alias("title"),
        f.col("term").alias("to"),
        f.col("page_count").alias("count"),
    )


def _lists(whole: Whole, names: DataFrame) -> list[DataFrame]:
    rows = []
    for relation, lists in whole.lists.items():
        figures = [name for name in ("shared", "total", "nearness") if name in lists.columns]
        entry = f.struct("rank", f.concat_ws(" ", "neighbor_id", *figures).alias("numbers"))
        packed = lists.groupBy("page_id").agg(
            f.array_join(f.transform(f.sort_array(f.collect_list(entry)), lambda one: one["numbers"]), " ").alias(
                "numbers"
            )
        )
        rows.append(
            packed.join(names.select("page_id", "shard"), "page_id").select(
                "shard",
                f.lit("list").alias("step"),
                f.lit(relation).alias("relation"),
                f.col("page_id").alias("id"),
                "numbers",
            )
        )
    return rows


def _named_pages(
    stages: Stages, names: DataFrame, aliases: DataFrame, whole: Whole, clusters: DataFrame | None
) -> list[DataFrame]:
    """shard, page_id: the pages that rows of a shard name; which rows do is said by src/indexer/shards/naming-rows.ts."""
    shards = names.select("page_id", "shard")
    rows = {
        "alias": [aliases.where("end_id is not null")],
        "list": [lists.join(shards, "page_id") for lists in whole.lists.values()],
        "cluster": [] if clusters is None else [clusters],
    }
    naming = stages.numbers["shards"]["naming"]
    return [one.select("shard", f.col(page).alias("page_id")) for row, page in naming.items() for one in rows[row]]


def _elsewhere(names: DataFrame, named: list[DataFrame]) -> DataFrame:
    """Pages of other shards that rows of a shard name."""
    wanted = functools.reduce(DataFrame.unionByName, named).distinct().withColumnRenamed("shard", "by")
    return (
        wanted.join(names, "page_id")
        .where("by != shard")
        .select(
            f.col("by").alias("shard"),
            f.lit("elsewhere").alias("step"),
            f.col("page_id").alias("id"),
            "url",
            "title",
            "lang",
            "fetched",
        )
    )


def _templates(whole: Whole, names: DataFrame) -> list[DataFrame]:
    if whole.templates is None:
        return []
    hosts = (
        whole.pages.select("page_id", "host")
        .join(names.select("page_id", "shard"), "page_id")
        .select("host", "shard")
        .distinct()
    )
    keys = whole.templates.groupBy("host").agg(f.array_join(f.sort_array(f.collect_list("key")), " ").alias("numbers"))
    rows = keys.join(hosts, "host")
    return [rows.select("shard", f.lit("template").alias("step"), f.col("host").alias("url"), "numbers")]


def _heads(whole: Whole, target: Target, spark) -> DataFrame:
    """Records are counted by the first shard alone, so that counts add up over the shards."""
    heads = [
        (
            shard,
            "head",
            json.dumps(
                {
                    "records": whole.records if shard == 0 else {},
                    "partPageCounts": whole.part_page_counts,
                    "measured": whole.measured,
                }
            ),
        )
        for shard in range(target.shard_count)
    ]
    return spark.createDataFrame(heads, "shard int, step string, json string")
