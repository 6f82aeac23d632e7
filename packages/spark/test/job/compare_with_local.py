"""Compares the steps of a Spark job with a local index of the same input, row for row, and prints the differences as JSON.

    compare_with_local.py WORK_FOLDER INDEX

It reads Parquet and SQLite alone and shares no code with either build.
"""

import json
import sqlite3
import sys

import numpy as np
import pyarrow.dataset as ds

# Places in the column `part` of `feature`.
PARTS = ["content", "title", "heading", "bigram", "anchor", "out", "in"]


def table(work: str, name: str, columns: list[str]) -> list[tuple]:
    files = ds.dataset(f"{work}/{name}", format="parquet", exclude_invalid_files=True)
    rows = files.to_table(columns=columns).to_pydict()
    return list(zip(*(rows[column] for column in columns)))


def varint(blob: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = blob[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def bag_of(blob: bytes) -> list[tuple[int, int]]:
    """Feature and weight of each entry, as docs/formats/index-file.md has them."""
    if not blob:
        return []
    count, at = varint(blob, 0)
    entries, feature = [], -1
    for _ in range(count):
        head, at = varint(blob, at)
        feature += head // 8 + 1
        weight = head % 8 + 1
        if weight == 8:
            weight, at = blob[at], at + 1
        entries.append((feature, weight))
    return entries


def list_of(blob: bytes) -> list[tuple[int, int, int, int]]:
    """Page, shared, total and nearness (0 where it has none) of each neighbor, as docs/formats/index-file.md has them."""
    head, at = varint(blob, 0)
    count, has_nearness = divmod(head, 2)
    page, found = 0, []
    for _ in range(count):
        step, at = varint(blob, at)
        shared, at = varint(blob, at)
        rest, at = varint(blob, at)
        nearness = int.from_bytes(blob[at : at + 2 * has_nearness], "little")
        at += 2 * has_nearness
        page += step // 2 if step % 2 == 0 else -(step + 1) // 2
        found.append((page, shared, shared + rest, nearness))
    return found


def keys_of(blob: bytes) -> list[int]:
    """Shingle keys as docs/formats/index-file.md has them."""
    level_count, at = varint(blob, 0)
    counts = []
    for _ in range(level_count):
        count, at = varint(blob, at)
        counts.append(count)
    lows = np.frombuffer(blob, "<u4", sum(counts), at).tolist()
    at += 4 * sum(counts)
    keys: list[int] = []
    for level, count in zip(range(level_count - 1, -1, -1), counts):
        if count <= 36:
            uppers = list(blob[at : at + count])
            at += count
        else:
            size = (count + 262) // 8
            bits = np.unpackbits(np.frombuffer(blob, "u1", size, at), bitorder="little")
            uppers = [int(place) - i for i, place in enumerate(np.flatnonzero(bits))]
            at += size
        keys += [((15 - level) << 40) + (upper << 32) + low for upper, low in zip(uppers, lows[len(keys) :])]
    return keys


def differences(spark: dict, local: dict) -> dict:
    keys = [key for key in spark.keys() | local.keys() if spark.get(key) != local.get(key)]
    shown = [[str(key)[:200], str(spark.get(key))[:300], str(local.get(key))[:300]] for key in sorted(keys)[:3]]
    return {"rows": len(local), "different": len(keys), "first": shown}


def main(work: str, index: str) -> None:
    local = sqlite3.connect(f"file:{index}?mode=ro", uri=True)
    pages = table(work, "pages", ["page_id", "url", "title", "site", "lang", "fetched"])
    found = {
        "pages": differences(
            {id: (url, title, site, lang or None, int(fetched)) for id, url, title, site, lang, fetched in pages},
            {
                row[0]: row[1:]
                for row in local.execute(
                    "select page.id, url, coalesce(full_title, title), site.name, lang, fetched"
                    " from page join site on site.id = site_id"
                )
            },
        )
    }
    url_of = {id: url for id, url, *_ in pages}
    aliases = table(work, "aliases", ["url", "end", "kind"])
    page_urls = set(url_of.values())
    found["aliases"] = differences(
        {
            # Where nothing is known of the end it is no alias.
            url: (end, "redirect" if kind == "redirect" else "canonical")
            for url, end, kind in aliases
            if end in page_urls
        },
        {
            url: (end, kind)
            for url, end, kind in local.execute(
                "select a.url, p.url, a.kind from alias a join page p on p.id = page_id"
            )
        },
    )
    features = table(work, "features", ["feature_id", "part_name", "stem", "term", "page_count"])
    found["features"] = differences(
        {id: (part, stem, term, count) for id, part, stem, term, count in features},
        {
            id: (PARTS[int(part)] if part.isdigit() else part, *row)
            for id, part, *row in local.execute(
                "select id, part, stem, term, page_count from feature where relation_id = 1"
            )
        },
    )
    bags = {
        page: list(zip(np.frombuffer(ids, "<u4").tolist(), np.frombuffer(weights, "u1").tolist()))
        for page, ids, weights in table(work, "bags", ["page_id", "features", "weights"])
    }
    found["bags"] = differences(
        {page: bag for page, bag in bags.items() if bag},
        {
            page: bag_of(blob)
            for page, blob in local.execute("select page_id, entries from bag where relation_id = 1")
            if blob
        },
    )
    sketches = table(work, "pages", ["page_id", "text_digest", "keys", "limit", "shingle_count"])
    has_copies = local.execute("select count(*) from version").fetchone()[0] > 0
    if has_copies:
        found["sketches"] = differences(
            {
                id: (
                    digest,
                    np.frombuffer(keys, "<f8").astype(int).tolist(),
                    None if limit == float("inf") else limit,
                    count,
                )
                for id, digest, keys, limit, count in sketches
                if digest is not None
            },
            {
                id: (digest, keys_of(keys), *rest)
                for id, digest, keys, *rest in local.execute(
                    "select page_id, version.text_digest, keys, key_limit, shingle_count"
                    " from capture join version on version.id = version_id join page on page.id = page_id"
                    " where capture.sweep_id = page.sweep_id and page_id not in (select page_id from gone)"
                )
            },
        )
    decided = table(work, "decided", ["url", "kind", "fetched_ms", "to", "sweep", "is_past"])
    found["other answers"] = differences(
        {
            url: (kind, int(ms), sweep, (to or "") if kind == "redirect" else "")
            for url, kind, ms, to, sweep, is_past in decided
            if kind != "page" and not is_past
        },
        {
            url: (kind, ms, sweep, record.decode())
            for url, kind, ms, sweep, record in local.execute(
                "select url, kind, fetched_at_ms, sweep_id, record from other_input where kind != 'page'"
            )
        },
    )
    print(json.dumps(found, indent=2))
    sys.exit(any(one["different"] for one in found.values()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
