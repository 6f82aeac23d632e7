"""Measures how records get to a stage and back: SELECT TRANSFORM with base64, or mapInArrow with a Node child.

    spark-submit bench/spark/transport.py

Rows of numbers and short texts go through the stage `feature-hash`, rows of 2 KiB of bytes through `shown-title`. Both ways
give the same rows, which is checked. Processor seconds are those of the JVM, Python and Node together.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packages" / "spark" / "job"))

from akin.stage import Stages

NODE = f"node --conditions=akin-source {ROOT}/packages/spark/src/main.ts"
SQL_TYPES = {"long": "bigint", "int": "int", "text": "string", "binary": "string"}


def main() -> None:
    spark = SparkSession.builder.appName("transport").getOrCreate()
    stages = Stages(NODE.split()).start(spark)
    small = spark.range(0, 40_000, 1, 2).select(
        f.col("id").alias("feature_id"), f.lit("content").alias("part"), f.concat(f.lit("word"), "id").alias("name")
    )
    large = spark.range(0, 4_000, 1, 2).select(
        f.col("id").alias("page_id"),
        f.concat(f.lit("Title "), "id").alias("title"),
        f.expr("unhex(repeat(sha2(cast(id as string), 256), 64))").alias("shared"),
    )
    for name, rows in (("feature-hash", small), ("shown-title", large)):
        count = rows.count()
        digests = set()
        for way in (by_arrow, by_transform):
            before, started = cpu_seconds(spark, stages), time.time()
            made = way(spark, stages, rows, name)
            digest = made.select(f.xxhash64(*made.columns).alias("h")).agg(f.bit_xor("h")).first()[0]
            wall, cpu = time.time() - started, cpu_seconds(spark, stages) - before
            digests.add(digest)
            print(
                json.dumps(
                    {
                        "stage": name,
                        "way": way.__name__,
                        "rows": count,
                        "rows_a_second": round(count / wall),
                        "cpu_us_a_row": round(1e6 * cpu / count, 1),
                        "digest": digest,
                    }
                ),
                flush=True,
            )
        if len(digests) != 1:
            raise SystemExit(f"the two ways give different rows of {name}: {digests}")


def by_arrow(spark, stages, rows, name):
    return stages.run(rows, name)


def by_transform(spark, stages, rows, name):
    described = stages.describe(name)
    rows.createOrReplaceTempView("rows")
    inputs = ", ".join(
        f"regexp_replace(base64({column}), '[\\r\\n]', '')" if kind == "binary" else column
        for column, kind in described["input"].items()
    )
    outputs = ", ".join(f"{column} {SQL_TYPES[kind]}" for column, kind in described["output"].items())
    form = "ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t'"
    return spark.sql(f"SELECT TRANSFORM ({inputs}) {form} USING '{NODE} {name}' AS ({outputs}) {form} FROM rows")


def cpu_seconds(spark, stages) -> float:
    pid = spark._jvm.java.lang.ProcessHandle.current().pid()
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    jvm = sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    return jvm + sum(amount for what, amount in stages.sums.value.items() if what.endswith("_seconds"))


main()
