"""What is wrong with a description, and where two descriptions or two libraries differ."""
