"""Data frames of R: .rds and .RData."""

from __future__ import annotations

from typing import Any

import pandas

from engine.errors import InvalidData
from engine.readers.options import ReadingOptions
from engine.readers.reading import Guess, Table
from engine.readers.source import Source
from engine.readers.typed_files import (
    check_size,
    columns_of_frame,
    needed,
    raising_as_damaged,
    require_one_of,
    table_of,
)
from engine.translation import N_, _
from engine.wording.phrases import plain_listing

_DAMAGED = N_("the file is damaged, or holds what only R can read ({reason}).")
_SEVERAL_OBJECTS = (b"RDX", b"RDA")


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read a data frame that R has saved."""
    rdata = needed("rdata", N_("Files of R are read with {library}, which is not installed."), source.place)
    content = source.unpacked(source.read()[0])
    remedy = _('In R, write the table with write.csv(table, "table.csv", row.names = FALSE).')
    with raising_as_damaged(_(_DAMAGED), source.place, remedy):
        kind = ".rda" if content.startswith(_SEVERAL_OBJECTS) else ".rds"
        loaded = rdata.conversion.convert(rdata.parser.parse_data(content, extension=kind))
    frames = _frames(loaded)
    if not frames:
        raise InvalidData(
            _("it holds no data frame."),
            place=source.place,
            remedy=_('In R, save a data frame: saveRDS(as.data.frame(x), "table.rds").'),
        )
    require_one_of(
        options.sheet,
        frames,
        N_("there is no data frame {name!r}."),
        N_("Its data frames are: {names}."),
        source.place,
    )
    name = options.sheet or max(frames, key=lambda frame_name: frames[frame_name].size)
    frame = frames[name]
    check_size(len(frame), frame.shape[1], source.place)
    guesses = []
    if options.sheet is None and len(frames) > 1:
        reason = _("It is the largest of the data frames {frames}.", frames=plain_listing(list(frames), 6))
        guesses.append(Guess("sheet", name, reason, certain=False))
    shown = frame if row_limit is None else frame.head(row_limit)
    return table_of(
        columns_of_frame(shown), options, source.place, guesses=guesses, complete=len(shown) == len(frame)
    )


def _frames(loaded: Any) -> dict[str, pandas.DataFrame]:
    """Return the data frames by name; that of an .rds file has none."""
    if isinstance(loaded, pandas.DataFrame):
        return {"table": loaded}
    if not isinstance(loaded, dict):
        return {}
    return {str(name): frame for name, frame in loaded.items() if isinstance(frame, pandas.DataFrame)}
