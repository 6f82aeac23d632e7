"""Builds an akin index on Apache Spark: spark-submit akin_index.py INPUT... --to FOLDER --shards N"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import math
import os
import shlex
import sys
import time
from pathlib import Path

from akin import bags, counts, pages, shards
from akin.center import find_centers, similar_pairs
from akin.copies import find_copies
from akin.copy_lists import find_members, list_copies
from akin.neighbors import find_neighbors, rank_by_votes
from akin.stage import StageError, Stages
from akin.topics import find_topics
from akin.work import WorkFolder, make_folder
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

HERE = Path(__file__).resolve().parent
PARTITIONS = "spark.sql.shuffle.partitions"
PARTITION_CAPTURES = 20_000


def main() -> None:
    asked = parse(sys.argv[1:])
    try:
        stages = Stages(shlex.split(asked.stage_command or own_stages()), shlex.split(asked.options))
        require_possible(stages, asked)
        spark = SparkSession.builder.appName("akin index").getOrCreate()
        work = WorkFolder(spark, asked.work or f"{asked.to.rstrip('/')}/_work")
        report = build(spark, stages.start(spark), work, asked)
    except (ValueError, FileNotFoundError, FileExistsError, StageError) as fault:
        sys.exit(f"akin_index.py: {fault}")
    print(json.dumps(report, indent=2))


def left_out(extracted: DataFrame, kind: str) -> dict:
    """What could not be used of records: how many there are, and the first of them with what was wrong."""
    rows = extracted.where(f"kind = '{kind}'")
    first = rows.orderBy("file", "position").limit(10).collect()
    return {"records": rows.count(), "first": [[row["url"], row["reason"]] for row in first]}


def build(spark: SparkSession, stages: Stages, work: WorkFolder, asked: argparse.Namespace) -> dict:
    """Runs the steps; those that an earlier run has completed are read."""
    sweeps = asked_sweeps(asked, stages.options)
    files = pages.input_files(spark, [patterns for _, patterns in sweeps])
    job = job_id(stages, files)
    work.begin(job)
    extracted = pages.extract(work, stages, files, shlex.split(asked.cat))
    divide_by(spark, extracted.where("kind = 'page'").count())
    decided, past = pages.decide(work, stages, extracted)
    aliases = pages.find_aliases(work, decided)
    all_pages = pages.collapse(work, stages, extracted, decided, past, aliases)
    # Without what only the shards and the bags read.
    light_pages = work.save("pages", all_pages.drop("record", "words"))
    links = pages.find_links(work, all_pages, decided, aliases)
    of_parts = bags.part_page_counts(stages, all_pages, links)
    features = bags.find_features(work, stages, all_pages, links, extracted, of_parts)
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
    version_count = counts.count_texts(stages, light_pages)
    relations = stages.numbers["relations"]
    lists = {relations["topic"]: ranked}
    if copies is not None:
        lists[relations["copy"]] = list_copies(work, stages, copies)
    whole = shards.Whole(
        pages=all_pages,
        decided=decided,
        aliases=aliases,
        links=links,
        link_urls=extracted.where("kind = 'link'"),
        features=features,
        bags=all_bags,
        part_page_counts=of_parts,
        records=counts.count_records(extracted, decided, spark.read.parquet(work.file("placed")), light_pages),
        lists=lists,
        levels=levels,
        copy_members=copies and find_members(work, stages, copies, sketches),
        templates=copies and copies.templates,
        measured={
            "neighbors": counts.stored_recall(recall),
            **({"copy_found": {"version_count": version_count, **copies.report}} if copies else {}),
        },
    )
    target = shards.Target(
        folder=asked.to,
        put=put_command(spark, asked),
        shard_count=asked.shards,
        index=index_id(job, asked.shards),
        sweeps=[name for name, _ in sweeps],
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
        "damagedFiles": counts.damaged_files(extracted, files),
        "badFeatures": left_out(extracted, "features"),
        "badFields": left_out(extracted, "fields"),
        "badDates": left_out(extracted, "dates"),
        "fileUrls": left_out(extracted, "file_url"),
        "unknownMembers": counts.unknown_members(extracted),
        "droppedLinks": counts.dropped_links(extracted),
        "marks": counts.count_marks(extracted),
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
    parser.add_argument(
        "input", nargs="*", help="WARC, ARC, WET or JSONL files: a path, a folder or a glob that Hadoop reads"
    )
    parser.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="NAME=INPUT",
        help="files of one sweep, in place of INPUT; once or more for each sweep, the oldest first",
    )
    parser.add_argument("--to", required=True, help="the folder of the shards")
    parser.add_argument("--shards", type=int, default=1, help="how many index files")
    parser.add_argument("--work", help="the folder of the steps; default: _work below --to")
    parser.add_argument(
        "--stage-command", help="how akin-stage is called on every executor; default: the one of this package"
    )
    parser.add_argument("--options", default="", help='options of akin index, such as "--bag content --no-copies"')
    parser.add_argument(
        "--cat",
        default=f"{hadoop_shell()} -cat",
        help="the command that writes a file which is not local to standard output",
    )
    parser.add_argument(
        "--broadcast-features",
        type=int,
        default=bags.BROADCAST_FEATURES,
        help="features that are looked up without a shuffle",
    )
    parser.add_argument(
        "--put", help="the command that writes a file to a --to that is not local; file and target are added"
    )
    parser.add_argument("--shard-memory-mib", type=int, default=1024, help="budget of the task that writes a shard")
    return parser.parse_args(words)


def job_id(stages: Stages, files: DataFrame) -> str:
    """Names what the steps before the shards are made of: the input, by names, sizes and times, the options, and the akin
    that makes them."""
    stamps = [(row["path"], row["size"], row["modified_ms"], row["sweep"]) for row in files.collect()]
    return hashlib.sha256(json.dumps([stamps, stages.made_as], sort_keys=True).encode()).hexdigest()[:32]


def index_id(job: str, shard_count: int) -> str:
    """Names the whole that the shards are of."""
    return hashlib.sha256(f"{job} {shard_count}".encode()).hexdigest()[:32]


def asked_sweeps(asked: argparse.Namespace, options: dict) -> list[tuple[str, list[str]]]:
    """Name and inputs of each sweep, the oldest first. Raises ValueError where both forms are given, or neither."""
    if bool(asked.input) == bool(asked.sweep):
        raise ValueError("give INPUT... for one sweep, or --sweep NAME=INPUT for each of several")
    if asked.input:
        return [(options["sweepName"] or "sweep-1", asked.input)]
    sweeps: dict[str, list[str]] = {}
    for one in asked.sweep:
        name, _, pattern = one.partition("=")
        if not name or not pattern:
            raise ValueError(f"--sweep {one} is not NAME=INPUT")
        sweeps.setdefault(name, []).append(pattern)
    return list(sweeps.items())


def require_possible(stages: Stages, asked: argparse.Namespace) -> None:
    """Raises ValueError for what a job cannot do, before hours of work instead of after."""
    for option in stages.one_machine_options:
        raise ValueError(f"{option} is for one machine: build with akin index, or leave it out")
    most = stages.numbers["shards"]["most"]
    if not 1 <= asked.shards <= most:
        raise ValueError(f"--shards is {asked.shards}; it takes 1 to {most}")
    asked_sweeps(asked, stages.options)


def divide_by(spark: SparkSession, captures: int) -> None:
    """Partitions by what there is, unless they are asked for: each starts a Node for some of the steps."""
    if not spark.sparkContext.getConf().contains(PARTITIONS):
        enough = math.ceil(captures / PARTITION_CAPTURES)
        spark.conf.set(PARTITIONS, max(spark.sparkContext.defaultParallelism, enough))


def own_stages() -> str:
    """The akin-stage of this package: the sources of a clone on the Node they are pinned to, or what is installed."""
    package = HERE.parent
    if not (package / "src").exists():
        return shlex.join(["node", str(package / "bin" / "akin-stage")])
    node = package.parents[1] / "node_modules" / ".bin" / "node"
    if not node.exists():
        raise FileNotFoundError(f"{package.parents[1]} has no node_modules: run npm ci there, on every machine")
    return shlex.join([str(node), "--conditions=akin-source", str(package / "src" / "main.ts")])


def put_command(spark: SparkSession, asked: argparse.Namespace) -> list[str] | None:
    """How a shard gets to a folder that is not local; None where the folder is."""
    if asked.put:
        return shlex.split(asked.put)
    if "://" not in asked.to or asked.to.startswith("file:"):
        return None
    make_folder(spark, asked.to)
    return shlex.split(f"{hadoop_shell()} -put -f")


def hadoop_shell() -> str:
    """The FsShell of the Hadoop in Spark; without a configuration it stops where it finds none at all."""
    home = os.environ.get("SPARK_HOME", "")
    if not home:
        return "hadoop fs"
    shell = f"{shlex.quote(home)}/bin/spark-class org.apache.hadoop.fs.FsShell"
    is_there = os.environ.get("HADOOP_CONF_DIR") or (Path(home) / "conf" / "core-site.xml").exists()
    return shell if is_there else f"env {shlex.quote(f'HADOOP_CONF_DIR={HERE}/hadoop')} {shell}"


if __name__ == "__main__":
    main()
