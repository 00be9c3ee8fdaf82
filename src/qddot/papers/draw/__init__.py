"""`plot` draws curves over time; `picture` and `movie` draw the arm. One scene serves both: `posed` (where the links
are, in floats) → `shapes` (their `solids`) → `scene` (before a `camera`) → `stage` (Matplotlib, to scale), with `marks`
whose labels find their places in `placing`; `labels` in two languages, `lettering` their fonts, or a stand-in
(`stand_in.ttf`) where there is none; `saved`: figures for documents; `drawn_arm`: an arm as plain data for the page's
view, which `in_notebook` hands over to a `widget`.
"""
