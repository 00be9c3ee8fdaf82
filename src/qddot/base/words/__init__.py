"""Messages are keys with slots; their sentences stand in catalogues, a folder a language, and are made where shown.

A catalogue's folder has a file for each room of the library, and `language.toml`, with how a language puts the parts of
an error together. A line is `key = "sentence with {slots}"`, `key = ["what was found", "what was expected", "remedy"]`,
or a table of forms, `key = {one = "1 link", other = "{count} links"}`, of which the slot `count` selects one.
"""
