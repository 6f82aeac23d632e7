"""From the words of pages to bags: document frequencies, features, weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from .pages import in_order, numbered
from .stage import Stages
from .work import WorkFolder

#: Parts made of links: whose page has the feature, and which page it is.
LINK_PARTS = {"out": ("page_id", "target"), "in": ("target", "page_id")}
_ENTRIES = "page_id long, part tinyint, key long, uses double, form_hash long"
#: The most frequent features are looked up without a shuffle: most entries are of these, and no task gets all of one.
BROADCAST_FEATURES = 200_000
_BAG_ROWS = "page_id long, features binary, parts binary, uses binary, page_counts binary, hashes binary"


def words(pages: DataFrame) -> DataFrame:
    """A row for each feature of each packed part of each page; `part` is its number there."""
    return pages.select("page_id", "words").mapInArrow(_explode, _ENTRIES)


def entries(stages: Stages, pages: DataFrame, links: DataFrame) -> DataFrame:
    """A row for each feature that a page may have: page_id, part (its place among those that have a share), key, uses.

    The key of a page that a link joins is its id and one.
    """
    parts = list(stages.kinds)
    every = words(pages).select("page_id", "part", "key", "uses")
    numbers = [parts.index(part) if part in parts else None for part in stages.packed_parts]
    place = f.element_at(f.array(*(f.lit(number).cast("tinyint") for number in numbers)), f.col("part").cast("int") + 1)
    every = every.withColumn("part", place).where("part is not null")
    for part, (page, other) in LINK_PARTS.items():
        if part in parts:
            rows = _joined_by_links(pages, links, part).select(
                f.col(page).alias("page_id"),
                f.lit(parts.index(part)).cast("tinyint").alias("part"),
                (f.col(other) + 1).alias("key"),
                f.lit(1.0).alias("uses"),
            )
            every = every.unionByName(rows)
    return every


def _joined_by_links(pages: DataFrame, links: DataFrame, part: str) -> DataFrame:
    """The links that give features of a part. A page that is gone has none."""
    page, _ = LINK_PARTS[part]
    gone = pages.where("is_gone").select(f.col("page_id").alias(page))
    return links.where("target is not null and is_followed").join(gone, page, "left_anti")


def part_page_counts(stages: Stages, pages: DataFrame, links: DataFrame) -> dict[str, int]:
    """Pages with at least one feature of the part, of each that has a share."""
    rows = pages.select("words").mapInArrow(_count_parts, "part tinyint, pages long").groupBy("part").sum("pages")
    of_words = {row["part"]: row["sum(pages)"] for row in rows.collect()}
    counts = {name: of_words.get(part, 0) for part, name in enumerate(stages.packed_parts)}
    for part, (page, _) in LINK_PARTS.items():
        if part in stages.kinds:
            counts[part] = _joined_by_links(pages, links, part).select(page).distinct().count()
    return {part: counts[part] for part in stages.kinds}


def find_features(
    work: WorkFolder, stages: Stages, pages: DataFrame, links: DataFrame, extracted: DataFrame, of_parts: dict[str, int]
) -> DataFrame:
    """What becomes features, rarest first: feature_id, part, part_name, key, page_count, stem, term, hash.

    A word is named by its stem and the form that most pages use, a feature of one's own by its name, a page that a link
    joins by its URL.
    """
    parts = list(of_parts)
    options = stages.options
    allowed = stages.plan("feature-hash", {"partPageCounts": of_parts})["mostPages"]
    most = f.lit(0)
    for part, name in enumerate(parts):
        most = f.when(f.col("part") == part, allowed[name]).otherwise(most)
    frequencies = entries(stages, pages, links).groupBy("part", "key").agg(f.count("*").alias("page_count"))
    kept = frequencies.where((f.col("page_count") >= options["minPageCount"]) & (f.col("page_count") <= most))
    sorted_features = work.save("feature-order", in_order(kept, "page_count", "part", "key"))
    name = f.element_at(f.array(*(f.lit(part) for part in parts)), f.col("part").cast("int") + 1)
    features = numbered(sorted_features, "feature_id").withColumn("part_name", name)
    of_kind = lambda kind: features.where(
        f.col("part_name").isin(*(part for part in parts if stages.kinds[part] == kind))
    )
    of_words = of_kind("words")

    votes = (
        words(pages)
        .where("form_hash is not null")
        .groupBy("key", "form_hash")
        .agg(f.count("*").alias("votes"))
        .join(of_words.select("key").distinct(), "key", "left_semi")
    )
    known = extracted.where("kind = 'form'").select("key", "stem", "form", "form_hash").distinct()
    named_by = votes.join(known, ["key", "form_hash"]).repartition("key").sortWithinPartitions("key")
    names = stages.run(named_by, "term")
    named = of_words.join(names, "key", "left").withColumn("name", f.col("stem"))
    of_pages = pages.select((f.col("page_id") + 1).alias("key"), f.col("url").alias("name"))
    of_links = of_kind("links").join(of_pages, "key")
    of_links = of_links.withColumn("stem", (f.col("key") - 1).cast("string")).withColumn("term", f.lit(""))
    own_names = extracted.where("kind = 'name'").select("key", "stem").distinct()
    own = of_kind("group").join(own_names, "key").withColumn("term", f.col("stem")).withColumn("name", f.col("stem"))
    every = work.save("feature-names", named.unionByName(of_links).unionByName(own))
    asked = every.where("name is not null").select("feature_id", f.col("part_name").alias("part"), "name")
    hashes = stages.run(asked, "feature-hash")
    found = every.join(hashes, "feature_id", "left").withColumn("hash", f.coalesce("hash", f.lit(0)))
    return work.save("features", found.drop("name"))


def make_bags(
    work: WorkFolder,
    stages: Stages,
    pages: DataFrame,
    links: DataFrame,
    features: DataFrame,
    of_parts: dict[str, int],
    broadcast_features: int = BROADCAST_FEATURES,
) -> DataFrame:
    """The bags of pages, one a page that has a feature: page_id, features, weights, sum."""
    count = features.count()
    looked_up = features.select("feature_id", "part", "key", "page_count", "hash")
    frequent = f.col("feature_id") >= count - broadcast_features
    found = entries(stages, pages, links)
    near = found.join(f.broadcast(looked_up.where(frequent)), ["part", "key"], "left")
    hits = near.where("feature_id is not null")
    if count > broadcast_features:
        rest = near.where("feature_id is null").select("page_id", "part", "key", "uses")
        hits = hits.unionByName(rest.join(looked_up.where(~frequent), ["part", "key"]))
    columns = ["page_id", "feature_id", "part", "uses", "page_count", "hash"]
    by_page = hits.select(*columns).repartition("page_id").sortWithinPartitions("page_id", "feature_id")
    packed = by_page.mapInArrow(_pack_pages, _BAG_ROWS)
    return work.save("bags", stages.run(packed, "bag", {"partPageCounts": of_parts}))


def _parts_of(words: bytes) -> Iterator[tuple[int, int, int, int, int]]:
    """Part, number of features, bytes of a use and of a form, and where the numbers start."""
    at = 0
    while at < len(words):
        part, length, use_bytes, form_bytes = np.frombuffer(words, "<u4", 4, at).tolist()
        yield part, length, use_bytes, form_bytes, at + 16
        at += 16 + length * (8 + use_bytes + form_bytes)


def _explode(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        pages, parts, keys, uses, forms, has_form = [], [], [], [], [], []
        page_ids = batch.column(0).to_pylist()
        for page_id, words in zip(page_ids, batch.column(1)):
            data = words.as_py()
            for part, length, use_bytes, form_bytes, at in _parts_of(data):
                pages.append(np.full(length, page_id, np.int64))
                parts.append(np.full(length, part, np.int8))
                keys.append(np.frombuffer(data, "<f8", length, at).astype(np.int64))
                of_uses = np.frombuffer(data, "<f8" if use_bytes == 8 else "<u4", length, at + 8 * length)
                uses.append(of_uses.astype(np.float64))
                if form_bytes:
                    of_forms = np.frombuffer(data, "<u4", length, at + (8 + use_bytes) * length)
                    forms.append(of_forms.astype(np.int64))
                else:
                    forms.append(np.zeros(length, np.int64))
                has_form.append(np.full(length, form_bytes == 0))
        if not pages:
            continue
        arrays = [pa.array(np.concatenate(column)) for column in (pages, parts, keys, uses)]
        arrays.append(pa.array(np.concatenate(forms), mask=np.concatenate(has_form)))
        yield pa.RecordBatch.from_arrays(arrays, names=["page_id", "part", "key", "uses", "form_hash"])


def _count_parts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    counts: Counter[int] = Counter()
    for batch in batches:
        for words in batch.column(0):
            counts.update(part for part, *_ in _parts_of(words.as_py()))
    columns = [pa.array(list(counts), pa.int8()), pa.array(list(counts.values()), pa.int64())]
    yield pa.RecordBatch.from_arrays(columns, names=["part", "pages"])


def _pack_pages(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The sorted entries of each page as one row; a page may lie in many batches, which are joined once."""
    held: list[list[np.ndarray]] = []
    for batch in batches:
        if batch.num_rows == 0:
            continue
        columns = [batch.column(i).to_numpy(zero_copy_only=False) for i in range(6)]
        if held and held[-1][0][-1] == columns[0][-1]:
            held.append(columns)
            continue
        last = int(np.searchsorted(columns[0], columns[0][-1]))
        held.append([column[:last] for column in columns])
        if last > 0 or len(held) > 1:
            yield _packed([np.concatenate(pieces) for pieces in zip(*held)])
        held = [[column[last:] for column in columns]]
    if held:
        yield _packed([np.concatenate(pieces) for pieces in zip(*held)])


def _packed(columns: list[np.ndarray]) -> pa.RecordBatch:
    pages, starts = np.unique(columns[0], return_index=True)
    ends = np.append(starts[1:], len(columns[0]))
    kinds = ["<u4", "u1", "<f8", "<u4", "<u4"]
    flat = [column.astype(kind) for column, kind in zip(columns[1:], kinds)]
    arrays = [pa.array(pages, pa.int64())]
    for column in flat:
        arrays.append(pa.array([column[a:b].tobytes() for a, b in zip(starts, ends)], pa.binary()))
    return pa.RecordBatch.from_arrays(arrays, names=["page_id", "features", "parts", "uses", "page_counts", "hashes"])
