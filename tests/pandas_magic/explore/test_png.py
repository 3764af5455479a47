"""Pictures as PNG: the same shapes at the same places in the same colours as in the SVG."""

import io
import re
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image, ImageColor

from pandas_magic import profile
from pandas_magic.cli.main import main
from pandas_magic.explore.drawing.png import png_of
from pandas_magic.explore.report import Report

_RECT = re.compile(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="(#\w{6})"')


@pytest.fixture(scope="module")
def report() -> Report:
    frame = pd.DataFrame(
        {
            "$a$": [*range(39), None],
            "b": [x * x for x in range(40)],
            "sex": ["f", "m"] * 20,
            "y": ["n", "p", "p", "p"] * 10,
        }
    )
    return profile(frame, "y", name="t")


@pytest.mark.feature("C10")
@pytest.mark.feature("C18")
def test_a_png_has_the_bars_of_the_svg_where_they_are(report: Report) -> None:
    seen = 0
    for picture in report.pictures:
        image = Image.open(io.BytesIO(png_of(picture.svg))).convert("RGB")
        wide, high = re.findall(r'(?:width|height)="(\d+(?:\.\d+)?)"', picture.svg)[:2]
        assert image.size == (round(2 * float(wide)), round(2 * float(high)))
        assert image.getpixel((1, 1)) == (255, 255, 255)
        for x, y, across, down, color in _RECT.findall(picture.svg):
            # In a corner, since a text may stand in the middle.
            spot = round(2 * float(x)) + 4, round(2 * float(y)) + 4
            if float(across) > 8 and float(down) > 8:
                assert image.getpixel(spot) == ImageColor.getrgb(color)
                seen += 1
    assert seen > 10


@pytest.mark.feature("C10")
def test_pictures_are_written_as_png_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"a": range(60), "b": [x % 7 for x in range(60)]}).to_csv("t.csv", index=False)
    assert main(["profile", "t.csv", "--png", "shown", "--save", "."]) == 0
    shown = sorted(path.stem for path in Path("shown").iterdir())
    assert shown == sorted(path.stem for path in Path().glob("artifacts/*/*.svg"))
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in Path("shown").glob("*.png"))
