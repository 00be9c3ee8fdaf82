"""The command line and the page, which use the faces."""
