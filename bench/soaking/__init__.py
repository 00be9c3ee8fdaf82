"""The soak: seeded trials that look for defects, in pieces that go on where the last one ended."""
