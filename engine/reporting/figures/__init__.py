"""Charts: described once, without a place on any page, and drawn from that by whoever shows them.

:mod:`chart <engine.reporting.figures.chart>` says what a chart holds, and
:mod:`looks <engine.reporting.figures.looks>` how its series are told apart. By matplotlib,
:mod:`plots <engine.reporting.figures.plots>` draws each kind of panel,
:mod:`figure_files <engine.reporting.figures.figure_files>` finds room for them and writes SVG, PDF and PNG;
the window draws the same descriptions by pyqtgraph. A new kind of panel is a description and a function for
each of the two libraries, listed where the others are.
"""
