"""An arm against other libraries that read the same file."""
