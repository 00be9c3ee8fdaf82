"""Documents of a derivation: `document` is data, `sections/` make it from equations, `languages/` have the sentences,
`formats/` write it; pictures and motion are passed to it.
"""
