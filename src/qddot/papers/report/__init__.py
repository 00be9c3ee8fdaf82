"""Documents of a derivation: `document` is data, `sections/` make it from equations, `slides` gives each of its ideas a
section, `languages/` have the sentences, `formats/` write it; pictures and motion are passed to it.
"""
