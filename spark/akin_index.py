"""Builds an akin index on Apache Spark: spark-submit spark/akin_index.py INPUT... --to FOLDER --shards N"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import tempfile
import zipfile
from pathlib import Path

from pyspark.sql import SparkSession

from akin import bags, pages
from akin.stage import Stages
from akin.work import WorkFolder

HERE = Path(__file__).resolve().parent


def main() -> None:
    asked = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("akin index").getOrCreate()
    spark.sparkContext.addPyFile(packed_package())
    stages = Stages(spark, shlex.split(asked.akin), shlex.split(asked.options))
    work = WorkFolder(spark, asked.work or f"{asked.to.rstrip('/')}/_work")
    report = build(spark, stages, work, asked)
    print(json.dumps(report, indent=2))


def build(spark: SparkSession, stages: Stages, work: WorkFolder, asked: argparse.Namespace) -> dict:
    """Runs the steps; those that an earlier run has completed are read."""
    files = pages.input_files(spark, asked.input)
    extracted = pages.extract(work, stages, files, shlex.split(asked.cat))
    settled = pages.settle(work, stages, extracted)
    aliases = pages.find_aliases(work, settled)
    all_pages = pages.collapse(work, stages, extracted, settled, aliases)
    # Without what only the shards and the bags read.
    light_pages = work.save("pages", all_pages.drop("record", "words"))
    bounds = bags.Bounds(broadcast_features=asked.broadcast_features)
    of_parts = bags.part_page_counts(all_pages)
    forms = extracted.where("kind = 'form'")
    features = bags.find_features(work, stages, all_pages, forms, bounds, of_parts)
    all_bags = bags.make_bags(work, stages, all_pages, features, bounds, of_parts)
    return {
        "files": files.count(),
        "unreadableFiles": [
            [row["detail"], row["reason"]]
            for row in extracted.where("kind = 'file' and reason is not null").limit(100).collect()
        ],
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
    parser.add_argument("--broadcast-features", type=int, default=200_000, help="features that are looked up without a shuffle")
    return parser.parse_args(words)


def default_akin() -> str:
    return f"node {HERE.parent / 'src' / 'cli' / 'main.ts'}"


def default_cat() -> str:
    home = os.environ.get("SPARK_HOME", "")
    return f"{home}/bin/spark-class org.apache.hadoop.fs.FsShell -cat" if home else "hadoop fs -cat"


def packed_package() -> str:
    """The package as a zip file, for the executors."""
    path = Path(tempfile.mkdtemp()) / "akin.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for file in sorted((HERE / "akin").glob("*.py")):
            packed.write(file, f"akin/{file.name}")
    return str(path)


if __name__ == "__main__":
    main()
