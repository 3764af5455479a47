"""What people say for the formats that have a name; the patterns are those of `constraints.formats`."""

from pandas_magic.constraints import FORMATS

# name of the format -> words for it, most usual first
SAID: dict[str, str] = {
    "email address": "email address|email|e mail address|e mail|mail address|mail",
    "URL": "url|web address|http url|https url|http or https url|web url|http/https link",
    "IPv4 address": "ipv4 address|ipv4|ip v4 address|ip address v4|ip4 address",
    "IPv6 address": "ipv6 address|ipv6|ip v6 address",
    "UUID": "uuid|guid|universally unique identifier",
    "ISO date": "iso date|iso 8601 date|yyyy mm dd|iso formatted date|yyyy - mm - dd|iso 8601",
    "ISO datetime": "iso datetime|iso timestamp|iso 8601 datetime|iso 8601 timestamp",
    "year and month": "yyyy mm|year and month in iso format|iso month",
    "phone number": "e.164 phone number|e.164 number|e.164|international phone number|phone number|telephone number",
    "IBAN": "iban",
    "BIC": "bic|swift code|bic code",
    "card number": "card number|credit card number",
    "ISBN-13": "isbn 13|isbn13",
    "EAN-13": "ean 13|ean13|ean",
    "German postcode": "german postcode|german zip code|german postal code",
    "US postcode": "us zip code|us postcode|us postal code|american zip code",
    "UK postcode": "uk postcode|british postcode",
    "MAC address": "mac address",
    "hexadecimal": "hexadecimal number|hex string|hexadecimal string|hexadecimal|hex|hex number",
    "slug": "slug|url slug",
    "semantic version": "semantic version|semver",
    "domain name": "domain name|domain",
    "currency code": "iso currency code|iso 4217 code|iso 4217 currency code|currency code|three letter currency code",
    "country code": "iso country code|iso 3166 code|two letter country code|country code",
}
SAID |= {
    "letters and digits": "alphanumeric|letters and digits only|alphanumerical|only letters and digits",
    "letters": "alphabetic|letters only|alphabetical",
}
PATTERNS: dict[str, tuple[str, str]] = {name: (said, FORMATS[name].pattern) for name, said in SAID.items()}
