"""One arm in other conventions: DH rows, screws, or a tree of frames at rest."""
