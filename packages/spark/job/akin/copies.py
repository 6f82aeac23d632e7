"""The copy relation: equal texts folded, templates of hosts, pairs by shared shingles, components.

    sketches -> folded: equal shingle sets -> templates of hosts -> stage `mark`
      -> keys one by one (`shingles`) -> pairs that share keys, counted (`meet`) -> those that may be copies
      -> whole sketches compared, second opinions (`resemble`) -> components at each clustering

The pairs are those of the local build (src/join/copies/copy-relation.ts), row for row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.window import Window

from akin.components import find_components
from akin.stage import Stages
from akin.work import WorkFolder

# Pages of one part of a host that are marked by one task.
HOST_PART_PAGES = 20_000


@dataclass(frozen=True)
class Copies:
    """(page_id, folded_id): the first page with the same shingle set stands for all."""

    folds: DataFrame
    # (host, key): shingles that recur over a host.
    templates: DataFrame
    # (folded_id, other, shared, total): what a folded page is to those that it stands for, as lists store it.
    equal: DataFrame
    # (a, b, shared, of_a, of_b, template, stored_shared, stored_total): folded pages, a < b.
    pairs: DataFrame
    # (page_id, level, root) of the folded pages: the first page of the component at each clustering.
    roots: DataFrame
    # Counts by the names of the parameter `copy_found`.
    report: dict[str, int]


def find_copies(sketches: DataFrame, stages: Stages, work: WorkFolder) -> Copies:
    """Copies of all pages that were read.

    sketches: (page_id, host, lang, shingle_digest, keys, limit, shingle_count, simhash or null); keys are float64,
    ascending.
    """
    options = stages.options
    folds, folded = _fold(sketches, stages, work)
    templates = _templates(folded, stages, work) if options["templateFilter"] else _no_templates(folded)
    marks = work.save("copy-marks", stages.run(_by_host(folded, templates), "mark"))
    met = _meet(folded, marks, stages, work)
    compared = _compare(folded, marks, met, options["copySimilarity"], stages, work)
    pairs = compared.where("verdict = 'kept'")
    clusterings = options["copyClusterings"] or [options["copySimilarity"]]
    levels = []
    for level in range(len(clusterings)):
        edges = pairs.where(F.col("levels").bitwiseAND(1 << level) != 0).select("a", "b")
        in_pairs, _ = find_components(edges, work, f"copies-{level}")
        root = F.coalesce("root", "page_id").alias("root")
        with_level = F.lit(level).alias("level")
        levels.append(folded.select("page_id").join(in_pairs, "page_id", "left").select("page_id", with_level, root))
    roots = levels[0]
    for one in levels[1:]:
        roots = roots.unionByName(one)
    report = _report(folded, templates, marks, met, compared, options["copySimilarity"])
    columns = pairs.select("a", "b", "shared", "of_a", "of_b", "template", "stored_shared", "stored_total")
    own = F.col("page_id"), F.col("own_figure")
    equal = marks.select(own[0].alias("folded_id"), own[0].alias("other"), own[1].alias("shared"), own[1].alias("total"))
    return Copies(folds, templates, equal, columns, work.save("copy-roots", roots), report)


def _fold(sketches: DataFrame, stages: Stages, work: WorkFolder) -> tuple[DataFrame, DataFrame]:
    """(page_id, folded_id), and the sketches of the folded pages.

    A page without a shingle is a copy of none.
    """
    set_of = F.when(F.col("shingle_count") > 0, F.col("shingle_digest"))
    key = F.coalesce(F.hex(set_of), F.concat(F.lit("-"), F.col("page_id").cast("string"))).alias("fold")
    lang = F.coalesce("lang", F.lit("")).alias("lang")
    keyed = sketches.select("page_id", key, lang)
    by_language = keyed.groupBy("fold", "lang").agg(F.min("page_id").alias("page_id"))
    firsts = work.save(
        "copy-firsts", stages.run(by_language.repartition("fold").sortWithinPartitions("fold"), "fold")
    )
    folds = work.save("copy-folds", keyed.join(firsts.drop("lang"), "fold").select("page_id", "folded_id"))
    of_first = firsts.select(F.col("folded_id").alias("page_id"), "lang")
    return folds, work.save("copy-folded", sketches.drop("lang").join(of_first, "page_id"))


def _templates(folded: DataFrame, stages: Stages, work: WorkFolder) -> DataFrame:
    """(host, key): keys that more than a share of the sketches of a host have, of those that reach so far."""
    unmarked = folded.withColumn("listed_count", F.lit(0)).withColumn("crowd", F.lit(0).cast("long"))
    keys = stages.run(unmarked.withColumn("silent", F.lit(None).cast("binary")), "shingles")
    on_host = keys.select("page_id", "key").join(folded.select("page_id", "host"), "page_id")
    counts = on_host.groupBy("host", "key").count()
    rule = stages.numbers["templates"]
    counted = work.save("copy-host-keys", counts.where(F.col("count") >= rule["minimumPages"]))
    # Keys and limits of a host from the greatest down: a key is reached by the limits before it, equal ones not.
    places = counted.select(
        "host", F.col("key").cast("double").alias("value"), F.lit(0).alias("limits"), "key", "count"
    )
    limits = folded.groupBy("host", F.col("limit").alias("value")).agg(F.count("*").alias("limits"))
    ends = limits.join(counted.select("host").distinct(), "host", "left_semi").select(
        "host", "value", "limits", F.lit(None).cast("long").alias("key"), F.lit(None).cast("long").alias("count")
    )
    down = Window.partitionBy("host").orderBy(F.desc("value"), "limits").rowsBetween(Window.unboundedPreceding, 0)
    reached = places.unionByName(ends).withColumn("reached", F.sum("limits").over(down))
    kept = reached.where(F.col("count") > F.lit(rule["share"]) * F.col("reached"))
    return work.save("copy-templates", kept.select("host", "key"))


def _no_templates(folded: DataFrame) -> DataFrame:
    return folded.select("host", F.lit(0).cast("long").alias("key")).limit(0)


def _by_host(folded: DataFrame, templates: DataFrame) -> DataFrame:
    """Sketches behind the template of their host; a host of many pages in parts, each with the template."""
    parts = folded.groupBy("host").agg(F.ceil(F.count("*") / HOST_PART_PAGES).alias("parts"))
    part = F.pmod(F.xxhash64("page_id"), F.col("parts"))
    name = F.concat_ws(" ", "host", F.col("part").cast("string")).alias("host")
    sketches = (
        folded.join(parts, "host")
        .withColumn("part", part)
        .select(name, "page_id", "keys", "limit", "shingle_count", F.lit(None).cast("string").alias("template"))
    )
    packed = F.array_join(F.sort_array(F.collect_list("key")), " ").alias("template")
    heads = (
        templates.groupBy("host")
        .agg(packed)
        .join(parts, "host")
        .withColumn("part", F.explode(F.sequence(F.lit(0).cast("long"), F.col("parts") - 1)))
        .select(
            name,
            F.lit(-1).cast("long").alias("page_id"),
            F.lit(None).cast("binary").alias("keys"),
            F.lit(0.0).alias("limit"),
            F.lit(0).alias("shingle_count"),
            "template",
        )
    )
    return heads.unionByName(sketches).repartition("host").sortWithinPartitions("host", "page_id")


def _meet(folded: DataFrame, marks: DataFrame, stages: Stages, work: WorkFolder) -> DataFrame:
    """(a, b, count, unmet) of the stage `meet`, summed over its tasks."""
    keys = stages.run(folded.select("page_id", "keys").join(marks, "page_id"), "shingles")
    grouped = keys.repartition("key").sortWithinPartitions("key", "page_id")
    met = stages.run(grouped, "meet")
    return work.save(
        "copy-met", met.groupBy("a", "b").agg(F.sum("count").cast("int").alias("count"), F.max("unmet").alias("unmet"))
    )


def _compare(
    folded: DataFrame, marks: DataFrame, met: DataFrame, threshold: float, stages: Stages, work: WorkFolder
) -> DataFrame:
    """What the stage `resemble` says of the pairs that may be copies."""
    crowded = met.where("a >= 0 and b < 0").select(F.col("a").alias("page_id"), F.col("count").alias("crowded_count"))
    silent = F.when(F.col("silent").isNull(), 0).otherwise(F.col("template_count")).alias("silent_count")
    figures = (
        marks.join(folded.select("page_id", "limit"), "page_id")
        .join(crowded, "page_id", "left")
        .select(
            "page_id",
            "limit",
            "listed_count",
            "listed_limit",
            silent,
            F.coalesce("crowded_count", F.lit(0)).alias("crowded_count"),
        )
    )
    figures = work.save("copy-figures", figures)
    of = lambda side: figures.select(
        *[F.col(name).alias(name if name == "page_id" else f"{name}_{side}") for name in figures.columns]
    )
    pairs = (
        met.where("b >= 0")
        .join(of("a").withColumnRenamed("page_id", "a"), "a")
        .join(of("b").withColumnRenamed("page_id", "b"), "b")
        .where(_may_be_copies(threshold))
        .select("a", "b", "count")
    )
    pairs = work.save("copy-candidates", pairs)
    own = pairs.select("a", F.col("a").alias("b"), F.lit(0).alias("count")).distinct()
    sketches = (
        folded.select(F.col("page_id").alias("b"), "host", "lang", "keys", "limit", "shingle_count", "simhash")
        .join(marks.select(F.col("page_id").alias("b"), "template_marks", "template_count", "is_bare"), "b")
        .join(figures.select(F.col("page_id").alias("b"), "listed_limit", "silent_count", "crowded_count"), "b")
    )
    rows = own.unionByName(pairs).join(sketches, "b").repartition("a").sortWithinPartitions("a", "b")
    return work.save("copy-compared", stages.run(rows, "resemble"))


def _may_be_copies(threshold: float):
    """What the stage `resemble` asks first, as far as the counts can say it: no pair that it compares is lost.

    Where both pages are listed below the common limit, each has as many keys there as it is listed by, at least; what
    is asked for only grows with them from 4 (1 - t) / t keys on.
    """
    t = F.lit(threshold)
    sampled = F.least("listed_count_a", "listed_count_b")
    asked = sampled * t - 4 * F.sqrt(sampled * t * (1 - t)) - 1
    most = (
        F.col("count")
        + F.least("crowded_count_a", "crowded_count_b")
        + F.col("silent_count_a")
        + F.col("silent_count_b")
    )
    is_sure = (F.greatest("listed_limit_a", "listed_limit_b") <= F.least("limit_a", "limit_b")) & (
        sampled >= math.ceil(4 * (1 - threshold) / threshold)
    )
    return ~is_sure | (most >= asked)


def _report(
    folded: DataFrame, templates: DataFrame, marks: DataFrame, met: DataFrame, compared: DataFrame, threshold: float
) -> dict[str, int]:
    number = lambda rows, what: int(rows.agg(F.coalesce(what, F.lit(0))).first()[0])
    verdicts = {row["verdict"]: row["count"] for row in compared.groupBy("verdict").count().collect()}
    pairs = compared.where("verdict = 'kept'")
    same_site = number(pairs, F.sum(F.col("same_site").cast("int")))
    # A quotient, as reachesShare() of the local build asks: 7 of 25 are .28, though .28 * 25 is a hair more.
    contained = F.col("shared") / (F.col("of_a") + F.col("of_b") - F.col("shared")) < threshold
    unmet = met.where("a >= 0 and b < 0 and unmet > 0").select(F.col("a").alias("page_id"), "count")
    key_count = (F.length("keys") / 8).alias("key_count")
    crowded = unmet.join(folded.select("page_id", key_count), "page_id").where("2 * count >= key_count")
    return {
        "folded_count": folded.count(),
        "pair_count": verdicts.get("kept", 0),
        "same_site_count": same_site,
        "cross_site_count": verdicts.get("kept", 0) - same_site,
        "contained_pair_count": number(pairs, F.sum(contained.cast("int"))),
        "template_rejected_count": verdicts.get("template", 0),
        "translation_count": verdicts.get("translation", 0),
        "same_site_rejected_count": verdicts.get("words", 0),
        "template_shingle_count": templates.count(),
        "template_page_count": marks.where("template_count > 0").count(),
        "crowded_shingle_count": number(met.where("a < 0"), F.sum("count")),
        "crowded_page_count": crowded.count(),
        "candidate_count": met.where("b >= 0").count(),
        "compared_count": number(compared.where("verdict = 'compared'"), F.sum("shared")),
    }
