"""What is wrong with a description: `examine` it by its `checks`, in files, folders and programs."""
