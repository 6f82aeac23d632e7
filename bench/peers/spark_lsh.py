"""Spark MLlib's MinHashLSH on two local cores: a model kept in memory, and approxNearestNeighbors of single pages."""
import sys

from exchange import ELEMENTS, PAGES, SHAPE, elements_of, hand_back, seconds
from pyspark.ml.feature import MinHashLSH
from pyspark.ml.linalg import SparseVector
from pyspark.sql import SparkSession

TABLES = 16
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.driver.memory", "4g")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.sql.shuffle.partitions", "4")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
size = max(ELEMENTS) + 1
vectors = [SparseVector(size, list(elements), [1.0] * len(elements)) for elements in map(elements_of, range(PAGES))]
data = spark.createDataFrame(list(enumerate(vectors)), ["page", "set"]).repartition(4).cache()
data.count()


def build():
    model = MinHashLSH(inputCol="set", outputCol="values", numHashTables=TABLES, seed=1).fit(data)
    hashed = model.transform(data).cache()
    hashed.count()
    return model, hashed


took, (model, hashed) = seconds(build)


def query(page):
    rows = model.approxNearestNeighbors(hashed, vectors[page], 11).select("page").collect()
    return [row.page for row in rows if row.page != page][:10]


query(SHAPE["queries"][0])
timed = [seconds(lambda: query(page)) for page in SHAPE["queries"][: SHAPE["slowQueries"]]]
hand_back(
    [
        {
            "name": f"{TABLES} tables",
            "indexSeconds": took,
            "queryMs": [one * 1000 for one, _ in timed],
            "answers": [best for _, best in timed],
        }
    ]
)
spark.stop()
sys.exit(0)
