"""What `pandas-magic run` can be told."""

import argparse
import math

from pandas_magic.registry.severities import SEVERITIES

EMPTY = "empty"


def add_options(run: argparse.ArgumentParser) -> None:
    """Add every option of the command to its parser."""
    _add_what(run)
    _add_how(run)
    _add_where_to(run)


def _add_what(run: argparse.ArgumentParser) -> None:
    run.add_argument("ids", nargs="*", metavar="ID|FILE.ipynb", help="only these checks; or notebooks to execute")
    run.add_argument(
        "--select", action="append", default=[], metavar="KIND:VALUE",
        help="tag:, severity:, table:, owner:, verdict:, id: or stale, or not: and one of these",
    )  # fmt: skip
    run.add_argument("--tags", default="", help="only checks with any of these tags, comma-separated")
    run.add_argument(
        "-p", "--parameter", action="append", default=[], metavar="KEY=VALUE",
        help="a setting (now=2026-01-31), a table (orders=old/orders.csv), or a parameter of a notebook",
    )  # fmt: skip
    run.add_argument(
        "--code-from", metavar="RUN|COMMIT", help="one check with the code of that run or commit; not in the history"
    )
    run.add_argument(
        "--since", default="", metavar="VALUE",
        help="judge only the partitions at or after it (2026-01-31, day=2026-01-31), by rules about single rows; "
        "aside in the history",
    )  # fmt: skip
    run.add_argument("--data-from", metavar="RUN", help="one check on the tables of that run (setting keep_tables)")


def _add_how(run: argparse.ArgumentParser) -> None:
    run.add_argument("--jobs", type=_positive, default=1, metavar="N", help="checks that run side by side (default: 1)")
    run.add_argument(
        "--max-seconds", type=_seconds, metavar="S", help="for the whole run; what did not begin is an ERROR"
    )
    run.add_argument(
        "--fail-on", action="append", choices=(*SEVERITIES, EMPTY), default=[],
        help="failures that are milder are shown and do not make the exit code 1; "
        "empty: a check that passed without a row that was judged does, too",
    )  # fmt: skip
    run.add_argument(
        "--frozen",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="a stale check is an error (the default); --no-frozen compiles it again first",
    )
    run.add_argument(
        "--keep-removed",
        action="store_true",
        help="also run checks that were compiled from the list of checks and are not in it any more",
    )
    run.add_argument(
        "--allow-edited", action="append", default=[], metavar="ID",
        help="with notebooks: let an edited cell of that check give a verdict, which says so; again for others",
    )  # fmt: skip
    run.add_argument(
        "--allow-proposed",
        action="store_true",
        help="also run code that nobody approved; without it that is an error",
    )


def _add_where_to(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "--report", action="append", default=[], metavar="KIND[=PATH]",
        help="junit=PATH, sarif=PATH, markdown=PATH, json=PATH, openlineage=PATH, github, otel, alerts (to owners), "
        "or webhook (PANDAS_MAGIC_WEBHOOK)",
    )  # fmt: skip
    run.add_argument(
        "--quarantine", metavar="DIR", help="write good and bad rows of each checked table into files there"
    )
    run.add_argument(
        "--format", metavar="FORMAT", help="with --quarantine: csv, xlsx or parquet (default: as the source)"
    )
    run.add_argument("--output-dir", metavar="DIR", help="where executed notebooks go (default: beside each)")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'takes a number of checks, at least 1, and not "{text}"')
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f'takes a number of seconds above 0, and not "{text}"')
    return seconds
