"""Compares the shards of one job with a local index of the same input, table by table, and prints the differences as JSON.

    compare_shards.py LOCAL_INDEX SHARD...

It reads SQLite alone. Rows are compared by URL, so that ids need not be known; a page of another shard is no row.
"""

import json
import sqlite3
import sys
from collections import Counter

from compare_with_local import list_of

#: The relation by own features, which the job does not make.
FEATURES = 3
OWN = "page.id in (select page_id from own)"


def opened(path: str) -> sqlite3.Connection:
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    shard = file.execute("select value from parameter where name = 'shard'").fetchone()
    count = json.loads(shard[0])["ownPageCount"] if shard else 1 << 62
    file.execute(f"create temp table own as select id as page_id from page where id < {count}")
    return file


def parameters_of(file: sqlite3.Connection) -> Counter:
    """A row a member, in whatever order members are written."""
    rows: Counter = Counter()
    # Measured of lists that are found approximately, of a shard, or of the relation that the job does not make.
    for name, value in file.execute(
        "select name, value from parameter where name not in ('neighbors', 'shard', 'own_features_found')"
    ):
        whole = json.loads(value)
        members = whole.items() if isinstance(whole, dict) else [("", whole)]
        for member, one in members:
            # A local build alone estimates pairs that never met.
            if (name, member) not in (("copy_found", "template_pair_count"), ("copy_found", "template_pair_error")):
                rows[name, member, json.dumps(one, sort_keys=True)] += 1
    return rows


def varints(blob: bytes):
    value = shift = 0
    for byte in blob:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0


def ids_of_links(blob: bytes) -> list[int]:
    last, found = 0, []
    for step in varints(blob):
        last += step
        found.append(last)
    return found


def urls_of_whole(files: list[sqlite3.Connection]) -> dict[int, str]:
    """URLs by the position of a page over all shards, by which links name them."""
    return dict(
        enumerate(sorted(row[0] for file in files for row in file.execute(f"select url from page where {OWN}")))
    )


def counted(file: sqlite3.Connection, rows: str) -> Counter:
    """Rows whose last column says how often they are there; over shards it adds up."""
    return Counter({tuple(row): count for *row, count in file.execute(rows)})


def facts(file: sqlite3.Connection, whole: dict[int, str]) -> dict[str, Counter]:
    url = dict(file.execute("select id, url from page"))
    found = {
        "pages": Counter(
            file.execute(
                "select url, title, full_title, lang, fetched, word_count, in_link_count, out_link_count, name, page.sweep_id"
                f" from page join site on site.id = site_id where {OWN}"
            )
        ),
        "captures": Counter(
            file.execute(
                "select url, capture.sweep_id, fetched_at_ms, media_type, charset, body_bytes, hex(capture.text_digest),"
                " hex(version.text_digest), hex(keys) from capture join page on page.id = page_id join encoding on encoding.id = encoding_id"
                f" left join version on version.id = version_id where {OWN}"
            )
        ),
        "gone": Counter(
            file.execute(f"select url, gone.sweep_id from gone join page on page.id = page_id where {OWN}")
        ),
        "parameters": parameters_of(file),
        "sweeps": counted(file, "select id, name, record_count from sweep"),
        "cards": Counter(file.execute(f"select url, card.* from card join page on page.id = page_id where {OWN}")),
        "features": Counter(file.execute("select * from feature")),
        "parts": Counter(file.execute("select * from part")),
        "bags": Counter(file.execute(f"select url, hex(entries) from bag join page on page.id = page_id where {OWN}")),
        "aliases": Counter(file.execute("select alias.url, page.url, kind from alias join page on page.id = page_id")),
        "other answers": Counter(file.execute("select url, kind, sweep_id, fetched_at_ms from other_input")),
        "skips": counted(file, "select sweep_id, reason, extension, record_count from skip"),
        "links": Counter(),
    }
    found["cards"] = Counter((row[0], *row[2:]) for row in found["cards"].elements())
    for page, blob in file.execute("select page_id, targets from link"):
        found["links"].update((url[page], whole[target]) for target in ids_of_links(blob))
    for relation, page, blob in file.execute(f"select relation_id, page_id, entries from neighbor where relation_id < {FEATURES}"):
        rows = [(shared, total, url[other], near) for other, shared, total, near in list_of(blob)]
        found.setdefault(f"lists of relation {relation}", Counter())[(url[page], tuple(rows))] += 1
    for (relation,) in file.execute(f"select id from relation where id < {FEATURES}").fetchall():
        clusters = file.execute(
            "select c.level, c.key, p.url, c.size, c.radius, c.label, up.key from cluster c"
            " join page p on p.id = c.center_id left join cluster up on up.id = c.parent_id where c.relation_id = ?",
            [relation],
        )
        found[f"clusters of relation {relation}"] = Counter(clusters)
        members = file.execute(
            "select c.key, p.url, m.similarity from member m"
            " join cluster c on c.id = m.cluster_id join page p on p.id = m.page_id where c.relation_id = ?",
            [relation],
        )
        found[f"members of relation {relation}"] = Counter(members)
    return found


def main(local: str, shards: list[str]) -> None:
    file = opened(local)
    whole = facts(file, urls_of_whole([file]))
    files = [opened(path) for path in shards]
    urls = urls_of_whole(files)
    merged: dict[str, Counter] = {}
    #: The same in each shard, or in each that has a part of it.
    repeated = {"features", "parts", "aliases", "parameters"}
    for file in files:
        for name, rows in facts(file, urls).items():
            known = merged.setdefault(name, Counter())
            merged[name] = known | rows if name in repeated or name.startswith("clusters") else known + rows
    report = {}
    for name in sorted(whole.keys() | merged.keys()):
        one, other = whole.get(name, Counter()), merged.get(name, Counter())
        missing, added = one - other, other - one
        report[name] = {"rows": sum(one.values()), "missing": sum(missing.values()), "added": sum(added.values())}
        if missing or added:
            report[name]["first"] = [[str(row)[:200] for row in sorted(rows, key=str)[:2]] for rows in (missing, added)]
    print(json.dumps(report, indent=2, ensure_ascii=False))
    sys.exit(any(one["missing"] or one["added"] for one in report.values()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
