"""Makes arbitrary numbers that are the same in every run."""

from __future__ import annotations

import hashlib


def arbitrary(key: str) -> int:
    """Returns an integer from 0 to 2^512 − 1 that depends only on the key."""
    return int.from_bytes(hashlib.sha512(key.encode()).digest(), "big")
