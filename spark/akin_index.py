"""Builds an akin index on Apache Spark: spark-submit spark/akin_index.py INPUT... --to FOLDER --shards N"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import shlex
import sys
import time
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from akin import bags, pages, shards
from akin.center import find_centers, similar_pairs
from akin.copies import find_copies
from akin.copy_lists import find_members, list_copies
from akin.neighbors import find_neighbors, rank_by_votes
from akin.stage import Stages
from akin.topics import find_topics
from akin.work import WorkFolder

HERE = Path(__file__).resolve().parent


def main() -> None:
    asked = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("akin index").getOrCreate()
    stages = Stages(spark, shlex.split(asked.akin), shlex.split(asked.options))
    work = WorkFolder(spark, asked.work or f"{asked.to.rstrip('/')}/_work")
    report = build(spark, stages, work, asked)
    print(json.dumps(report, indent=2))


def build(spark: SparkSession, stages: Stages, work: WorkFolder, asked: argparse.Namespace) -> dict:
    """Runs the steps; those that an earlier run has completed are read."""
    require_known_options(stages.options)
    files = pages.input_files(spark, asked.input)
    index = index_id(asked, files)
    work.begin(index)
    extracted = pages.extract(work, stages, files, shlex.split(asked.cat))
    settled = pages.settle(work, stages, extracted)
    aliases = pages.find_aliases(work, settled)
    all_pages = pages.collapse(work, stages, extracted, settled, aliases)
    # Without what only the shards and the bags read.
    light_pages = work.save("pages", all_pages.drop("record", "words"))
    links = pages.find_links(work, all_pages, settled, aliases)
    of_parts = bags.part_page_counts(all_pages, links, bags.used_parts(stages))
    forms = extracted.where("kind = 'form'")
    features = bags.find_features(work, stages, all_pages, links, forms, of_parts)
    all_bags = bags.make_bags(work, stages, all_pages, links, features, of_parts, asked.broadcast_features)
    feature_count = features.count()
    nearest, recall = find_neighbors(all_bags, feature_count, stages, work)
    ranked = work.save("ranked", rank_by_votes(nearest, stages))
    pairs = similar_pairs(nearest, stages.options["clusterSimilarity"])
    centers, _ = find_centers(light_pages, pairs, work)
    topics, _ = find_topics(centers, ranked, light_pages.count(), stages, work)
    above = topics.select("page_id", f.col("topic_id").alias("center_id"), (f.col("level") + 1).alias("level"))
    levels = centers.withColumn("level", f.lit(0)).unionByName(above)
    sketches = light_pages.where("shingle_digest is not null")
    copies = find_copies(sketches, stages, work) if stages.options["copies"] else None
    version_count = sketches.select("text_digest").distinct().count()
    lists = {shards.TOPIC_ID: ranked}
    if copies is not None:
        lists[shards.COPY_ID] = list_copies(work, copies, sketches)
    whole = shards.Whole(
        pages=all_pages,
        settled=settled,
        aliases=aliases,
        links=links,
        link_urls=extracted.where("kind = 'link'"),
        features=features,
        bags=all_bags,
        part_page_counts=of_parts,
        skips=shards.count_skips(extracted, settled, spark.read.parquet(work.file("placed"))),
        lists=lists,
        levels=levels,
        copy_members=copies and find_members(work, stages, copies, sketches),
        templates=copies and copies.templates,
        measured={
            "neighbors": shards.stored_recall(recall),
            **({"copy_found": {"version_count": version_count, **copies.report}} if copies else {}),
        },
    )
    target = shards.Target(
        folder=asked.to,
        put=shlex.split(asked.put) if asked.put else None,
        shard_count=asked.shards,
        index=index,
        started_at_ms=int(time.time() * 1000),
        memory_bytes=asked.shard_memory_mib << 20,
    )
    made = shards.write_shards(work, stages, whole, target)
    windows = spark.read.parquet(work.file("windows"))
    return {
        "shards": made,
        "neighbors": dataclasses.asdict(recall),
        "files": files.count(),
        "unreadableFiles": [
            [row["detail"], row["reason"]]
            for row in extracted.where("kind = 'file' and reason is not null").limit(100).collect()
        ],
        "leftOutAnchorTexts": int(windows.agg(f.coalesce(f.sum("left_out_texts"), f.lit(0))).first()[0]),
        "pages": light_pages.count(),
        "aliases": aliases.count(),
        "features": features.count(),
        "bags": all_bags.count(),
        "partPageCounts": of_parts,
        "stages": dict(sorted(stages.sums.value.items())),
    }


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="akin_index.py", description=__doc__)
    parser.add_argument("input", nargs="+", help="WARC, ARC, WET or JSONL files: a path, a folder or a glob that Hadoop reads")
    parser.add_argument("--to", required=True, help="the folder of the shards")
    parser.add_argument("--shards", type=int, default=1, help="how many index files")
    parser.add_argument("--work", help="the folder of the steps; default: _work below --to")
    parser.add_argument("--akin", default=default_akin(), help="how akin is called on every executor")
    parser.add_argument("--options", default="", help='options of akin index, such as "--bag content --no-copies"')
    parser.add_argument(
        "--cat", default=default_cat(), help="the command that writes a file which is not local to standard output"
    )
    parser.add_argument("--broadcast-features", type=int, default=bags.BROADCAST_FEATURES, help="features that are looked up without a shuffle")
    parser.add_argument("--put", help="the command that writes a local file to a folder that is not local: hadoop fs -put -f")
    parser.add_argument("--shard-memory-mib", type=int, default=1024, help="budget of the task that writes a shard")
    return parser.parse_args(words)


def index_id(asked: argparse.Namespace, files: DataFrame) -> str:
    """Names the whole that the shards are of: its input, its options and their number."""
    paths = [row["path"] for row in files.collect()]
    return hashlib.sha256(json.dumps([paths, asked.options, asked.shards]).encode()).hexdigest()[:32]


def require_known_options(options: dict) -> None:
    """Raises ValueError for what a job cannot do, before hours of work instead of after."""
    if options["profile"] != "akin":
        raise ValueError(f"--profile {options['profile']} is for one machine; a job has the profile akin")
    if "bigram" in options["parts"]:
        raise ValueError("--parts with bigram is for one machine: build with akin index, or leave it out")
    groups = [part for part in options["parts"] if part not in bags.PARTS]
    if groups:
        raise ValueError(f"--parts with {', '.join(groups)}: features of your own are for one machine")
    if options["pairSimilarity"] is not None:
        raise ValueError("--pairs is for one machine; CENTER of a job scans the lists of neighbors")


def default_akin() -> str:
    """The akin that this file is of: the sources of a clone, or what an installed package has instead."""
    source = HERE.parent / "src" / "cli" / "main.ts"
    return f"node {source if source.exists() else HERE.parent / 'dist' / 'cli' / 'main.js'}"


def default_cat() -> str:
    home = os.environ.get("SPARK_HOME", "")
    return f"{home}/bin/spark-class org.apache.hadoop.fs.FsShell -cat" if home else "hadoop fs -cat"


if __name__ == "__main__":
    main()
