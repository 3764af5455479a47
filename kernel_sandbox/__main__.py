"""`python -m kernel_sandbox doctor`: what this machine really enforces; `bring`: what notebooks wrote in copies."""

import sys

from kernel_sandbox import bring, probe

if __name__ == "__main__":
    sys.exit(bring.main(sys.argv[2:]) if sys.argv[1:2] == ["bring"] else probe.main(sys.argv[1:]))
