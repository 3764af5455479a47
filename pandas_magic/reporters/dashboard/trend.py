"""The failing rows of the last runs as a picture of one line's height."""

from collections.abc import Sequence

_WIDTH, _HEIGHT, _MARGIN = 90, 20, 3


def trend_picture(counts: Sequence[int | None]) -> str:
    """A line through the counts above a line at zero, oldest first, as inline SVG in the colour of the text around it.

    None, a run that gave no count, breaks the line and stands as a mark at the bottom. "" for fewer than two runs.
    """
    if len(counts) < 2:
        return ""
    most = max((count for count in counts if count is not None), default=0)
    step = (_WIDTH - 2 * _MARGIN) / (len(counts) - 1)
    places = [(round(_MARGIN + step * at, 1), _height_of(count, most)) for at, count in enumerate(counts)]
    marks = [
        f'<path d="M{x} {_HEIGHT - _MARGIN - 3}v6" class="pm-gap"/>'
        for (x, _), count in zip(places, counts, strict=True)
        if count is None
    ]
    zero = _HEIGHT - _MARGIN
    baseline = f'<path d="M{_MARGIN} {zero}H{_WIDTH - _MARGIN}" class="pm-zero"/>'
    lines = [f'<polyline points="{" ".join(f"{x},{y}" for x, y in piece)}"/>' for piece in _pieces(places)]
    ends = [f'<circle cx="{x}" cy="{y}" r="2"/>' for x, y in places[-1:] if y is not None]
    said = trend_in_words(counts)
    return (
        f'<svg class="pm-trend" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="{said}"><title>{said}</title>{"".join((baseline, *lines, *marks, *ends))}</svg>'
    )


def trend_in_words(counts: Sequence[int | None]) -> str:
    """The same for people who do not see the picture."""
    known = [count for count in counts if count is not None]
    if not known:
        return f"no count in the last {len(counts)} runs"
    last = "no count" if counts[-1] is None else f"{counts[-1]:,}"
    return f"failing rows in the last {len(counts)} runs: {min(known):,} to {max(known):,}, now {last}"


def _height_of(count: int | None, most: int) -> float | None:
    if count is None:
        return None
    usable = _HEIGHT - 2 * _MARGIN
    return round(_HEIGHT - _MARGIN - (usable * count / most if most else 0), 1)


def _pieces(places: Sequence[tuple[float, float | None]]) -> list[list[tuple[float, float]]]:
    """The runs of neighbouring places that have a height; a place alone becomes a short stroke."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in places:
        if y is None:
            pieces.append([])
        else:
            pieces[-1].append((x, y))
    return [piece if len(piece) > 1 else [piece[0], (piece[0][0] + 1, piece[0][1])] for piece in pieces if piece]
