"""`python -m pandas_magic`: the command line."""

from pandas_magic.cli.edge import entry

entry()
