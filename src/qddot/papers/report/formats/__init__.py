"""Each format writes the same document; its module has a function `files`, which returns the content of each file."""
