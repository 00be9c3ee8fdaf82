"""Runs seeded trials that look for defects, in pieces that continue where the last one ended."""
