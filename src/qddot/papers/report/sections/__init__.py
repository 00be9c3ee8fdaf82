"""Each module makes one section of a report from an arm's equations."""
