"""Runs the SQL of docs/spark.md as it is written, over titles of one host. `akin-stage` is on the path. Prints rows as JSON.

transform_check.py DOCS AKIN_STAGE
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "job"))

from akin.stage import Stages
from pyspark.sql import SparkSession

TITLES = ["Roses", "Tulips", "A\tday\\night", "Weeds", "Ünder glass", "Bees"]


def main(docs: str, akin_stage: str) -> None:
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    origin = "http://garden.example/"
    names = spark.createDataFrame([(origin, f"{title} - My Garden") for title in TITLES], "origin string, title string")
    shared = Stages(akin_stage.split(" ")).start(spark).run(names.coalesce(1), "shared-titles").first()["shared"]
    rows = [(page, f"{title} - My Garden", shared) for page, title in enumerate(TITLES)]
    spark.createDataFrame(rows, "page_id long, title string, shared binary").createOrReplaceTempView("titles")
    (query,) = re.findall(r"```sql\n(.*?)```", Path(docs).read_text(), re.DOTALL)
    print(json.dumps([row.asDict() for row in spark.sql(query).orderBy("page_id").collect()]))


main(*sys.argv[1:])
