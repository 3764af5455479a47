"""Formats that rules call by name: for each a pattern that the whole text must match, and texts that do and do not.

Patterns check the form only: no check digits, no look at the calendar, no question to a mail server. They are in RE2
syntax. Names are lower-case, without "valid": "email address".
"""

from dataclasses import dataclass

_IPV4_PART = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_HEX4 = "[0-9A-Fa-f]{1,4}"


@dataclass(frozen=True)
class NamedFormat:
    """A named form of text. `source` says where the pattern comes from."""

    name: str
    pattern: str
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    source: str = "common usage"


def _ipv6() -> str:
    """Eight groups of hexadecimal digits, one run of zero groups shortened to "::".

    Source: RFC 4291 section 2.2, forms 1 and 2.
    """
    full = f"({_HEX4}:){{7}}{_HEX4}"
    shortened = [f"({_HEX4}:){{1,{left}}}(:{_HEX4}){{1,{7 - left}}}" for left in range(6, 0, -1)]
    return "|".join([full, *shortened, f"({_HEX4}:){{1,7}}:", f":(:{_HEX4}){{1,7}}", "::"])


_ALL = (
    NamedFormat(
        "email address",
        r"[^@\s]+@[^@\s]+\.[^@\s]+",
        ("ann@example.com", "a.b+c@mail.example.org"),
        ("ann", "ann@example", "a b@example.com", "ann@@example.com", ""),
        "something@something.something, the form that mail addresses have in practice; RFC 5321 allows far more",
    ),
    NamedFormat(
        "URL",
        r"https?://[^\s/?#]+([/?#][^\s]*)?",
        ("https://example.com", "http://example.com/a?b=c#d"),
        ("example.com", "ftp://example.com", "https://", "https://exa mple.com"),
        "RFC 3986, schemes http and https",
    ),
    NamedFormat(
        "IPv4 address",
        rf"({_IPV4_PART}\.){{3}}{_IPV4_PART}",
        ("127.0.0.1", "255.255.255.255", "0.0.0.0"),
        ("256.1.1.1", "1.2.3", "1.2.3.4.5", "a.b.c.d", "999.1.2.3"),
        "RFC 6943 section 3.1.1, strict dotted decimal",
    ),
    NamedFormat(
        "IPv6 address",
        _ipv6(),
        ("2001:db8::1", "::1", "::", "fe80:0:0:0:0:0:0:1"),
        ("2001:db8", "1::2::3", "12345::", ":::", "g::1"),
        "RFC 4291 section 2.2",
    ),
    NamedFormat(
        "UUID",
        "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
        ("123e4567-e89b-12d3-a456-426614174000",),
        ("123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", ""),
        "RFC 9562 section 4",
    ),
    NamedFormat(
        "ISO date",
        "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
        ("2026-01-31", "1999-12-01"),
        ("2026-13-01", "2026-1-31", "31.01.2026", "2026-01-32"),
        "ISO 8601 calendar date, extended form; the days of each month are not counted",
    ),
    NamedFormat(
        "ISO datetime",
        "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[T ]([01][0-9]|2[0-3]):[0-5][0-9]"
        r"(:[0-5][0-9](\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?",
        ("2026-01-31T10:30", "2026-01-31 10:30:59.5Z"),
        ("2026-01-31", "2026-01-31T25:00", "10:30"),
        "ISO 8601 and RFC 3339",
    ),
    NamedFormat(
        "year and month",
        "[0-9]{4}-(0[1-9]|1[0-2])",
        ("2026-01", "1999-12"),
        ("2026-13", "2026-1", "01-2026", "2026/01", "2026-01-31"),
        "ISO 8601 calendar month, extended form",
    ),
    NamedFormat(
        "time",
        "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?",
        ("00:00", "23:59:59"),
        ("24:00", "9:30", "12:60"),
        "ISO 8601 time of day",
    ),
    NamedFormat(
        "phone number",
        r"\+[1-9][0-9]{6,14}",
        ("+491761234567", "+12025550123"),
        ("0176-55512", "+0123456789", "+12345", "12025550123"),
        "ITU-T E.164: a plus sign and at most 15 digits",
    ),
    NamedFormat(
        "IBAN",
        "[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}",
        ("DE89370400440532013000", "GB29NWBK60161331926819"),
        ("DE8937040044", "de89370400440532013000", "DE89 3704 0044 0532 0130 00"),
        "ISO 13616, without check digits",
    ),
    NamedFormat(
        "BIC",
        "[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?",
        ("DEUTDEFF", "DEUTDEFF500"),
        ("DEUT", "deutdeff", "DEUTDEFF50"),
        "ISO 9362",
    ),
    NamedFormat(
        "card number",
        "[0-9]{13,19}",
        ("4111111111111111", "378282246310005"),
        ("4111-1111-1111-1111", "411111111111", "4111a11111111111"),
        "ISO/IEC 7812, digits only, without the Luhn check",
    ),
    NamedFormat("ISBN-13", "97[89][0-9]{10}", ("9783161484100",), ("978316148410", "9773161484100"), "ISO 2108"),
    NamedFormat(
        "EAN-13", "[0-9]{13}", ("4006381333931",), ("400638133393", "400638133393X"), "GS1 General Specifications"
    ),
    NamedFormat("German postcode", "[0-9]{5}", ("10115",), ("1011", "D-10115"), "Deutsche Post"),
    NamedFormat(
        "US postcode", "[0-9]{5}(-[0-9]{4})?", ("94103", "94103-1234"), ("9410", "94103-12"), "USPS ZIP and ZIP+4"
    ),
    NamedFormat(
        "UK postcode",
        "[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}",
        ("SW1A 1AA", "M11AE"),
        ("SW1A", "12345", "sw1a 1aa"),
        "BS 7666, the form without the list of areas",
    ),
    NamedFormat(
        "Canadian postcode",
        "[ABCEGHJ-NPRSTVXY][0-9][A-Z] ?[0-9][A-Z][0-9]",
        ("K1A 0B1", "K1A0B1"),
        ("D1A 0B1", "K1A-0B1"),
        "Canada Post",
    ),
    NamedFormat("French postcode", "[0-9]{5}", ("75001",), ("7500", "F-75001"), "La Poste"),
    NamedFormat("Dutch postcode", "[1-9][0-9]{3} ?[A-Z]{2}", ("1012 AB",), ("0012 AB", "1012"), "PostNL"),
    NamedFormat("Swiss postcode", "[1-9][0-9]{3}", ("8001",), ("0001", "80011"), "Die Post"),
    NamedFormat("Austrian postcode", "[1-9][0-9]{3}", ("1010",), ("0010", "10101"), "Österreichische Post"),
    NamedFormat("country code", "[A-Z]{2}", ("DE", "US"), ("de", "DEU", "D1"), "ISO 3166-1 alpha-2, the form only"),
    NamedFormat("three-letter country code", "[A-Z]{3}", ("DEU",), ("DE", "deu"), "ISO 3166-1 alpha-3, the form only"),
    NamedFormat("currency code", "[A-Z]{3}", ("EUR",), ("eur", "EURO"), "ISO 4217, the form only"),
    NamedFormat("language code", "[a-z]{2}(-[A-Z]{2})?", ("en", "pt-BR"), ("EN", "english"), "BCP 47 with ISO 639-1"),
    NamedFormat(
        "MAC address",
        "([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}",
        ("00:1A:2b:3C:4d:5E", "00-1A-2B-3C-4D-5E"),
        ("001A2B3C4D5E", "00:1A:2B:3C:4D", "00:1A:2B:3C:4D:5G"),
        "IEEE 802, in pairs",
    ),
    NamedFormat("hexadecimal", "[0-9A-Fa-f]+", ("00ff", "DEADBEEF"), ("0xff", "xyz", "")),
    NamedFormat(
        "hex colour", "#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", ("#fff", "#12AB9f"), ("fff", "#ff", "#12345g"), "CSS"
    ),
    NamedFormat("digits", "[0-9]+", ("0", "0042"), ("-1", "1.5", "a", "")),
    NamedFormat("letters", "[A-Za-z]+", ("abc", "ABC"), ("a1", "a b", "")),
    NamedFormat("letters and digits", "[A-Za-z0-9]+", ("a1", "X"), ("a-1", "")),
    NamedFormat("upper case", "[^a-z]*[A-Z][^a-z]*", ("ABC", "AB-1"), ("Abc", "abc", "123")),
    NamedFormat("lower case", "[^A-Z]*[a-z][^A-Z]*", ("abc", "ab-1"), ("Abc", "ABC", "123")),
    NamedFormat("slug", "[a-z0-9]+(-[a-z0-9]+)*", ("a-slug-1", "x"), ("A-Slug", "a--b", "-a", "a_b"), "common in URLs"),
    NamedFormat(
        "semantic version",
        r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?",
        ("1.0.0", "2.10.3-rc.1+build5"),
        ("1.0", "v1.0.0", "01.0.0"),
        "Semantic Versioning 2.0.0",
    ),
    NamedFormat(
        "domain name",
        r"([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}",
        ("example.com", "a-b.example.co.uk"),
        ("example", "-a.com", "a..com"),
        "RFC 1035 section 2.3.1",
    ),
)

FORMATS: dict[str, NamedFormat] = {known.name: known for known in _ALL}
