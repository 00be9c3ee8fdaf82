"""Files that are written completely and read safely, the removal of `unfinished` ones, `stores` of arrays whose files
are sealed, the search for other programs, for the `built_page` and the `chinese_font`, notebooks, progress, and the
pausing of the garbage collector.
"""
