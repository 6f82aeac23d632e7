"""Runs `akin-stage NAME` over a DataFrame: one Node process a task, fed with lines and read back as Arrow batches."""

from __future__ import annotations

import base64
import json
import math
import resource
import shlex
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyspark import AccumulatorParam
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as t

RECORDS_VERSION = 5
BATCH_ROWS = 4096
BATCH_BYTES = 8 << 20
LOGGED_FAULTS = 20

_SPARK_TYPES = {
    "long": t.LongType(),
    "int": t.IntegerType(),
    "double": t.DoubleType(),
    "boolean": t.BooleanType(),
    "text": t.StringType(),
    "binary": t.BinaryType(),
}
_ARROW_TYPES = {
    "long": pa.int64(),
    "int": pa.int32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "text": pa.string(),
    "binary": pa.binary(),
}


class _SumByName(AccumulatorParam):
    """Sums of numbers by name."""

    def zero(self, value: dict[str, float]) -> dict[str, float]:
        return {}

    def addInPlace(self, one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
        for name, amount in other.items():
            one[name] = one.get(name, 0) + amount
        return one


class StageError(RuntimeError):
    """A stage ended with an error: the task fails, and Spark tries it again."""


class Stages:
    """The stages of one akin, with the options of one build. What akin says of them needs no Spark."""

    def __init__(self, command: Sequence[str], options: Sequence[str] = ()) -> None:
        self._command = list(command)
        self._options = list(options)
        self._described: dict[str, dict] = {}

    def start(self, spark: SparkSession) -> Stages:
        """Makes them ready to run on a Spark."""
        spark.sparkContext.addPyFile(_packed_package())
        #: Records read, written and at fault, and processor seconds, as `name.what`; a task that ran twice counts twice.
        self.sums = spark.sparkContext.accumulator({}, _SumByName())
        return self

    def describe(self, name: str) -> dict:
        """Columns of a stage. Raises StageError where akin does not know it."""
        if name not in self._described:
            self._described[name] = self._ask(name, {})
        return self._described[name]

    def plan(self, name: str, found: dict) -> dict:
        """What the job has to know of a step before it."""
        return self._ask(name, found)["plan"]

    def _ask(self, name: str, found: dict) -> dict:
        version = ["--records-version", str(RECORDS_VERSION)]
        command = [*self._command, name, "--describe", "--found", json.dumps(found), *version, *self._options]
        try:
            asked = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as fault:
            raise StageError(f"{shlex.join(self._command)} cannot be started: {fault}") from fault
        if asked.returncode != 0:
            raise StageError(asked.stderr.strip())
        return json.loads(asked.stdout)

    @property
    def options(self) -> dict:
        """The options that say what is made, as akin reads them: names of src/indexer/options/build-options.ts."""
        return self.describe("signature")["options"]

    @property
    def one_machine_options(self) -> list[str]:
        """Those of the options that no job can take, as they are written."""
        return self.describe("signature")["oneMachine"]

    @property
    def made_as(self) -> dict:
        """What decides what the stages make of the same records: versions of akin, and its options."""
        return {"records": RECORDS_VERSION, **self.describe("signature")["versions"], "options": self.options}

    @property
    def numbers(self) -> dict:
        """Numbers of the local build, by what they are of: packages/spark/src/shared-numbers.ts."""
        return self.describe("signature")["numbers"]

    @property
    def kinds(self) -> dict[str, str]:
        """The parts that have a share, in the order of their numbers: words, links, pairs or group."""
        return {part["name"]: part["kind"] for part in self.describe("signature")["parts"]["used"]}

    @property
    def packed_parts(self) -> list[str]:
        """The parts in the column `words` of the stage `collapse`, by their numbers there."""
        return self.describe("signature")["parts"]["packed"]

    def run(self, rows: DataFrame, name: str, found: dict | None = None) -> DataFrame:
        """The rows that a stage makes of these; their order within a partition is kept."""
        described = self.describe(name)
        command = [
            *self._command,
            name,
            "--records-version",
            str(RECORDS_VERSION),
            "--found",
            json.dumps(found or {}),
            *self._options,
        ]
        schema = t.StructType(
            [
                t.StructField(column, _SPARK_TYPES[kind.rstrip("?")], kind.endswith("?"))
                for column, kind in described["output"].items()
            ]
        )
        work = _StageWork(name, command, described["input"], described["output"], self.sums)
        return rows.select(*described["input"]).mapInArrow(work, schema)


class _StageWork:
    """What one task does; it travels to the executors."""

    def __init__(self, name: str, command: list[str], inputs: dict, outputs: dict, sums) -> None:
        self._name = name
        self._command = command
        self._inputs = inputs
        self._outputs = outputs
        self._sums = sums

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = next((batch for batch in batches if batch.num_rows > 0), None)
        if first is None:
            return
        python_before = time.process_time()
        node_before = _children_seconds()
        child = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=1 << 18
        )
        faults: list[BaseException] = []
        said: list[str] = []
        feeding = threading.Thread(target=self._feed, args=(child, first, batches, faults), daemon=True)
        listening = threading.Thread(target=_listen, args=(child, said), daemon=True)
        feeding.start()
        listening.start()
        try:
            yield from self._read(child)
            feeding.join()
            listening.join()
            code = child.wait()
            if faults:
                raise faults[0]
            if code != 0:
                raise StageError(f"akin-stage {self._name} ended with {code}: {' '.join(said[-5:])}")
        finally:
            child.kill()
            child.wait()
        self._account(said, time.process_time() - python_before, _children_seconds() - node_before)

    def _feed(self, child: subprocess.Popen, first: pa.RecordBatch, batches: Iterator, faults: list) -> None:
        try:
            with child.stdin as to:
                to.write(self._lines(first))
                for batch in batches:
                    to.write(self._lines(batch))
        except BrokenPipeError:
            pass  # the stage has ended, and says why
        except BaseException as fault:  # noqa: BLE001 - raised again by the task
            faults.append(fault)

    def _lines(self, batch: pa.RecordBatch) -> bytes:
        if batch.num_rows == 0:
            return b""
        columns = [
            _fields(batch.column(i).to_pylist(), kind.rstrip("?")) for i, kind in enumerate(self._inputs.values())
        ]
        return ("\n".join(map("\t".join, zip(*columns))) + "\n").encode()

    def _read(self, child: subprocess.Popen) -> Iterator[pa.RecordBatch]:
        lines: list[list[str]] = []
        size = 0
        for line in child.stdout:
            lines.append(line[:-1].decode().split("\t"))
            size += len(line)
            if len(lines) == BATCH_ROWS or size > BATCH_BYTES:
                yield self._batch(lines)
                lines, size = [], 0
        if lines:
            yield self._batch(lines)

    def _batch(self, lines: list[list[str]]) -> pa.RecordBatch:
        arrays = [
            pa.array(_values(fields, kind.rstrip("?")), _ARROW_TYPES[kind.rstrip("?")])
            for fields, kind in zip(zip(*lines), self._outputs.values())
        ]
        return pa.RecordBatch.from_arrays(arrays, names=list(self._outputs))

    def _account(self, said: list[str], python_seconds: float, node_seconds: float) -> None:
        report = json.loads(said[-1])
        counts = {what: report[what] for what in ("read", "written", "faults")}
        sums = {**counts, "node_seconds": node_seconds, "python_seconds": python_seconds, "tasks": 1}
        self._sums.add({f"{self._name}.{what}": amount for what, amount in sums.items()})


def _packed_package() -> str:
    """This package as a zip file, for the executors."""
    path = Path(tempfile.mkdtemp()) / "akin.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for file in sorted(Path(__file__).parent.glob("*.py")):
            packed.write(file, f"akin/{file.name}")
    return str(path)


def _listen(child: subprocess.Popen, said: list[str]) -> None:
    """Keeps the last lines of standard error, the counts in the last one; the log of the executor gets the first faults."""
    for number, line in enumerate(child.stderr):
        said.append(line.decode(errors="replace").strip())
        del said[:-50]
        if number < LOGGED_FAULTS and '"error"' in said[-1]:
            print(said[-1], file=sys.stderr, flush=True)


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _fields(values: list, kind: str) -> list[str]:
    if kind == "binary":
        return ["\\N" if value is None else base64.b64encode(value).decode() for value in values]
    if kind == "text":
        return ["\\N" if value is None else _escaped(value) for value in values]
    if kind == "boolean":
        return ["\\N" if value is None else "true" if value else "false" for value in values]
    if kind == "double":
        return ["\\N" if value is None else _number(value) for value in values]
    return ["\\N" if value is None else str(value) for value in values]


def _values(fields: Sequence[str], kind: str) -> list:
    if kind == "binary":
        return [None if field == "\\N" else base64.b64decode(field) for field in fields]
    if kind == "text":
        return [None if field == "\\N" else _unescaped(field) for field in fields]
    if kind == "boolean":
        return [None if field == "\\N" else field == "true" for field in fields]
    number = float if kind == "double" else int
    return [None if field == "\\N" else number(field) for field in fields]


def _escaped(text: str) -> str:
    if "\\" in text or "\t" in text or "\n" in text or "\r" in text:
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
    return text


def _unescaped(field: str) -> str:
    if "\\" not in field:
        return field
    parts = field.split("\\\\")
    return "\\".join(part.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r") for part in parts)


def _number(value: float) -> str:
    """As JavaScript reads it."""
    return repr(value) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
