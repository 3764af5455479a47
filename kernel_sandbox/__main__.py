"""`python -m kernel_sandbox doctor`: what this machine really enforces."""

import sys

from kernel_sandbox.probe import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
