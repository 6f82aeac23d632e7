"""The last steps: what each shard holds of the pages, lists and clusters of the whole, and its index file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from .labels import make_labels
from .neighbors import NeighborReport
from .pages import FOLDED, in_order, numbered, page_links
from .parts import in_parts
from .stage import StageError, Stages
from .work import WorkFolder

TOPIC_ID, COPY_ID = 1, 2
#: Of a text.
DIGEST_BYTES = 8
(PAGE, ELSEWHERE, ALIAS, ANSWER, LINK, FEATURE, LIST, CLUSTER, TEMPLATE, HEAD) = range(10)


@dataclass(frozen=True)
class Whole:
    """What the steps before have found; None where a relation is left out."""

    pages: DataFrame
    settled: DataFrame
    aliases: DataFrame
    links: DataFrame
    link_urls: DataFrame
    features: DataFrame
    bags: DataFrame
    part_page_counts: dict[str, int]
    #: By sweep and reason.
    skips: dict[int, dict[str, int]]
    #: Final lists by relation: page_id, rank, neighbor_id, shared, total.
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
        whole.pages.select("page_id", "url", "url_key", "url_hash", "lang", "fetched", of_hash.alias("shard")).join(
            shown, "page_id"
        ),
    )
    aliases = of_count.save("shard-aliases", _aliases(whole, names, of_hash))
    lists = _lists(whole, names)
    clusters = _clusters(work, of_count, stages, whole, names)
    rows = [
        _own_pages(whole, names),
        _elsewhere(work, names, aliases, whole, clusters, names.select("page_id", "shard")),
        _alias_rows(aliases, names),
        _answers(whole, of_hash),
        _link_urls(work, whole, names),
        _features(whole, count),
        *lists,
        *([] if clusters is None else [_cluster_rows(clusters, names)]),
        *_templates(whole, names),
        _heads(whole, target, names.sparkSession),
    ]
    every = rows[0]
    for more in rows[1:]:
        every = every.unionByName(more, allowMissingColumns=True)
    columns = stages.describe("shard")["input"]
    for column in ("relation", "id"):
        every = every.withColumn(column, f.coalesce(column, f.lit(0)))
    every = every.select(*columns)
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
    numbers = rows.sparkSession.range(40 * count + 1000).select("id", place).groupBy("place").agg(f.min("id").alias("id"))
    number_of = {row["place"]: row["id"] for row in numbers.collect()}
    numbered_shards = f.array(*(f.lit(number_of[shard]).cast("long") for shard in range(count)))
    return rows.repartition(count, f.element_at(numbered_shards, f.col("shard") + 1))


def show_titles(work: WorkFolder, stages: Stages, pages: DataFrame) -> DataFrame:
    """page_id and title to show: without what the titles of a host share."""
    titled = pages.withColumn("origin", f.concat(f.substring_index("url", "/", 3), f.lit("/")))
    if stages.options["keepTitles"]:
        return pages.select("page_id", "title")
    distinct = titled.where("fetched and not is_gone").select("origin", "title").distinct()
    shared = stages.run(distinct.repartition("origin").sortWithinPartitions("origin"), "shared-titles")
    joined = titled.select("page_id", "title", "origin", "fetched").join(work.save("shared-titles", shared), "origin", "left")
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
    gone = whole.pages.where("is_gone").select("page_id", "url").join(whole.settled.select("url", "sweep"), "url").drop("url")
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
            f.lit(PAGE).alias("step"),
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
    own = whole.aliases.join(whole.settled.select("url", "url_key", "url_hash"), "url")
    ends = names.select(f.col("url").alias("end"), f.col("page_id").alias("end_id"), f.col("shard").alias("end_shard"))
    kind = f.when(f.col("kind") == "redirect", "redirect").otherwise("canonical").alias("kind")
    return own.join(ends, "end", "left").select("url", "url_key", "end", kind, of_hash.alias("shard"), "end_id", "end_shard")


def _alias_rows(aliases: DataFrame, names: DataFrame) -> DataFrame:
    own = aliases.select("shard", "url", "end", "kind")
    led_to = aliases.where("end_shard is not null").select(f.col("end_shard").alias("shard"), "url", "end", "kind")
    return own.unionByName(led_to).distinct().select("shard", f.lit(ALIAS).alias("step"), "url", f.col("end").alias("to"), "kind")


def _answers(whole: Whole, of_hash) -> DataFrame:
    others = whole.settled.where("kind != 'page'")
    to = f.when(f.col("kind") == "redirect", f.col("to")).alias("to")
    return others.select(of_hash.alias("shard"), f.lit(ANSWER).alias("step"), "url", "kind", to, "sweep", "fetched_ms")


def _link_urls(work: WorkFolder, whole: Whole, names: DataFrame) -> DataFrame:
    wanted = page_links(whole.pages).join(names.select("page_id", "shard"), "page_id").select("shard", "key").distinct()
    urls = whole.link_urls.select("key", "url").distinct()
    return wanted.join(urls, "key").select("shard", f.lit(LINK).alias("step"), "url")


def _features(whole: Whole, count: int) -> DataFrame:
    shards = whole.features.sparkSession.range(count).select(f.col("id").cast("int").alias("shard"))
    return whole.features.crossJoin(f.broadcast(shards)).select(
        "shard",
        f.lit(FEATURE).alias("step"),
        f.col("feature_id").alias("id"),
        f.col("part_name").alias("kind"),
        f.col("stem").alias("title"),
        f.col("term").alias("to"),
        f.col("page_count").alias("count"),
    )


def _lists(whole: Whole, names: DataFrame) -> list[DataFrame]:
    entry = f.struct("rank", f.concat_ws(" ", "neighbor_id", "shared", "total").alias("numbers"))
    rows = []
    for relation, lists in whole.lists.items():
        packed = lists.groupBy("page_id").agg(
            f.array_join(f.transform(f.sort_array(f.collect_list(entry)), lambda one: one["numbers"]), " ").alias("numbers")
        )
        rows.append(
            packed.join(names.select("page_id", "shard"), "page_id").select(
                "shard", f.lit(LIST).alias("step"), f.lit(relation).alias("relation"), f.col("page_id").alias("id"), "numbers"
            )
        )
    return rows


def _elsewhere(
    work: WorkFolder, names: DataFrame, aliases: DataFrame, whole: Whole, clusters: DataFrame | None, shards: DataFrame
) -> DataFrame:
    """Pages of other shards that lists, clusters and aliases of a shard name."""
    named = aliases.where("end_id is not null").select("shard", f.col("end_id").alias("page_id"))
    for lists in whole.lists.values():
        of_lists = lists.join(shards, "page_id").select("shard", f.col("neighbor_id").alias("page_id"))
        named = named.unionByName(of_lists)
    if clusters is not None:
        centers = clusters.select("shard", f.col("center_id").alias("page_id"))
        named = named.unionByName(centers)
    wanted = named.distinct().withColumnRenamed("shard", "by")
    return (
        wanted.join(names, "page_id")
        .where("by != shard")
        .select(
            f.col("by").alias("shard"),
            f.lit(ELSEWHERE).alias("step"),
            f.col("page_id").alias("id"),
            "url",
            "title",
            "lang",
            "fetched",
        )
    )


def _clusters(work: WorkFolder, of_count: WorkFolder, stages: Stages, whole: Whole, names: DataFrame) -> DataFrame | None:
    """Each cluster once for each shard that has members of it, or of one below it; `members` are those of the shard."""
    parts = []
    first = 0
    if whole.levels is not None:
        topics, first = _topic_clusters(work, stages, whole, names)
        parts.append(topics)
    if whole.copy_members is not None:
        parts.append(_copy_clusters(work, whole, names, first))
    if not parts:
        return None
    every = parts[0]
    for more in parts[1:]:
        every = every.unionByName(more)
    return of_count.save("shard-clusters", every)


def _topic_clusters(work: WorkFolder, stages: Stages, whole: Whole, names: DataFrame) -> tuple[DataFrame, int]:
    levels = work.save("levels", whole.levels.select(f.col("level").cast("int").alias("level"), "center_id", "page_id"))
    numbers = levels.select("level", "center_id").distinct()
    # The ids of clusters ascend by level and center.
    cluster_ids = numbered(work.save("cluster-ids", in_order(numbers, "level", "center_id")), "id")
    with_bags = levels.join(whole.bags.select("page_id", "features", "weights"), "page_id", "left")
    by_center = in_parts(with_bags, levels, ["center_id", "level"], f.col("page_id") == f.col("center_id"))
    members = work.save("members", stages.run(by_center, "member-similarity"))
    figures = members.groupBy("level", "center_id").agg(f.count("*").alias("size"), f.min("similarity").alias("radius"))
    above = levels.select(
        (f.col("level") - 1).alias("level"), f.col("page_id").alias("center_id"), f.col("center_id").alias("parent_center")
    )
    parents = cluster_ids.select(
        (f.col("level") - 1).alias("level"), f.col("center_id").alias("parent_center"), f.col("id").alias("parent_id")
    )
    key = f.substring(f.sha2(f.concat_ws(" ", f.lit("topic"), "level", "url"), 256), 1, 16)
    clusters = work.save(
        "topic-clusters",
        cluster_ids.join(figures, ["level", "center_id"])
        .join(above, ["level", "center_id"], "left")
        .join(parents, ["level", "parent_center"], "left")
        .join(names.select(f.col("page_id").alias("center_id"), "url"), "center_id")
        .join(make_labels(work, stages, whole.bags, whole.features, names, levels), ["level", "center_id"], "left")
        .select(
            f.lit(TOPIC_ID).alias("relation"),
            "id",
            "level",
            key.alias("key"),
            "center_id",
            "parent_id",
            "size",
            "radius",
            f.coalesce("label", f.lit("")).alias("label"),
        ),
    )
    return _by_shard(clusters, members, names), clusters.count()


def _copy_clusters(work: WorkFolder, whole: Whole, names: DataFrame, first: int) -> DataFrame:
    members = whole.copy_members
    figures = members.groupBy("level", "clustering", "center_id").agg(
        f.count("*").alias("size"), f.min("similarity").alias("radius")
    )
    placed = work.save("copy-cluster-ids", in_order(figures, "level", "center_id"))
    key = f.substring(f.sha2(f.concat_ws(" ", f.lit("copy"), "clustering", "url"), 256), 1, 16)
    clusters = (
        numbered(placed, "id")
        .withColumn("id", f.col("id") + first)
        .join(names.select(f.col("page_id").alias("center_id"), "url", "title"), "center_id")
        .select(
            f.lit(COPY_ID).alias("relation"),
            "id",
            f.col("level").cast("int").alias("level"),
            key.alias("key"),
            "center_id",
            f.lit(None).cast("int").alias("parent_id"),
            "size",
            "radius",
            f.when(f.col("title") == "", f.col("url")).otherwise(f.col("title")).alias("label"),
        )
    )
    return _by_shard(clusters, members.select(f.col("level").cast("int").alias("level"), "center_id", "page_id", "similarity"), names)


def _by_shard(clusters: DataFrame, members: DataFrame, names: DataFrame) -> DataFrame:
    member = f.struct("page_id", "similarity")
    own = (
        members.join(names.select("page_id", "shard"), "page_id")
        .groupBy("level", "center_id", "shard")
        .agg(f.sort_array(f.collect_list(member)).alias("members"))
    )
    placed = clusters.join(own, ["level", "center_id"])
    # A cluster's parent has all its members, so it is in the shards of these by itself.
    return placed


def _cluster_rows(clusters: DataFrame, names: DataFrame) -> DataFrame:
    cluster = f.struct(
        f.col("relation").alias("relationId"),
        "id",
        "level",
        "key",
        f.col("center_id").alias("centerId"),
        f.col("parent_id").alias("parentId"),
        "size",
        "radius",
        "label",
    )
    members = f.transform("members", lambda one: f.struct(one["page_id"].alias("pageId"), one["similarity"].alias("similarity")))
    rows = f.concat(f.lit("["), f.to_json(cluster), f.lit(","), f.to_json(members), f.lit("]"))
    return clusters.select("shard", f.lit(CLUSTER).alias("step"), f.col("id").cast("long").alias("id"), rows.alias("json"))


def _templates(whole: Whole, names: DataFrame) -> list[DataFrame]:
    if whole.templates is None:
        return []
    hosts = whole.pages.select("page_id", "host").join(names.select("page_id", "shard"), "page_id").select("host", "shard").distinct()
    keys = whole.templates.groupBy("host").agg(f.array_join(f.sort_array(f.collect_list("key")), " ").alias("numbers"))
    rows = keys.join(hosts, "host")
    return [rows.select("shard", f.lit(TEMPLATE).alias("step"), f.col("host").alias("url"), "numbers")]


def _heads(whole: Whole, target: Target, spark) -> DataFrame:
    """Captures that are no pages are told by the first shard alone, so that counts add up over the shards."""
    heads = [
        (
            shard,
            HEAD,
            json.dumps(
                {
                    "skips": whole.skips if shard == 0 else {},
                    "partPageCounts": whole.part_page_counts,
                    "measured": whole.measured,
                }
            ),
        )
        for shard in range(target.shard_count)
    ]
    return spark.createDataFrame(heads, "shard int, step int, json string")


def count_skips(extracted: DataFrame, settled: DataFrame, placed: DataFrame, pages: DataFrame) -> dict[int, dict[str, int]]:
    """Captures that became no pages, by sweep and reason, as the local build counts them.

    What is not accounted for is forgotten: pages that asked not to be indexed later, and of two captures of one sweep the one
    that did not speak.
    """
    answers = extracted.where("kind in ('page', 'noindex', 'redirect', 'gone', 'skip')")
    reason = f.when(f.col("kind").isin("noindex", "redirect"), f.col("kind")).otherwise(f.col("reason"))
    reasons = answers.where("kind != 'page'").select("sweep", reason.alias("reason")).groupBy("sweep", "reason").count()
    sweep_and_count = f.explode(f.from_json("duplicates", "map<string,long>")).alias("name", "count")
    counts = settled.where("duplicates is not null").select(sweep_and_count)
    duplicates = counts.groupBy(f.col("name").cast("int").alias("sweep")).agg(f.sum("count").alias("count"))
    folded = placed.where(f.col("rank") == FOLDED).groupBy("sweep").count()
    skips: dict[int, dict[str, int]] = {row["sweep"]: {} for row in answers.select("sweep").distinct().collect()}
    for row in reasons.collect():
        skips[row["sweep"]][row["reason"]] = row["count"]
    for name, by_sweep in (("duplicate", duplicates), ("canonical", folded)):
        for row in by_sweep.collect():
            skips[row["sweep"]][name] = row["count"]
    captured = pages.where("fetched").select(f.explode(f.split("sweeps", " ").cast("array<int>")).alias("sweep"))
    missing = {row["sweep"]: row["count"] for row in answers.groupBy("sweep").count().collect()}
    for row in captured.groupBy("sweep").count().collect():
        missing[row["sweep"]] -= row["count"]
    for sweep, of_sweep in skips.items():
        forgotten = missing[sweep] - sum(of_sweep.values())
        if forgotten > 0:
            of_sweep["forgotten"] = forgotten
    return skips


def count_texts(pages: DataFrame) -> int:
    """Different texts of captures, past ones too; 0 where copies are left out."""
    now = pages.where("shingle_digest is not null").select(f.col("text_digest").alias("digest"))
    place = f.expr(f"explode(sequence(0, cast(length(past_digests) / {DIGEST_BYTES} as int) - 1))").alias("place")
    past = pages.where("length(past_digests) > 0").select("past_digests", place)
    digest = f.expr(f"substring(past_digests, {DIGEST_BYTES} * place + 1, {DIGEST_BYTES})").alias("digest")
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
