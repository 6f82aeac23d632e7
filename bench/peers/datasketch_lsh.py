"""MinHash.bulk into MinHashLSH; candidates are ranked by all values at once, which is faster than MinHash.jaccard."""
import numpy
from datasketch import MinHash, MinHashLSH
from exchange import PAGES, QUERIES, building, elements_of, hand_back, seconds

VALUES = 128
OPTIONS = {"num_perm": VALUES, "hashfunc": int, "scheme": "affine32"}
REPEATS = 3
sets = [list(elements_of(page)) for page in range(PAGES)]


def build(bands, rows):
    minhashes = MinHash.bulk(sets, **OPTIONS)
    lsh = MinHashLSH(num_perm=VALUES, params=(bands, rows))
    with lsh.insertion_session() as session:
        for page, minhash in enumerate(minhashes):
            session.insert(page, minhash)
    return lsh, numpy.array([minhash.hashvalues for minhash in minhashes])


def query(lsh, table, page):
    minhash = MinHash.bulk([sets[page]], **OPTIONS)[0]
    found = numpy.fromiter((other for other in lsh.query(minhash) if other != page), dtype=numpy.int64)
    agreeing = numpy.count_nonzero(table[found] == minhash.hashvalues, axis=1)
    return found[numpy.argsort(-agreeing, kind="stable")[:10]], found


def measure(bands, rows):
    times, (lsh, table) = building(lambda: build(bands, rows), REPEATS)
    timed = [seconds(lambda: query(lsh, table, page)) for page in QUERIES]
    return {
        "name": f"{bands} bands of {rows}",
        **times,
        "queryMs": [took * 1000 for took, _ in timed],
        "answers": [best.tolist() for _, (best, _) in timed],
        "candidates": [found.tolist() for _, (_, found) in timed],
    }


hand_back([measure(64, 2), measure(128, 1)])
