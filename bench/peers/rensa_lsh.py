"""One digest matrix of all sets into RMinHashLSH; the hashing of tokens to 64 bits is not counted in its index time."""
import os

os.environ.setdefault("RAYON_NUM_THREADS", "1")
import numpy
from rensa import RMinHash, RMinHashLSH
from exchange import ELEMENTS, OFFSETS, QUERIES, building, elements_of, hand_back, seconds

VALUES = 128
SEED = 1
REPEATS = 3
names = [str(element) for element in range(max(ELEMENTS) + 1)]
hash_of = numpy.array(RMinHash.hash_token_sets([names])[0], dtype=numpy.uint64)
hashes = hash_of[numpy.array(ELEMENTS, dtype=numpy.uint32)]
offsets = numpy.array(OFFSETS, dtype=numpy.uint64)


def build(bands):
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, VALUES, SEED)
    lsh = RMinHashLSH(0.1, VALUES, bands)
    lsh.insert_matrix(matrix, 0)
    return lsh, matrix


def query(lsh, table, page, tokens):
    minhash = RMinHash.from_token_sets([tokens], VALUES, SEED)[0]
    found = numpy.array([other for other in lsh.query(minhash) if other != page], dtype=numpy.int64)
    agreeing = numpy.count_nonzero(table[found] == numpy.array(minhash.digest(), dtype=numpy.uint32), axis=1)
    return found[numpy.argsort(-agreeing, kind="stable")[:10]], found


def measure(bands):
    times, (lsh, matrix) = building(lambda: build(bands), REPEATS)
    table = numpy.array(matrix.to_rows(), dtype=numpy.uint32)
    asked = [(page, [names[element] for element in elements_of(page)]) for page in QUERIES]
    timed = [seconds(lambda: query(lsh, table, page, tokens)) for page, tokens in asked]
    return {
        "name": f"{bands} bands of {VALUES // bands}",
        **times,
        "queryMs": [took * 1000 for took, _ in timed],
        "answers": [best.tolist() for _, (best, _) in timed],
        "candidates": [found.tolist() for _, (_, found) in timed],
    }


hand_back([measure(64), measure(128)])
