"""What is wrong with a description: `examine` it by checks, in files, folders and programs."""
