"""A real Spark in local mode: a Java of this process, on loopback, ended with the session."""

import importlib.util
import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

_LACKING = not (importlib.util.find_spec("pyspark") and shutil.which("java"))
# What a test in Spark is marked with: it takes minutes, and what it needs is 460 MB that nothing else here uses.
IN_SPARK = (
    pytest.mark.thorough,
    pytest.mark.skipif(
        _LACKING, reason="Spark is not installed: pip install pyspark, apt-get install openjdk-17-jre-headless"
    ),
)
# Small tables and thousands of queries: compiling each and cutting it into parts takes longer than running it.
_OPTIONS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session in which moments without a zone are in UTC."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that pandas 3 is new to it; none of its pandas is used
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[1]")
        for name, value in _OPTIONS.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
