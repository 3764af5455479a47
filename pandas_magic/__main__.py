"""`python -m pandas_magic`: the command line."""

import sys

from pandas_magic.cli.main import main

sys.exit(main())
