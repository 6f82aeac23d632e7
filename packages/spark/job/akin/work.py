"""The work folder of a job: what each step leaves, as Parquet."""

from __future__ import annotations

from pyspark.sql import DataFrame, Row, SparkSession


class WorkFolder:
    """Steps that are complete are read, not made again; a lost executor or driver loses nothing of them."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self._spark = spark
        self.path = path.rstrip("/")

    def begin(self, job: str) -> None:
        """Keeps what another run of the same job has left; what another job left is removed."""
        hadoop_path, files = _hadoop_path(self._spark, self.file("job.txt"))
        if files.exists(hadoop_path):
            stream = files.open(hadoop_path)
            known = bytes(stream.readAllBytes()).decode()
            stream.close()
            if known == job:
                return
        elif exists(self._spark, self.path) and files.listStatus(hadoop_path.getParent()):
            raise FileExistsError(f"{self.path} holds what no job left there; give another --work, or remove it")
        remove(self._spark, self.path)
        stream = files.create(hadoop_path, True)
        stream.write(job.encode())
        stream.close()

    def file(self, name: str) -> str:
        return f"{self.path}/{name}"

    def has(self, name: str) -> bool:
        return exists(self._spark, f"{self.file(name)}/_SUCCESS")

    def save(self, name: str, rows: DataFrame, by: str | None = None) -> DataFrame:
        """Writes the rows unless they are there, and reads them back; `by` is a column to divide them by."""
        if not self.has(name):
            self._spark.sparkContext.setJobDescription(name)
            writer = rows.write.mode("overwrite")
            (writer if by is None else writer.partitionBy(by)).parquet(self.file(name))
            self._spark.sparkContext.setJobDescription(None)
        return self._spark.read.parquet(self.file(name))

    def collect(self, name: str, rows: DataFrame) -> list[Row]:
        """The rows of a last step, which is made again by each run."""
        self._spark.sparkContext.setJobDescription(name)
        collected = rows.collect()
        self._spark.sparkContext.setJobDescription(None)
        return collected

    def below(self, name: str) -> WorkFolder:
        """The folder of steps that hold for one case of several."""
        return WorkFolder(self._spark, self.file(name))

    def remove(self, *names: str) -> None:
        for name in names:
            remove(self._spark, self.file(name))


def _hadoop_path(spark: SparkSession, path: str):
    jvm = spark.sparkContext._jvm
    hadoop_path = jvm.org.apache.hadoop.fs.Path(path)
    return hadoop_path, hadoop_path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())


def exists(spark: SparkSession, path: str) -> bool:
    hadoop_path, files = _hadoop_path(spark, path)
    return files.exists(hadoop_path)


def make_folder(spark: SparkSession, path: str) -> None:
    hadoop_path, files = _hadoop_path(spark, path)
    files.mkdirs(hadoop_path)


def remove(spark: SparkSession, path: str) -> None:
    hadoop_path, files = _hadoop_path(spark, path)
    files.delete(hadoop_path, True)


def glob(spark: SparkSession, pattern: str) -> list[tuple[str, int, int]]:
    """URI, size and time of the files that a pattern names, in the order of their names; folders give their files."""
    hadoop_path, files = _hadoop_path(spark, pattern)
    found = []
    stamped = lambda file: (file.getPath().toString(), file.getLen(), file.getModificationTime())
    for status in files.globStatus(hadoop_path) or []:
        if status.isDirectory():
            inside = files.listFiles(status.getPath(), True)
            while inside.hasNext():
                file = inside.next()
                if not file.getPath().getName().startswith((".", "_")):
                    found.append(stamped(file))
        else:
            found.append(stamped(status))
    return sorted(found)
