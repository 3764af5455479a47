"""Patterns of texts: named formats, /regular expressions/, and shapes in words ("two letters and four digits")."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, HasText, Matches, Not
from pandas_magic.constraints.algebra.expressions import Column, Expression, Folded
from pandas_magic.planner.grammar import (
    email_domains,
    examples,
    introductions,
    nouns,
    phrases,
    templates,
    text_formats,
    text_lengths,
    text_literals,
    text_makeup,
    text_mixtures,
    text_shapes,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import any_of
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.named_formats import PATTERNS
from pandas_magic.planner.grammar.values import whole

Found = Iterator[tuple[Position, Condition]]
_IP_VERSIONS = ("IPv4 address", "IPv6 address")


@rule
def pattern_quality(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """What can follow "be" and is about the shape of a text."""
    if kind_of_expression(p.schema, table, x) not in ("text", "mixed"):
        return
    for end, (pattern, name) in named_format(p, i):
        yield from _with_example(p, i, end, Matches(of=x, pattern=pattern, format=name))
    yield from _valid_by_name(p, i, x)
    yield from text_formats.malformed(p, i, x)
    yield from introductions.dated_text(p, i, x)
    yield from text_formats.format_quality(p, i, x)
    yield from email_domains.of_a_domain(p, i, x)
    for said, fold in ((words.UPPER, "[^a-z]*"), (words.LOWER, "[^A-Z]*")):
        for end in p.phrase(i, said):
            yield p.note(i, end, "no letter of the other case"), Matches(of=x, pattern=fold)
    yield from _other_forms(p, i, x)
    yield from text_lengths.so_long(p, i, table, x)
    yield from text_lengths.compared(p, i, table, x)
    yield from _shaped(p, i, x)


def _other_forms(p: Parse, i: Position, x: Expression) -> Found:
    """Like "a code of two letters"."""
    for start in p.phrase(i, phrases.CODE_OF):
        for end, pattern in text_shapes.longest(p, start):
            yield from examples.with_sample(p, end, Matches(of=x, pattern=pattern))


def _shaped(p: Parse, i: Position, x: Expression) -> Found:
    """Like "two letters and six digits", "exactly two capital letters long"."""
    # Only the longest: "two letters and a dash" is one shape, not two demands.
    longest = max((int(end) for end, _ in text_shapes.shape(p, i)), default=0)
    for end, pattern in text_shapes.shape(p, i):
        # A quoted text alone is a value.
        alone = p.tokens[i].kind == "text" and end == i + 1
        if end == longest and not alone and not _is_any_number(p, end, pattern):
            for last in (end, *p.phrase(end, "long|in length")):
                yield from examples.with_sample(p, last, Matches(of=x, pattern=pattern))


def _valid_by_name(p: Parse, i: Position, x: Expression) -> Found:
    """Like "Emails have to be valid", where the column's whole name is that of a format with one standard."""
    name = " ".join(name_words(x.name)) if isinstance(x, Column) else ""
    if name in ("ip address", "ip"):
        for end in p.phrase(i, phrases.VALID):
            yield p.note(i, end, "an IPv4 or an IPv6 address"), _of_either_version(x)
    for end in p.seq_ends(i, "?a|an", f"?{phrases.VALID}", "ip address|ip|internet address"):
        yield p.note(i, end, "an IPv4 or an IPv6 address"), _of_either_version(x)
    for format_name in ("email address", "URL", "UUID", "IBAN", "BIC", "IPv4 address", "IPv6 address", "MAC address"):
        said, pattern = PATTERNS[format_name]
        if name in said.split("|"):
            for end in p.phrase(i, phrases.MALFORMED):
                broken = Not(condition=Matches(of=x, pattern=pattern, format=format_name))
                yield p.note(i, end, f"not the format {format_name}"), broken
            for end in p.phrase(i, phrases.VALID):
                noted = p.note(i, end, f"the format {format_name}")
                yield from _with_example(p, i, noted, Matches(of=x, pattern=pattern, format=format_name))


def _of_either_version(x: Expression) -> Condition:
    return any_of(*(Matches(of=x, pattern=PATTERNS[one][1], format=one) for one in _IP_VERSIONS))


@rule
def named_format(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, str]]]:
    """A format with a name, as (pattern, name): "a valid email address", "an IPv4 address", "a UUID"."""
    for name, (said, pattern) in PATTERNS.items():
        for end in p.seq_ends(i, "?a|an|in the form of a|in the form of an|of the form", f"?{phrases.VALID}", said):
            for last in (end, *p.phrase(end, "format|formatted|string|pattern|code|codes|number|numbers")):
                yield p.note(i, last, f"the format {name}"), (pattern, name)


@rule
def pattern_verb(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """What a text does: match a pattern, start with, contain, consist of, look like, have a number of characters."""
    if kind_of_expression(p.schema, table, x) not in ("text", "mixed"):
        return
    follows = phrases.FOLLOW_A_FORMAT
    for end, (found,) in p.seq(
        i, follows, "?the|a|an", "?format|pattern|form|format of|form of|pattern of|shape", named_format
    ):
        yield from _with_example(p, i, end, Matches(of=x, pattern=found[0], format=found[1]))
    announced = phrases.PATTERN_WORDS
    for end, (pattern,) in p.seq(i, phrases.MATCH_A_PATTERN, "?the|a", f"?{announced}", "?:", regex):
        yield end, Matches(of=x, pattern=pattern)
    for end, (pattern,) in p.seq(i, "be of|be in|have|use|be", "?the|a", announced, "?:", regex):
        yield end, Matches(of=x, pattern=pattern)
    forms = f"{phrases.CONSIST_OF}|{phrases.WRITTEN_OUT}|{phrases.MATCH_A_PATTERN}"
    for end, (pattern,) in p.seq(i, forms, "?exactly|only|just|precisely|of|only of|exactly of|:", text_shapes.shape):
        numbers = text_makeup.is_only_numbers(p, i, end) and text_makeup.is_a_quantity(x)
        if _says_whole(p, i, pattern) and not (
            numbers or _is_one_text(p, end, pattern) or _is_any_number(p, end, pattern)
        ):
            yield from examples.with_sample(p, end, Matches(of=x, pattern=pattern))
    for shown, shape in (("", examples.template), (phrases.LIKE, examples.figures)):
        for end, (pattern,) in p.seq(i, shown or phrases.WRITTEN_LIKE, "?the|a|this|this pattern :|:", shape):
            yield end, Matches(of=x, pattern=pattern)
    yield from templates.like_an_address(p, i, x)
    yield from _example_then_words(p, i, x)
    yield from text_formats.format_verb(p, i, x)
    yield from email_domains.of_a_domain(p, i, x)
    yield from text_makeup.makeup(p, i, x)
    yield from _substrings(p, i, x)
    yield from text_lengths.limited(p, i, table, x)
    for end in p.phrase(i, "have surrounding whitespace"):
        yield end, Compare(relation="!=", left=x, right=Folded(of=x, fold="space"))


def _example_then_words(p: Parse, i: Position, x: Expression) -> Found:
    """Like "have the form 2026S1: four digits, the letter S and one digit"; the example has to fit."""
    for start in p.seq_ends(i, phrases.WRITTEN_LIKE, "?the|a|this"):
        for middle, sample in examples.written_together(p, start):
            begun = [middle] if p.tokens[middle - 1].text == ":" else list(p.phrase(middle, phrases.THAT_IS))
            described = (one for at in begun for one in (*text_shapes.shape(p, at), *text_mixtures.parts_apart(p, at)))
            for end, pattern in described:
                if re.fullmatch(pattern, sample.removesuffix(":").strip()):
                    yield p.note(start, end, "the whole text"), Matches(of=x, pattern=pattern)
                else:
                    p.refuse(
                        f'the example "{sample.removesuffix(":")}" does not have the shape that the rule describes'
                    )


def _is_any_number(p: Parse, end: Position, pattern: str) -> bool:
    """Like "a number", which need not be a single digit."""
    return pattern == r"\d" and p.tokens[end - 1].low == "number"


def _is_one_text(p: Parse, end: Position, pattern: str) -> bool:
    return p.tokens[end - 1].kind == "text" and pattern == re.escape(str(p.tokens[end - 1].value))


def _says_whole(p: Parse, i: Position, pattern: str) -> bool:
    """Like "Contain a digit" leaves room for other characters, "contain only digits" and "contain 5 digits" do not."""
    if text_makeup.contains_at_least(p, i):
        return False
    return p.tokens[i].forms.isdisjoint({"contain", "have", "comprise"}) or bool(re.search(r"[\]d](\{|\*|\+)", pattern))


def _with_example(p: Parse, i: Position, end: Position, condition: Matches) -> Found:
    yield from examples.with_sample(p, end, condition)
    # "i.e. something@something.something" only repeats in other words what an address is.
    for last in templates.shown(p, end) if condition.format == "email address" else ():
        yield p.note(end, last, "what an email address is"), condition
    for last in p.phrase(end, phrases.EXAMPLE_OF_AN_ADDRESS) if condition.format == "email address" else ():
        for final in (last, *p.phrase(last, f"{phrases.NO_SPACES}|and without spaces|with no blanks")):
            yield p.note(end, final, "what an email address is"), condition
    for last, (low, high) in p.seq(
        end, phrases.FOUR_NUMBERS, "number", "from|between", whole, "to|and", whole, phrases.WITH_DOTS_BETWEEN, "?)"
    ):
        if (condition.format, low, high) == ("IPv4 address", 0, 255):
            yield p.note(end, last, "what an IPv4 address is"), condition


@rule
def regex(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """A regular expression between slashes, or in quotes where one is announced."""
    token = p.at(i)
    if token and token.kind in ("regex", "text"):
        pattern = str(token.value).replace("\\/", "/") if token.kind == "regex" else str(token.value)
        pattern = (
            pattern.removeprefix("^").removesuffix("$")
            if not pattern.endswith("\\$") and "|" not in pattern
            else pattern
        )
        try:
            re.compile(pattern)
        except re.error as error:
            p.refuse(f"the pattern {token.text} cannot be read: {error}")
            return
        yield p.note(i, i + 1, "a regular expression for the whole text"), pattern


def _substrings(p: Parse, i: Position, x: Expression) -> Found:
    places = (
        ("start", phrases.START_WITH),
        ("end", phrases.END_WITH),
        ("anywhere", phrases.CONTAIN_TEXT),
    )
    for where, said in places:
        for start in p.phrase(i, said):
            for end, text in _quoted_or_sign(p, start, anywhere=where == "anywhere"):
                found = HasText(of=x, where=where, text=text)
                noted = p.note(i, end, f"'{text}' at the {where}" if where != "anywhere" else f"'{text}' somewhere")
                yield noted, found
                yield from _or_another(p, noted, found)
                yield from _and_another(p, noted, found)
    for end, (sign, rest) in p.seq(
        i,
        "start with|begin with",
        "?a|an|the",
        _start_piece,
        phrases.FOLLOWED_BY,
        text_shapes.shape,
    ):
        yield from examples.with_sample(p, p.note(i, end, "the whole text"), Matches(of=x, pattern=sign + rest))
    for end, (first,) in p.seq(i, "start with|begin with", "?a|an|the", _start_piece):
        yield from text_formats.then_only(p, end, x, first)
    yield from text_literals.with_one_of(p, i, x)
    yield from _classes_at_ends(p, i, x)
    yield from _none_of_a_class(p, i, x)


def _none_of_a_class(p: Parse, i: Position, x: Expression) -> Found:
    """Like "contain no lowercase letters", "be free of digits"."""
    for end, (letters,) in p.seq(i, "contain/include/have no|be free of|be without|have none of", _class_of_one):
        if p.tokens[end - 1].low.endswith("s"):
            yield p.note(i, end, f"none of {letters}"), Not(condition=Matches(of=x, pattern=f".*{letters}.*"))


def _or_another(p: Parse, i: Position, found: HasText) -> Found:
    """Behind "start with 978": "or 979"."""
    for start in p.phrase(i, "or|or with") if found.where != "anywhere" else ():
        for end, text in _quoted_or_sign(p, start, anywhere=False):
            second = found.model_copy(update={"text": text})
            noted = p.note(i, end, f"or '{text}'")
            yield noted, any_of(found, second)
            for last, more in _or_another(p, noted, second):
                yield last, any_of(found, more)


def _and_another(p: Parse, i: Position, found: HasText) -> Found:
    """Behind "contain an @": "and a dot"."""
    for start in p.phrase(i, "and|and also") if found.where == "anywhere" else ():
        for end, text in _quoted_or_sign(p, start, anywhere=True):
            both = All(conditions=(found, found.model_copy(update={"text": text})))
            yield p.note(i, end, f"and '{text}'"), both


def _classes_at_ends(p: Parse, i: Position, x: Expression) -> Found:
    """Like "start with a letter", "end with five digits", "contain a space"."""
    for where, said in (("start", "start with|begin with"), ("end", "end with|end in|finish with")):
        for end, (letters,) in p.seq(i, said, _class_of_one):
            yield end, Matches(of=x, pattern=f"{letters}.*" if where == "start" else f".*{letters}")
    yield from _contains_one(p, i, x)
    for end, (pattern,) in p.seq(i, phrases.END_WITH, text_shapes.shape):
        if p.tokens[end - 1].kind != "text":
            yield p.note(i, end, "at the end"), Matches(of=x, pattern=f"(.|\\n)*{pattern}")
    for end in p.phrase(i, phrases.CONTAIN_SPACES):
        yield p.note(i, end, "a space somewhere"), Matches(of=x, pattern=r"(.|\n)*\s(.|\n)*")
    for end in p.phrase(i, phrases.HAVE_NO_SPACES):
        yield p.note(i, end, "no space anywhere"), Not(condition=Matches(of=x, pattern=r"(.|\n)*\s(.|\n)*"))
    for end in p.phrase(i, phrases.HAVE_OUTER_SPACES):
        yield p.note(i, end, "spaces at its ends"), Compare(relation="!=", left=x, right=Folded(of=x, fold="space"))


def _contains_one(p: Parse, i: Position, x: Expression) -> Found:
    """Like "contain a digit", "contain at least one letter"."""
    yield from text_makeup.at_least_so_many(p, i, x)
    for end, (letters,) in p.seq(i, "contain|include|have", "?at least", _class_of_one):
        if i > 0 and p.tokens[i - 1].low in ("only", "just", "solely"):
            continue  # "may only contain digits" leaves no room for anything else
        if p.tokens[end - 1].low in ("number", "numbers") and text_makeup.is_a_quantity(x):
            continue  # "the result_value must contain a number" and no more
        yield end, Matches(of=x, pattern=f".*{letters}.*")


def _quoted_or_sign(p: Parse, i: Position, *, anywhere: bool) -> Iterator[tuple[Position, str]]:
    token = p.at(i)
    if token is None:
        return
    follows = p.at(i + 1)
    shortest = 1 if follows and follows.text == "-" and follows.start == token.end else 2
    code = token.kind == "word" and len(token.text) >= (shortest if token.text.isupper() else 99)
    if token.kind == "text" or code:
        end = i + 1
        if code and (hyphen := p.at(i + 1)) and hyphen.text == "-" and hyphen.start == token.end:
            end = i + 2
        yield p.note(i, end, "this text"), str(token.value) if token.kind == "text" else p.source(i, end)
    elif (token.kind == "mark" and token.text in "+@#-/_.:%&*$€£") or (token.kind == "number" and not anywhere):
        yield p.note(i, i + 1, "this text"), token.text
    yield from _sign_with_article(p, i)
    yield from text_literals.sign_and_digits(p, i)
    if not anywhere and (token.text == "@" or token.kind == "word"):
        for end, text in email_domains.domain_name(p, i):
            yield end, text if token.text == "@" else text.removeprefix("@")
    for said, sign in text_shapes.SINGLES:
        for end in p.seq_ends(i, "?a|an|the", said) if sign != " " or not anywhere else ():
            yield p.note(i, end, "this sign"), sign.removeprefix("\\")


def _sign_with_article(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "an @", "a + sign"."""
    for start in p.phrase(i, "a|an|the|at least one|one"):
        if (token := p.at(start)) and token.kind == "mark" and token.text in "+@#-/_.:%&*$€£":
            end = p.note(i, start + 1, "this sign")
            yield end, token.text
            yield from ((last, token.text) for last in p.phrase(end, "sign|character|symbol"))


def used_in(p: Parse, i: Position, table: str) -> Found:
    """Like "Lower-case letters must not be used in the cost center", "no spaces may occur in a code"."""
    for start, none in ((i, False), *((end, True) for end in p.phrase(i, words.NO))):
        for middle, letters in _class_of_one(p, start):
            said = (f"{words.MAY}|{words.MUST}",) if none else (phrases.NEVER_BY_TWO,)
            ends = list(p.seq_ends(middle, *said, phrases.STANDS_THERE))
            if not none:
                ends += [
                    e for bad in p.seq_ends(middle, phrases.TO_BE_BAD, words.BAD) for e in p.phrase(bad, "in|within")
                ]
            for after in ends:
                for end, x in nouns.column(p, after, table):
                    if kind_of_expression(p.schema, table, x) == "text":
                        yield (
                            p.note(i, end, f"none of {letters}"),
                            Not(condition=Matches(of=x, pattern=f".*{letters}.*")),
                        )


def _start_piece(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    for end, text in _quoted_or_sign(p, i, anywhere=False):
        yield end, re.escape(text)
    yield from text_shapes.shape(p, i)
    yield from text_literals.opening(p, i)
    token = p.at(i)
    short = token is not None and token.kind == "word" and token.text.isalpha() and len(token.text) < 5
    if short and token is not None and token.text.islower() and token.low not in words.VOCABULARY:
        yield p.note(i, i + 1, "this very text"), token.text


def _class_of_one(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    for said, letters in text_shapes.CLASSES:
        for end in p.seq_ends(i, "a|an|one|a single", said):
            yield p.note(i, end, f"one of {letters}"), letters
        for end in p.phrase(i, f"any {said.replace('|', '|any ')}|{said}"):
            if p.tokens[end - 1].low.endswith("s"):
                yield p.note(i, end, f"one of {letters}"), letters
