"""A desk over a small shop whose cells are all secrets that a search would find."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pandas_magic.agents.desk import Desk
from pandas_magic.checking.bench import Bench
from pandas_magic.settings import AgentLevel
from pandas_magic.workspace import Workspace

OpenDesk = Callable[[AgentLevel], Desk]
ORDERS = """order_id,buyer,status,amount,paid
70001,qqalice,zzopen,70010,70005
70002,qqbob,zzpaid,-70011,70006
70003,qqcarol,zzopen,-70012,70007
70004,qqdave,zzpaid,-70013,70008
70005,qqerin,zzlost,-70014,70009
"""
SECRETS = tuple(ORDERS.partition("\n")[2].replace("\n", ",").replace("-", "").strip(",").split(","))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "orders.csv").write_text(ORDERS)
    return tmp_path


@pytest.fixture
def open_desk(shop: Path, bench: Bench) -> OpenDesk:
    return lambda level: Desk(Workspace.open(shop, settings={"agents_see": level}, bench=bench))
