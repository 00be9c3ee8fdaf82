"""`python -m qddot` is the command `qddot`."""

import sys

from qddot.cli import main

sys.exit(main())
