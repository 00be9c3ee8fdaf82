"""The kinds of joints, one class a file, by the contract of `kind.py`; `kinds.py` finds that of a joint."""
