"""Great Expectations itself, on frames."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def frames_of_gx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Its definition of a batch, which takes a whole frame and validates a suite."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GX_ANALYTICS_ENABLED", "false")
        patch.setenv("TQDM_DISABLE", "1")
        patch.chdir(tmp_path_factory.mktemp("gx"))
        import great_expectations as gx
        from great_expectations.data_context.types.base import ProgressBarsConfig

        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = ProgressBarsConfig(globally=False)
        asset = context.data_sources.add_pandas("frames").add_dataframe_asset("frame")
        yield asset.add_batch_definition_whole_dataframe("whole")
