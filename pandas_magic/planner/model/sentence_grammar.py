"""A grammar of the rule language on given tables, for servers that let a model write nothing else (GBNF).

It says less than the rule language: what small models are asked for most. Only names of tables and columns and their
types stand in it, which every level of disclosure tells; never a value.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import FORMATS
from pandas_magic.constraints.algebra.spelling import name_words

Alternatives = dict[str, list[list[str]]]  # of each part: what may stand for it, texts and "<parts>" in a row
_PART = re.compile(r"(<[^<>]+>)")
_MOST_USES = 12  # words that an answer accounts for; without a limit small models never end the list

# Parts of one table, "#", beside the names of its columns: <#num>, <#date>, <#text>, <#bool>, <#col>.
_OF_ONE_TABLE = """
rule: <#name>: <#must> | <#name>: <#must>; at most <share> % of rows may break this
rule: <#name> where <#cond>: <#must> | <#name> where <#cond>: it must hold that <#cond>
rule: <#name>: it must hold that <#cond>
#must: <#demand> | <#demand> and <#demand>
#demand: <#col> must be present | <#col> must be missing | <#key> must be unique
#demand: <#text> ignoring case must be unique | <#col> must be among <#keyname>
#demand: <#quantity> must be <limit> <#amount> | <#quantity> must equal <#amount>
#demand: <#quantity> must equal <#amount> within <number> | <#quantity> must be between <number> and <number>
#demand: <#date> must be <#moment>
#demand: <#date> - <#date> must be <limit> <count> <unit>
#demand: <#text> must be <texts> | <#text> must be one of <list> | <#text> must be none of <list>
#demand: <#text> must have the format <format> | <#text> must match /<pattern>/ | <#text> must <holds> <quoted>
#demand: the length of <#text> must be <limit> <count> | the length of <#text> must equal <count>
#demand: the length of <#text> must be between <count> and <count>
#demand: <#num> must be one of <numbers> | <#bool> must be <truth>
#cond: <#stmt> | <#stmt> and <#stmt> | <#stmt> or <#stmt>
#stmt: <#col> is present | <#col> is missing | <#num> is <limit> <#amount> | <#num> equals <number>
#stmt: <#num> is one of <numbers> | <#date> is <#moment> | <#bool> is <truth>
#stmt: <#text> is <quoted> | <#text> is not <quoted> | <#text> is one of <list> | <#text> is none of <list>
#key: <#col> | (<#col>, <#col>) | (<#col>, <#col>, <#col>)
#quantity: <#num> | <#num> <sign> <#num> | the absolute value of (<#num> - <#num>) | the number of rows per <#key>
#quantity: the <statistic> of <#num> per <#key> | the distinct count of <#col> per <#key>
#amount: <number> | <#num> | <#num> * <number> | <number> * <#num> | <#num> <sign> <#num>
#amount: <#num> <sign> <#num> <sign> <#num> | the <statistic> of <#num> over all rows
#moment: <order> <#day> | between <day> and <day>
#day: <day> | <#date> | now | today | now - <count> <unit> | <#date> + <count> <unit>
"""
# Parts of two tables: "#" is the one that the rule is about, "@" another.
_OF_TWO_TABLES = """
#demand: <#col> must be among <@keyname> | <#col> must not be among <@keyname>
#amount: the number of rows in <@name> by <#@on>
#quantity: the number of rows in <@name> by <#@on> | the number of rows in <@name> (where <@cond>) by <#@on>
#quantity: the <statistic> of <@num> in <@name> by <#@on>
#quantity: the <statistic> of <@num> in <@name> (where <@cond>) by <#@on>
#amount: the <@num> of <@name> by <#@on> | the <statistic> of <@num> in <@name> by <#@on>
#day: the <@date> of <@name> by <#@on>
#demand: the <@text> of <@name> by <#@on> must be <texts>
#stmt: the <@text> of <@name> by <#@on> is <quoted>
"""
_SHARED = f"""
limit: at least | at most | greater than | less than | >= | <= | > | <
order: before | after | no later than | no earlier than | >= | <= | > | <
statistic: sum | mean | minimum | maximum | median
sign: + | -
unit: seconds | minutes | hours | days | weeks | months | years
truth: true | false
holds: start with | end with | contain
texts: <quoted> | one of <list>
list: <quoted> | <quoted>, <list>
numbers: <number> | <number>, <numbers>
format: {" | ".join(FORMATS)}
"""
# Signs that need no escape in JSON; a backslash only as patterns have it, doubled.
_TERMINALS = r"""
number ::= "-"? [0-9]{1,9} ("." [0-9]{1,4})?
count ::= [0-9]{1,4}
share ::= [0-9]{1,2} ("." [0-9]{1,2})?
day ::= [0-9]{4} "-" [0-9]{2} "-" [0-9]{2}
quoted ::= "'" [^'"\\\x00-\x1F]{1,40} "'"
pattern ::= ([A-Za-z0-9[\]{}()^$+*?.,_@-] | "\\\\" [dws.]){1,40}
string ::= "\"" [^"\\\x00-\x1F]{0,60} "\""
use ::= "{\"words\": " string ", \"means\": " string "}"
"""


def sentence_grammar(tables: Mapping[str, Table], *, target: str = "") -> str:
    """The grammar, in GBNF, of an answer that restates a rule about these tables; of the `target`'s rows, if named."""
    alternatives = sentence_parts(tables, target=target)
    lines = [
        f'root ::= "{{\\"sentence\\": \\"" rule "\\", \\"words\\": [" (use (", " use){{0,{_MOST_USES - 1}}})? '
        '"], \\"can_be_said\\": " ("true" | "false") "}"'
    ]
    for name, ways in alternatives.items():
        lines.append(f"{name} ::= {' | '.join(' '.join(map(_symbol, way)) for way in ways)}")
    return "\n".join(lines) + _TERMINALS


def sentence_parts(tables: Mapping[str, Table], *, target: str = "") -> Alternatives:
    """The parts of a sentence and what may stand for each, terminals (number, quoted, …) apart."""
    found: Alternatives = {"rule": []}
    marks = {name: f"t{place}" for place, name in enumerate(tables)}
    for name, table in tables.items():
        _add_names(found, marks[name], name, table)
        _add_forms(found, _OF_ONE_TABLE, marks[name])
        for other, others in tables.items():
            if other != name:
                found[f"{marks[name]}{marks[other]}on"] = list(_joins(table, others))
                _add_forms(found, _OF_TWO_TABLES, marks[name], marks[other])
    if target in marks:
        found["rule"] = [way for way in found["rule"] if way[0] == f"<{marks[target]}name>"]
    _add_forms(found, _SHARED)
    return _that_can_be_said(found)


def _add_names(found: Alternatives, mark: str, name: str, table: Table) -> None:
    kinds = {"integer": "num", "number": "num", "datetime": "date", "text": "text", "boolean": "bool"}
    found[f"{mark}name"] = [[name_words(name)]]
    for column in table.columns:
        written = [name_words(column)]
        found.setdefault(f"{mark}col", []).append(written)
        found.setdefault(f"{mark}keyname", []).append([f"{name_words(name)}.{name_words(column)}"])
        if kind := kinds.get(table.kind(column)):
            found.setdefault(f"{mark}{kind}", []).append(written)


def _joins(table: Table, other: Table) -> Iterator[list[str]]:
    """How rows of two tables find each other: by a name that both have, or by columns of one kind."""
    shared = [column for column in table.columns if column in other.columns]
    yield from ([name_words(column)] for column in shared)
    # Any two columns would fit by their types; keys are called so, or stand first.
    keys = [column for place, column in enumerate(other.columns) if place == 0 or column.lower().endswith(("id", "no"))]
    for key in keys:
        for column in table.columns:
            if column != key and table.kind(column) == other.kind(key) != "datetime":
                yield [f"{name_words(column)} = {name_words(key)}"]


def _add_forms(found: Alternatives, forms: str, mark: str = "", other: str = "") -> None:
    for line in forms.strip().splitlines():
        name, _, ways = line.replace("#", mark).replace("@", other).partition(": ")
        parts = ([part for part in _PART.split(way) if part] for way in ways.split(" | "))
        found.setdefault(name, []).extend(parts)


def _that_can_be_said(found: Alternatives) -> Alternatives:
    """Without what needs a part that these tables do not have, and without what nothing leads to."""
    terminals = set(re.findall(r"^(\w+) ::=", _TERMINALS, re.MULTILINE))
    while True:
        known = {name for name, ways in found.items() if ways} | terminals
        kept = {name: [way for way in ways if set(_parts_of(way)) <= known] for name, ways in found.items() if ways}
        if kept == found:
            break
        found = kept
    reached, new = {"rule"}, ["rule"]
    while new:
        new = [part for name in new for way in found.get(name, ()) for part in _parts_of(way) if part not in reached]
        reached |= set(new)
    return {name: ways for name, ways in found.items() if name in reached}


def _parts_of(way: Sequence[str]) -> Iterator[str]:
    return (part[1:-1] for part in way if _PART.fullmatch(part))


def _symbol(part: str) -> str:
    """A part by its name; a text as it stands inside a JSON text, quoted for the grammar."""
    if _PART.fullmatch(part):
        return part[1:-1]
    inside = json.dumps(part)[1:-1]
    return '"' + inside.replace("\\", "\\\\").replace('"', '\\"') + '"'
