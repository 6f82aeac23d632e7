"""Runs the steps that relate pages on what a local index holds, and compares them with it and with brute force.

    relate_check.py copies|lists INDEX WORK_FOLDER AKIN [OPTION...]

It reads SQLite alone, and shares no code with either build but the steps that it checks. Prints JSON.
"""

import json
import math
import random
import sqlite3
import struct
import sys
from array import array
from pathlib import Path
from urllib.parse import urlsplit

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "job")]

from akin.center import find_centers, similar_pairs
from akin.components import find_components
from akin.copies import find_copies
from akin.neighbors import find_neighbors, rank_by_votes
from akin.stage import Stages
from akin.topics import find_topics
from akin.work import WorkFolder
from compare_with_local import bag_of, keys_of, list_of
from pyspark.sql import SparkSession

TOPIC, COPY = 1, 2


def check_neighbors(db, frames, spark, stages, work) -> dict:
    bags = dict(frames["bags"])
    sums = {page: sum(weight for _, weight in bag) for page, bag in bags.items()}
    rows = [
        (page, bytearray(array("I", [f for f, _ in bag]).tobytes()), bytearray(w for _, w in bag), sums[page])
        for page, bag in bags.items()
    ]
    frame = spark.createDataFrame(rows, "page_id bigint, features binary, weights binary, sum int")
    feature_count = db.execute("select count(*) from feature where relation_id = ?", [TOPIC]).fetchone()[0]
    lists, report = find_neighbors(frame, feature_count, stages, work)
    ranked = work.save("ranked", rank_by_votes(lists, stages))
    floor, k = stages.options["floor"], stages.options["neighborLimit"]
    found: dict[int, list] = {page: [] for page in bags}
    for row in lists.orderBy("page_id", "rank").collect():
        found[row["page_id"]].append((row["neighbor_id"], row["shared"], row["total"]))
    weights = {page: dict(bag) for page, bag in bags.items()}
    wrong = wanted = held = unordered = 0
    for page, near in found.items():
        all_near = []
        for other, bag in bags.items():
            shared = sum(min(weight, weights[page].get(feature, 0)) for feature, weight in bag)
            total = sums[page] + sums[other] - shared
            if other != page and shared > 0 and shared / total >= floor:
                all_near.append((-shared / total, other, shared, total))
        exact = {other: (shared, total) for _, other, shared, total in all_near}
        wrong += sum(exact.get(other) != (shared, total) for other, shared, total in near)
        order = [(-shared / total, other) for other, shared, total in near]
        unordered += order != sorted(order) or len(near) > k
        nearest = sorted(all_near)[: min(10, k)]
        if nearest:
            least = -nearest[-1][0]
            wanted += len(nearest)
            held += min(len(nearest), sum(shared / total >= least for _, shared, total in near))
    stored = {
        page: [near[:3] for near in list_of(blob)]
        for page, blob in db.execute("select page_id, entries from neighbor where relation_id = ?", [TOPIC])
    }
    by_votes: dict[int, list] = {}
    for row in ranked.orderBy("page_id", "rank").collect():
        by_votes.setdefault(row["page_id"], []).append((row["neighbor_id"], row["shared"], row["total"]))
    # Where a list and those that vote on it hold what the local build holds, so does their order.
    alike = {page for page, near in stored.items() if set(near) == set(found[page])}
    voted = [page for page in alike if all(other in alike for other, _, _ in stored[page])]
    frames["lists"], frames["ranked"], frames["found"] = lists, ranked, found
    return {
        "pages": len(bags),
        "wrongSimilarities": wrong,
        "unorderedLists": unordered,
        "recall": held / wanted,
        "measured": [report.recall.low, report.recall.high],
        "votedLists": len(voted),
        "differentVotes": sum(by_votes.get(page, []) != stored[page] for page in voted),
    }


def check_center(frames, spark, stages, work) -> dict:
    threshold = stages.options["clusterSimilarity"]
    ids = [(page,) for page in frames["found"]]
    pairs = similar_pairs(frames["lists"], threshold)
    edges: dict[int, set[int]] = {page: set() for page in frames["found"]}
    for page, near in frames["found"].items():
        for other, shared, total in near:
            if shared / total >= threshold:
                edges[page].add(other)
                edges[other].add(page)
    center: dict[int, int] = {}
    for page in sorted(edges):
        if page not in center:
            center[page] = page
            for other in edges[page]:
                center.setdefault(other, page)
    result = {}
    for name, limit in (("rounds", 0), ("driver", 10**9)):
        made, rounds = find_centers(
            spark.createDataFrame(ids, "page_id bigint"), pairs, WorkFolder(spark, work.file(f"center-{name}")), limit
        )
        got = {row["page_id"]: row["center_id"] for row in made.collect()}
        result[name] = {"different": sum(got[page] != center[page] for page in center), "rounds": rounds}
        frames["centers"] = made
    return {**result, "clusters": len(set(center.values())), "pages": len(center)}


def check_topics(db, frames, stages, work) -> dict:
    """The first passes in rounds, the rest in one task; beside the topics of the local build."""
    pages, planted = frames["found"], frames["planted"]
    near = frames["lists"].count()
    found, report = find_topics(frames["centers"], frames["ranked"], len(pages), stages, work, near // 20)
    levels: dict[int, dict[int, int]] = {}
    for row in found.collect():
        levels.setdefault(row["level"], {})[row["page_id"]] = row["topic_id"]
    local: dict[int, dict[int, int]] = {}
    # Level 0 are the tight clusters, of which topics are made.
    for level, page, topic in db.execute(
        "select level, page_id, cluster_id from member join cluster on cluster.id = cluster_id"
        " where relation_id = ? and level > 0",
        [TOPIC],
    ):
        local.setdefault(level, {})[page] = topic
    nested = all(
        len({(levels[level][page], levels[level + 1][page]) for page in pages}) == len(set(levels[level].values()))
        for level in range(len(levels) - 1)
    )
    return {
        "passes": report.passes,
        "levels": [len(set(level.values())) for _, level in sorted(levels.items())],
        "pages": min(len(level) for level in levels.values()),
        "isNested": nested,
        "centersAreMembers": all(level[center] == center for level in levels.values() for center in level.values()),
        "vMeasures": [v_measure([(of[page], planted[page]) for page in planted]) for _, of in sorted(levels.items())],
        "localVMeasures": [
            v_measure([(of[page], planted[page]) for page in planted]) for _, of in sorted(local.items())
        ],
    }


def v_measure(pairs: list[tuple[int, int]]) -> float:
    def entropy(items) -> float:
        counts: dict = {}
        for item in items:
            counts[item] = counts.get(item, 0) + 1
        return -sum(count / len(pairs) * math.log(count / len(pairs)) for count in counts.values())

    clusters, classes, both = entropy([a for a, _ in pairs]), entropy([b for _, b in pairs]), entropy(pairs)
    return (
        2
        * (1 - (both - clusters) / classes)
        * (1 - (both - classes) / clusters)
        / (2 - (both - clusters) / classes - (both - classes) / clusters)
    )


def check_copies(db, spark, stages, work) -> dict:
    rows = db.execute(
        """select page.id, url, lang, shingle_digest, keys, key_limit, shingle_count from page
           join capture on capture.page_id = page.id
            join version on version.id = capture.version_id where fetched = 1"""
    ).fetchall()
    sketches = [
        (
            *(page, urlsplit(url).hostname, lang, bytearray(digest)),
            *(
                bytearray(struct.pack(f"<{len(keys_of(keys))}d", *keys_of(keys))),
                math.inf if limit is None else float(limit),
            ),
            *(count, None),
        )
        for page, url, lang, digest, keys, limit, count in rows
    ]
    columns = "page_id bigint, host string, lang string, shingle_digest binary, keys binary, limit double"
    columns += ", shingle_count int, simhash binary"
    copies = find_copies(spark.createDataFrame(sketches, columns), stages, work)
    said = json.loads(db.execute("select value from parameter where name = 'copy_found'").fetchone()[0])
    fold = {row["page_id"]: row["folded_id"] for row in copies.folds.collect()}
    members: dict[int, list[int]] = {}
    for page, first in sorted(fold.items()):
        members.setdefault(first, []).append(page)
    near: dict[int, dict[int, tuple[int, int]]] = {page: {} for page in fold}
    for row in copies.pairs.collect():
        figure = (row["shared"], row["of_a"] + row["of_b"] - row["shared"])
        for a in members[row["a"]]:
            for b in members[row["b"]]:
                near[a][b] = near[b][a] = figure
    limit = db.execute("select neighbor_limit from relation where id = ?", [COPY]).fetchone()[0]
    stored = {
        page: [near[:3] for near in list_of(blob)]
        for page, blob in db.execute("select page_id, entries from neighbor where relation_id = ?", [COPY])
    }
    different = 0
    for page, found in near.items():
        listed = {other: (shared, total) for other, shared, total in stored.get(page, [])}
        twins = [other for other in members[fold[page]] if other != page]
        if len(found) + len(twins) > limit:
            continue
        # Equal texts are each other's nearest, whatever was sampled of them.
        equal = [listed.pop(twin, (0, 1)) for twin in twins]
        different += listed != found or any(shared != total for shared, total in equal)
    clusters = 0
    roots: dict[int, dict[int, int]] = {}
    for row in copies.roots.collect():
        roots.setdefault(row["level"], {})[row["page_id"]] = row["root"]
    for level, of_level in roots.items():
        mine: dict[int, set[int]] = {}
        for page, first in fold.items():
            mine.setdefault(of_level[first], set()).add(page)
        theirs: dict[int, set[int]] = {}
        for cluster, page in db.execute(
            "select cluster_id, page_id from member join cluster on cluster.id = cluster_id"
            " where relation_id = ? and level = ?",
            [COPY, level],
        ):
            theirs.setdefault(cluster, set()).add(page)
        whole = {frozenset(pages) for pages in mine.values() if len(pages) > 1}
        clusters += len(whole ^ {frozenset(pages) for pages in theirs.values() if len(pages) > 1})
    return {
        "counts": {name: [count, said[name]] for name, count in copies.report.items()},
        "differentLists": different,
        "differentClusters": clusters,
        "levels": len(roots),
    }


def check_components(spark, work) -> dict:
    draw = random.Random(5)
    names = list(range(10**12, 10**12 + 3000))
    draw.shuffle(names)
    path = [(names[i], names[i + 1]) for i in range(40)]
    star = [(names[700], names[i]) for i in range(701, 1300)]
    loose = [(names[1300 + draw.randrange(1200)], names[1300 + draw.randrange(1200)]) for _ in range(700)]
    edges = [edge for edge in path + star + loose if edge[0] != edge[1]]
    parents: dict[int, int] = {}

    def find(page: int) -> int:
        while parents.setdefault(page, page) != page:
            page = parents[page]
        return page

    for a, b in edges:
        low, high = sorted((find(a), find(b)))
        parents[high] = low
    frame = spark.createDataFrame(edges, "a bigint, b bigint")
    result = {}
    for name, limit in (("rounds", 0), ("driver", 10**9)):
        found, rounds = find_components(frame, work, f"graph-{name}", limit)
        got = {row["page_id"]: row["root"] for row in found.collect()}
        result[name] = {
            "different": sum(got.get(page) != find(page) for page in parents),
            "pages": len(got),
            "rounds": rounds,
        }
    return {**result, "pages": len(parents)}


def main() -> None:
    what, index, folder, akin_stage, *options = sys.argv[1:]
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    db = sqlite3.connect(f"file:{index}?mode=ro", uri=True)
    stages = Stages(akin_stage.split(" "), options).start(spark)
    work = WorkFolder(spark, folder)
    report: dict = {}
    if what == "copies":
        report["components"] = check_components(spark, work)
        report["copies"] = check_copies(db, spark, stages, work)
    else:
        blobs = db.execute("select page_id, entries from bag where relation_id = ?", [TOPIC])
        frames: dict = {"bags": {page: bag_of(blob) for page, blob in blobs}}
        urls = db.execute("select id, url from page")
        frames["planted"] = {page: int(urlsplit(url).path.split("/")[1]) for page, url in urls}
        report["neighbors"] = check_neighbors(db, frames, spark, stages, work)
        report["center"] = check_center(frames, spark, stages, work)
        report["topics"] = check_topics(db, frames, stages, work)
    report["stages"] = dict(sorted(stages.sums.value.items()))
    print(json.dumps(report))


if __name__ == "__main__":
    main()
