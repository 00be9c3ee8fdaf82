"""`python -m qddot.cli` is `qddot`."""

import sys

from qddot.cli import main

sys.exit(main())
