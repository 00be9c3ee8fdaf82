"""Makes arbitrary numbers from keys: the same in every run, or, with a drawn seed in the key, random ones."""

from __future__ import annotations

import hashlib
import os

SEED_BYTES = 16
LARGEST_SEED = 256**SEED_BYTES - 1


def drawn_seed() -> int:
    """Returns a seed that the operating system draws, so that nobody can know it beforehand."""
    return int.from_bytes(os.urandom(SEED_BYTES), "big")


def arbitrary(key: str) -> int:
    """Returns an integer from 0 to 2^512 − 1 that depends only on the key."""
    return int.from_bytes(hashlib.sha512(key.encode()).digest(), "big")
