"""Groups of any size, cut so that no task has all of one."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

#: Rows of a group that go to one task; a group of more is cut.
PART_ROWS = 20_000


def in_parts(rows: DataFrame, members: DataFrame, group: list[str], is_first: Column) -> DataFrame:
    """The rows of a group together, its first one before them, the others by `page_id`.

    A group of more than PART_ROWS is cut by a hash of the page (column `part`, from 0), and each part has the first row.
    members: a row for each of `rows` that has its group, cheaper to count. group: the column that tells most first, by which
    Spark sorts fast.
    """
    cut = (
        rows.join(_large(members, group), group, "left")
        .withColumn("is_first", is_first)
        .withColumn("part", f.explode(f.when(f.col("is_first"), _every_part()).otherwise(f.array(_own_part()))))
        .drop("parts")
    )
    keys = [*group, "part"]
    return cut.repartition(*keys).sortWithinPartitions(*keys, f.col("is_first").desc(), "page_id")


def joined_in_parts(members: DataFrame, rows: DataFrame, group: str) -> DataFrame:
    """Each member with the row of its group. A group of more than PART_ROWS members is cut as `in_parts` does."""
    large = _large(members, [group])
    cut = members.join(large, group, "left").withColumn("part", _own_part()).drop("parts")
    copied = rows.join(large, group, "left").withColumn("part", f.explode(_every_part())).drop("parts")
    # By number: partitions whose rows are few and become many are not to be joined.
    count = int(members.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    by_part = [one.repartition(count, group, "part") for one in (cut, copied)]
    return by_part[0].join(by_part[1], [group, "part"])


def _large(members: DataFrame, group: list[str]) -> DataFrame:
    """The groups of more than PART_ROWS, and into how many `parts` they are cut."""
    counts = members.groupBy(*group).agg(f.ceil(f.count("*") / PART_ROWS).cast("int").alias("parts"))
    return f.broadcast(counts.where("parts > 1"))


def _own_part() -> Column:
    return f.pmod(f.xxhash64("page_id"), _parts()).cast("int")


def _every_part() -> Column:
    return f.sequence(f.lit(0), _parts() - 1)


def _parts() -> Column:
    return f.coalesce("parts", f.lit(1))
