"""Checks the lists of shards, or of one index, against their bags, and prints what is wrong as JSON.

    check_lists.py SAMPLE_SIZE INDEX_OR_SHARD...

Every similarity is computed again; the recall@10 of the pages of a sample is that against an exact search; the tight clusters
are those of one scan over the similar pairs. It reads SQLite alone and shares no code with either build.
"""

import json
import random
import sqlite3
import sys

import numpy as np
from compare_with_local import list_of
from compare_with_local import bag_of

TOPIC, AT = 1, 10


class Whole:
    """Bags, lists and tight clusters over all files, by the position of a page among all pages."""

    def __init__(self, paths: list[str]) -> None:
        files = [sqlite3.connect(f"file:{path}?mode=ro", uri=True) for path in paths]
        urls: dict[str, int] = {}
        own: list[int] = []
        for file in files:
            shard = file.execute("select value from parameter where name = 'shard'").fetchone()
            own.append(json.loads(shard[0])["ownPageCount"] if shard else 1 << 62)
            urls.update((row[0], 0) for row in file.execute("select url from page where id < ?", [own[-1]]))
        self.urls = sorted(urls)
        for place, url in enumerate(self.urls):
            urls[url] = place
        self.count = len(self.urls)
        self.features: list[np.ndarray] = [np.empty(0, np.int64)] * self.count
        self.weights: list[np.ndarray] = [np.empty(0, np.int64)] * self.count
        self.lists: dict[int, list[tuple[int, int, int]]] = {}
        self.center: dict[int, int] = {}
        for file, own_count in zip(files, own):
            place = {id: urls[url] for id, url in file.execute("select id, url from page")}
            for page, blob in file.execute("select page_id, entries from bag where relation_id = ?", [TOPIC]):
                if page < own_count and (bag := bag_of(blob)):
                    columns = np.array(bag, np.int64)
                    self.features[place[page]], self.weights[place[page]] = columns[:, 0], columns[:, 1]
            for page, blob in file.execute("select page_id, entries from neighbor where relation_id = ?", [TOPIC]):
                self.lists[place[page]] = [(place[other], shared, total) for other, shared, total, _ in list_of(blob)]
            members = file.execute(
                "select page_id, center_id from member join cluster on cluster.id = cluster_id"
                " where relation_id = ? and level = 0",
                [TOPIC],
            )
            self.center.update((place[page], place[center]) for page, center in members)
        (self.floor,) = files[0].execute("select floor from relation where id = ?", [TOPIC]).fetchone()
        (tight,) = files[0].execute("select value from parameter where name = 'cluster_similarity'").fetchone()
        self.tight = json.loads(tight)
        self.feature_count = 1 + max(int(ids[-1]) for ids in self.features if len(ids))
        self.sums = np.array([weights.sum() for weights in self.weights])


def wrong_similarities(whole: Whole) -> int:
    """Entries of lists whose shared or total weight is not that of the bags."""
    wrong = 0
    weight = np.zeros(whole.feature_count, np.int64)
    for page, near in whole.lists.items():
        others = [other for other, _, _ in near]
        weight[whole.features[page]] = whole.weights[page]
        ids = np.concatenate([whole.features[other] for other in others])
        least = np.minimum(weight[ids], np.concatenate([whole.weights[other] for other in others]))
        owner = np.repeat(np.arange(len(others)), [len(whole.features[other]) for other in others])
        shared = np.bincount(owner, least, len(others)).astype(np.int64)
        total = whole.sums[page] + whole.sums[others] - shared
        said = np.array([(shared, total) for _, shared, total in near])
        wrong += int(((said[:, 0] != shared) | (said[:, 1] != total)).sum())
        weight[whole.features[page]] = 0
    return wrong


def recall(whole: Whole, sample_size: int) -> tuple[float, int]:
    """The share of the nearest that sampled lists hold (at a tie any of the tied counts), and how many pages were asked."""
    lengths = np.array([len(ids) for ids in whole.features])
    pages = np.repeat(np.arange(whole.count, dtype=np.int32), lengths)
    features, weights = np.concatenate(whole.features), np.concatenate(whole.weights).astype(np.int32)
    order = np.argsort(features, kind="stable")
    starts = np.searchsorted(features[order], np.arange(whole.feature_count + 1))
    pages, weights = pages[order], weights[order]
    with_bag = np.flatnonzero(lengths)
    asked = random.Random(7).sample(with_bag.tolist(), min(sample_size, len(with_bag)))
    held = wanted = 0
    for page in asked:
        shared = np.zeros(whole.count, np.int64)
        for feature, weight in zip(whole.features[page], whole.weights[page]):
            posting = slice(starts[feature], starts[feature + 1])
            shared[pages[posting]] += np.minimum(weights[posting], weight)
        similarity = shared / np.maximum(1, whole.sums[page] + whole.sums - shared)
        similarity[page] = -1
        nearest = np.sort(similarity)[::-1][:AT]
        nearest = nearest[(nearest >= whole.floor) & (nearest > 0)]
        if len(nearest):
            near = sum(shared / total >= nearest[-1] for _, shared, total in whole.lists.get(page, []))
            wanted += len(nearest)
            held += min(near, len(nearest))
    return held / wanted, len(asked)


def wrong_centers(whole: Whole) -> int:
    """Pages that one scan over the similar pairs in page order puts elsewhere."""
    similar: list[set[int]] = [set() for _ in range(whole.count)]
    for page, near in whole.lists.items():
        for other, shared, total in near:
            if shared / total >= whole.tight:
                similar[page].add(other)
                similar[other].add(page)
    center: dict[int, int] = {}
    for page in range(whole.count):
        if page not in center:
            center[page] = page
            for other in similar[page]:
                center.setdefault(other, page)
    return sum(whole.center.get(page) != own for page, own in center.items())


def main(sample_size: int, paths: list[str]) -> None:
    whole = Whole(paths)
    found, asked = recall(whole, sample_size)
    report = {
        "pages": whole.count,
        "entries": sum(map(len, whole.lists.values())),
        "wrongSimilarities": wrong_similarities(whole),
        "tightClusters": len(set(whole.center.values())),
        "wrongCenters": wrong_centers(whole),
        "recall": found,
        "sampled": asked,
    }
    print(json.dumps(report, indent=2))
    sys.exit(report["wrongSimilarities"] > 0 or report["wrongCenters"] > 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
