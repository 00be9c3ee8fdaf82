"""Where two descriptions differ, and which confusion explains it."""
