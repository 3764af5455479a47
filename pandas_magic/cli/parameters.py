"""`-p now=2026-01-01 -p orders=archive/orders.csv`: one run with other settings, or with other tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pandas_magic.errors import UsageMistake, nearest_name, quoted_list
from pandas_magic.settings import Settings

_FOLDER = "base_dir"
# Addresses and tables of declared keys are not a matter of one run.
_SETTINGS = tuple(name for name in Settings.model_fields if name not in ("keys", "webhook", "alerts"))


@dataclass(frozen=True)
class Parameters:
    """What a run is told: the folder to run in (None: as usual), settings, and tables by name."""

    base_dir: Path | None = None
    settings: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str | Path] = field(default_factory=dict)


def parse_pairs(texts: Sequence[str]) -> dict[str, str]:
    """The values by name, as `key=value` says them.

    Raises: UsageMistake for a text without "=", or a name that is given twice.
    """
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageMistake(f'a parameter is key=value, and "{text}" is not')
        if name.strip() in pairs:
            raise UsageMistake(f'parameter "{name.strip()}" is given twice')
        pairs[name.strip()] = value
    return pairs


def folder_and_settings(texts: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """What the pairs say of the folder to run in (None: nothing) and of settings; tables are left aside.

    Raises: as `parse_pairs`.
    """
    pairs = parse_pairs(texts)
    return pairs.get(_FOLDER), {name: value for name, value in pairs.items() if name in _SETTINGS}


def parameters_of(pairs: dict[str, str]) -> Parameters:
    """The settings and tables that the names mean for checks: a setting's name, `base_dir`, or a table's.

    Raises: UsageMistake when a name is no setting and its value no file or address, with the nearest setting.
    """
    settings, tables = dict[str, str](), dict[str, str | Path]()
    for name, value in pairs.items():
        if name in _SETTINGS:
            settings[name] = value
        elif name == _FOLDER:
            continue
        elif "://" in value:
            tables[name] = value
        elif Path(value).exists():
            tables[name] = Path(value).resolve()
        else:
            nearest = nearest_name(name, (*_SETTINGS, _FOLDER))
            guess = f'. Did you mean "{nearest}"?' if nearest else ""
            raise UsageMistake(
                f'parameter "{name}" is no setting ({quoted_list((*_SETTINGS, _FOLDER), at_most=20)}), and as a table '
                f'it would need a file or an address, which "{value}" is not{guess}'
            )
    return Parameters(Path(pairs[_FOLDER]) if _FOLDER in pairs else None, settings, tables)
