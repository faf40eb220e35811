"""Have Spark finish the shards of a scan: `spark-submit scan.py SUITE FOLDER PATH…`.

Afterwards `litmusgate corpus scan --suite SUITE --resume FOLDER PATH…` takes the finished shards over, reads what is missing
and writes the report: the same, byte for byte, as without Spark.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from litmusgate.app.scan_suite import load_scanned_suite
from litmusgate.corpora.checkpoints import Checkpoints
from litmusgate.corpora.engines import best_engine
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shard_scan import ScanPlan, ShardScanner
from litmusgate.corpora.shards import list_shards
from litmusgate.provenance.suite_texts import suite_texts


def finish_shards(context: Any, suite: Path, folder: Path, paths: list[str]) -> None:
    """Scan with the workers of the Spark `context` every shard of `paths` that is not in `folder`, and keep it there."""
    found = load_scanned_suite(suite)
    plan = ScanPlan(
        suite=suite_texts(found.instances),
        columns=Columns(text="text"),
        corpus="scanned",
        encoded=True,
        engine=best_engine().name,
    )
    finished = Checkpoints(folder, plan.digest(found.digest, None))
    scan = ShardScanner(plan)  # sent to each worker; the tables are built there, once for each slice
    waiting = [shard for shard in list_shards(paths) if finished.find(shard) is None]
    slices = context.defaultParallelism
    for start in range(0, len(waiting), 8 * slices):
        some = waiting[start : start + 8 * slices]
        for item in context.parallelize(some, slices).mapPartitions(lambda part: map(scan, part)).collect():
            if item.problem is None:  # else the command reads it again, and says what is wrong
                finished.keep(item)


if __name__ == "__main__":
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("litmusgate").getOrCreate()
    finish_shards(spark.sparkContext, Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
    spark.stop()
