"""What the Python drivers share: the sets, the queries, the time and memory they took."""
import array
import json
import pathlib
import resource
import sys
import time

FOLDER = pathlib.Path(sys.argv[1])
SHAPE = json.loads((FOLDER / "shape.json").read_text())
QUERIES = SHAPE["queries"]


def read(name, kind):
    values = array.array(kind)
    values.frombytes((FOLDER / name).read_bytes())
    return values


OFFSETS = read("offsets.u32", "I")
"""Elements of all sets, ascending in each: a feature of weight w is w elements."""
ELEMENTS = read("elements.u32", "I")
PAGES = len(OFFSETS) - 1
LONG_SECONDS = 20
"""A build that takes longer is not repeated."""


def elements_of(page):
    return ELEMENTS[OFFSETS[page] : OFFSETS[page + 1]]


def seconds(work):
    started = time.perf_counter()
    value = work()
    return time.perf_counter() - started, value


def building(build, repeats):
    """Median time of some builds, of wall and of processor, and what the last one gave."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        took, built = seconds(build)
        times.append((took, time.process_time() - started))
        if took > LONG_SECONDS:
            break
    middle = [sorted(column)[len(times) // 2] for column in zip(*times)]
    return {"indexSeconds": middle[0], "indexCpuSeconds": middle[1]}, built


def hand_back(settings):
    """A list of {name, indexSeconds, indexCpuSeconds, queryMs, answers, candidates}."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    (FOLDER / "result.json").write_text(json.dumps({"peakMiB": round(peak), "settings": settings}))
