"""Tables about the workspace."""

from pandas_magic.reporters.listing import Listing

LISTING = Listing("2 tables", ("table", "rows"), (("events", "1,000"), ("<b>users</b>", "3")), frozenset({"rows"}))


def test_text_is_aligned() -> None:
    assert repr(LISTING).split("\n") == [
        "2 tables",
        "table          rows",
        "events        1,000",
        "<b>users</b>      3",
    ]


def test_markup_in_names_is_escaped() -> None:
    assert "<b>users</b>" not in LISTING.html()
    assert "&lt;b&gt;users&lt;/b&gt;" in LISTING.html()
    assert "<b>users</b>" not in LISTING.markdown()


def test_empty_listing_is_its_summary() -> None:
    assert repr(Listing("no checks yet", ("check",), ())) == "no checks yet"


def test_metadata_goes_with_the_output() -> None:
    listing = Listing("all good", (), (), metadata=(("verdict", "PASS"),))

    assert listing._repr_mimebundle_()[1] == {"pandas_magic": {"verdict": "PASS"}}


def test_verdicts_have_their_colours() -> None:
    listing = Listing("two", ("check", "verdict"), (("CHK-1", "✗ FAIL"), ("CHK-2", "not run yet")), verdicts="verdict")
    assert '<b class="pm-badge pm-fail">✗ FAIL</b>' in listing.html() and "<td>not run yet</td>" in listing.html()
