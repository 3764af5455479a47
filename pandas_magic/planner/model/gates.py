"""Cheap questions that a wrong restatement of a rule often fails: words, numbers and values must be accounted for."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from pandas_magic.catalog.table import Table, glossary_of
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, HasText, OneOf
from pandas_magic.constraints.algebra.expressions import Column, Group, Value
from pandas_magic.constraints.algebra.polarity import columns_in, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.errors import quoted_list
from pandas_magic.planner.language.linking import Linked, LinkedSpan, TableMeant, link
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.model.rule_prompts import RestatedRule, WordUse
from pandas_magic.planner.model.spelled_numbers import SPELLED, spelled_number
from pandas_magic.record import Record

# Words that carry no condition of their own. Whatever is not here has to be accounted for.
_EMPTY_WORDS_TEXT = (
    "a an and any are as at be been being both but by can check checks column columns data each ensure every "
    "field find flag for from has have having if in into is it its make may me must need needs of on or our "
    "please record records row rows rule shall should so sure table tables that the their them then there these "
    "they this those to value values verify was we were when where which while will with would your "
)
_EMPTY_WORDS = frozenset(_EMPTY_WORDS_TEXT.split())
_WORD = re.compile(r"[^\W\d_][\w'-]*|\d+(?:[.,]\d+)*%?", re.UNICODE)
_PERCENT = re.compile(r"%|per\s?cent", re.IGNORECASE)
# Codes of yes and no, which a guard of flags looks at.
_ANSWERS = frozenset("ynjostf")
# Words that stand for how something is compared, and for no column.
_BARE_WORDS_TEXT = (
    "date time within day week month year hour minute after before later earlier than most least more less at no not "
    "must never exceed exactly up equal percent maximum minimum between over under above below long ago since until "
    "same twice once one two three four five six seven eight nine ten take place happen "
)
_BARE_WORDS = frozenset(_BARE_WORDS_TEXT.split())
_STEM = 5  # letters that a word and a name have to have in common
_ALIKE = 2  # letters at the beginning of short names, "MG" for a quantity
_HALF = re.compile(r"\bhal(?:f|ves)\b", re.IGNORECASE)
_AND_OR = re.compile(r"\band\b[^,;:.]*\bor\b|\bor\b[^,;:.]*\band\b", re.IGNORECASE)
_OR_AND_HAS = re.compile(r"\bor\b[^,;:.]*\band (?:has|have|is|are|carr(?:y|ies)) ", re.IGNORECASE)
_GROUPED = re.compile(
    r"[()]|\b(?:either|both|neither|otherwise|else|if|when|unless|only|whereas|while)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_NUMBER_WORDS = {
    word: number
    for number, words in {
        0: "zero no none nothing positive negative nonnegative",
        1: "one once single first a an only unique exactly",
        2: "two twice double second pair both",
        3: "three third thrice triple",
        4: "four fourth quarter",
        5: "five fifth",
        6: "six sixth",
        7: "seven seventh week",
        8: "eight eighth",
        9: "nine ninth",
        10: "ten tenth",
        12: "twelve dozen year",
        24: "day",
        30: "month thirty",
        100: "hundred percent",
        365: "year",
        1000: "thousand",
    }.items()
    for word in words.split()
}


def doubts(rule: str, restated: RestatedRule, constraint: Constraint, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """What speaks against the restatement, each in one clause; empty when nothing was found."""
    linked = link(rule, tables, target=constraint.table)
    return (
        *_unaccounted(rule, restated),
        *_foreign_numbers(rule, restated.sentence),
        *_foreign_tolerance(rule, restated.sentence, constraint),
        *_foreign_values(rule, constraint, tables),
        *_guessed_codes(rule, constraint, tables),
        *_one_of_several(rule, constraint, tables),
        *_columns_unsaid(linked, restated, constraint),
        *_groups_unsaid(linked, restated, constraint),
        *_one_of_two_alike(linked, restated, constraint),
        *_grouped_by_nobody(rule, constraint),
    )


def content_words(text: str) -> set[str]:
    """The words of a sentence that say something, folded, without a plural's s."""
    found = {word.casefold() for word in _WORD.findall(text)}
    return {_stem(word) for word in found if word not in _EMPTY_WORDS}


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _unaccounted(rule: str, restated: RestatedRule) -> Iterable[str]:
    sentence = " ".join(restated.sentence.split()).casefold()
    # A column's name is written as one word, and says all of its own.
    covered = content_words(restated.sentence) | content_words(restated.sentence.replace("_", " "))
    for use in restated.words:
        if use.means.strip() and " ".join(use.means.split()).casefold() in sentence:
            covered |= content_words(use.words)
    left = sorted(content_words(rule) - covered)
    if left:
        yield f"nothing in the sentence stands for {quoted_list(left)}"


def _foreign_numbers(rule: str, sentence: str) -> Iterable[str]:
    said = {float(number) for number in _NUMBER.findall(_plain_numbers(rule))}
    said |= {float(_NUMBER_WORDS[word]) for word in content_words(rule) | _words(rule) if word in _NUMBER_WORDS}
    said |= {spelled_number(found[0]) for found in SPELLED.finditer(rule)}
    if _HALF.search(rule):
        said |= {0.5, *(number / 2 for number in (60.0, 24.0, 12.0))}  # of one, of an hour, a day or a year
    said |= {number / 100 for number in said}
    if _PERCENT.search(rule):
        said |= {100.0, *(100 - number for number in said)}
    # Nothing, never and no are said with 0; a count of one with 1.
    foreign = {number for number in _NUMBER.findall(_without_texts(sentence)) if float(number) not in said | {0.0, 1.0}}
    if foreign:
        yield f"the rule does not say {quoted_list(sorted(foreign))}"


def _foreign_tolerance(rule: str, sentence: str, constraint: Constraint) -> Iterable[str]:
    """A tolerance that the rule has no number for, beside those that the rest of the sentence says.

    A reader of rows does not see it; only code from the rule alone, on rows that are planted for a tolerance, does.
    """
    tolerance = constraint.tolerance if isinstance(constraint, RowRule) else None
    if tolerance is None:
        return
    demanded = Counter(float(number) for number in _NUMBER.findall(_without_texts(sentence.rpartition(";")[0])))
    left = set((_numbers_said(rule) - demanded).keys())
    share = None if tolerance.max_share is None else round(100 * tolerance.max_share, 6)
    rows_said = tolerance.max_rows is None or tolerance.max_rows in left
    in_percent = left & {share, 100 - share} if share is not None and _PERCENT.search(rule) else set()
    share_said = share is None or bool(in_percent)
    if not (rows_said and share_said):
        yield "the rule lets no rows break it, and the sentence does"


def _numbers_said(rule: str) -> Counter[float]:
    """The numbers of the rule, in digits or in words, each as often as it is said; an article is no number here."""
    # "Others may have one" tells no number.
    spelled = (spelled_number(found[0]) for found in SPELLED.finditer(rule) if found[0].casefold() != "one")
    return Counter([*(float(number) for number in _NUMBER.findall(_plain_numbers(rule))), *spelled])


def _plain_numbers(text: str) -> str:
    return re.sub(r"(?<=\d)[,_](?=\d{3}\b)", "", text)


def _without_texts(sentence: str) -> str:
    return re.sub(r"'(?:[^']|'')*'|/(?:[^/\\]|\\.)+/|\d{4}-\d{2}-\d{2}", "", sentence)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _foreign_values(rule: str, constraint: Constraint, tables: Mapping[str, Table]) -> Iterable[str]:
    """Texts that neither the rule nor the column knows: a model's own invention."""
    said = " ".join(rule.split()).casefold()
    known = {value.casefold() for table in tables.values() for values in table.values.values() for value in values}
    for value in sorted(set(_texts(constraint))):
        folded = value.casefold()
        if folded and folded not in said and folded not in known:
            yield f"neither the rule nor a table knows the value {value!r}"
    for column, value in _texts_compared(constraint):
        values = tables[constraint.table].values.get(column) if constraint.table in tables else None
        if values and value not in values and value.casefold() not in said:
            yield f"{column} never is {value!r}; it is one of {quoted_list(values)}"


def _guessed_codes(rule: str, constraint: Constraint, tables: Mapping[str, Table]) -> Iterator[str]:
    """Codes of one letter that nobody explains: 'R' may be ready, and received as well."""
    words = {word.casefold() for word in _WORD.findall(rule)}
    explained = str(glossary_of(tables).parts)
    for value in sorted(set(_texts(constraint))):
        is_code = len(value.strip()) == 1 and value.isalpha() and value.casefold() not in _ANSWERS
        if is_code and value.casefold() not in words and f"'{value}'" not in explained:
            yield f"that {value!r} stands for what the rule says is not told"


def _one_of_several(rule: str, constraint: Constraint, tables: Mapping[str, Table]) -> Iterator[str]:
    """An amount that no word names, beside another in the same unit: "the weight" of tare and capacity."""
    table, words = tables[constraint.table], content_words(rule)
    amounts = [name for name in table.columns if table.kind(name) in ("integer", "number")]
    for node in nodes(constraint):
        of = node.left if isinstance(node, Compare) and isinstance(node.right, Value) else None
        if isinstance(of, Column) and of.name in amounts and not words & content_words(" ".join(name_words(of.name))):
            unit = name_words(of.name)[-1:]
            for other in [name for name in amounts if name != of.name and name_words(name)[-1:] == unit][:1]:
                yield f"whether {of.name} or {other} is meant is not told"


def _columns_unsaid(linked: Linked, restated: RestatedRule, constraint: Constraint) -> Iterator[str]:
    """Columns that no word stands for, beside others that may be meant: the date of "within three days"."""
    tables, references = linked.tables, linked.names.references
    named = {(meant.table, meant.column) for span in _telling(linked) for meant in span.columns}
    joins = {key for table in tables for one in references.all_from(table) for key in (one.column, one.key)}
    told_apart = {column for leaf in leaves(constraint) if leaf.values for column in leaf.columns}
    for table, columns in reads(constraint).items():
        for column in {*columns} - joins - told_apart:
            kind = _kind(tables[table], column)
            others = {name for name in tables[table].columns if _kind(tables[table], name) == kind} - {*columns} - joins
            is_named = (table, column) in named or _is_akin(column, linked.rule)
            if others and not is_named and not _stands_for(column, columns, restated):
                yield f"no word of the rule stands for {column}, and there is {min(others)}"


def _groups_unsaid(linked: Linked, restated: RestatedRule, constraint: Constraint) -> Iterator[str]:
    """Like "twice a day", counted for each fridge though no word speaks of one."""
    spans = _telling(linked)
    tables_named = {getattr(meant, "table", None) for span in spans for meant in span.of(TableMeant)}
    for column in _grouped_by(constraint) - {meant.column for span in spans for meant in span.columns}:
        links = linked.names.references.all_from(constraint.table)
        parents = {one.parent for one in links if one.column == column}
        if parents.isdisjoint(tables_named) and not _stands_for(column, (column,), restated):
            yield f"that rows are taken together by {column} is not said"


def _telling(linked: Linked) -> list[LinkedSpan]:
    return [span for span in linked.segments() if span.text.casefold() not in _BARE_WORDS]


def _grouped_by(constraint: Constraint) -> set[str]:
    groups = (node for node in nodes(constraint) if isinstance(node, Group))
    return {by.name for group in groups for by in group.by if isinstance(by, Column)}


def _kind(table: Table, column: str) -> str:
    return table.read_as.get(column, table.kind(column)).replace("datetime", "date")


def _is_akin(column: str, rule: str) -> bool:
    """Whether a word of the rule begins as a word of the column's name does: a delivery, and delivered_on."""
    begun = {word[:_STEM] for word in content_words(rule) - _BARE_WORDS if len(word) >= _STEM}
    return any(word[:_STEM] in begun for word in name_words(column) if len(word) >= _STEM)


def _stands_for(column: str, columns: Iterable[str], restated: RestatedRule) -> bool:
    """Whether some words are said to stand for the column, of which those that say how it is compared say nothing."""
    for use in restated.words:
        inside = [name for name in columns if _tells_of(use, name)]
        if column in inside and len(content_words(use.words) - _BARE_WORDS) >= len(inside):
            return True
    return False


def _tells_of(use: WordUse, column: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(column)}(?!\w)", use.means))


def _one_of_two_alike(linked: Linked, restated: RestatedRule, constraint: Constraint) -> Iterator[str]:
    """Short names that begin alike, of which one word is said to mean one: the "quantity" of MGBST and MGGEL."""
    table, read = linked.tables[constraint.table], reads(constraint).get(constraint.table, ())
    named = {meant.column for span in linked.segments() for meant in span.columns}
    numbers = [name for name in table.columns if table.kind(name) in ("integer", "number") and name.isupper()]
    for name in {*read} & {*numbers} - named:
        other = next((one for one in numbers if one not in read and one[:_ALIKE] == name[:_ALIKE]), None)
        said = [use for use in restated.words if _tells_of(use, name)]
        if other and said and all(len(content_words(use.words) - _BARE_WORDS) == 1 for use in said):
            yield f"whether {name} or {other} is meant is not told"


def _grouped_by_nobody(rule: str, constraint: Constraint) -> Iterator[str]:
    """Like "blocked or in stock and with a place", where neither a comma nor a word tells what "and" binds to."""
    if not _AND_OR.search(rule) or _GROUPED.search(rule):
        return
    for node in nodes(constraint):
        inner = node.conditions if isinstance(node, (All, Any_)) else ()
        is_listed = any(isinstance(part, OneOf) for part in inner) and _OR_AND_HAS.search(rule)
        if is_listed or any(isinstance(part, (All, Any_)) and len(columns_in(part)) > 1 for part in inner):
            yield 'what "and" and "or" bind together is not said'
            return


def _texts_compared(rule: Record) -> Iterator[tuple[str, str]]:
    """Each column that the rule compares with a text, and that text."""
    for node in nodes(rule):
        if isinstance(node, OneOf) and isinstance(node.of, Column):
            yield from ((node.of.name, value) for value in node.values if isinstance(value, str))
        elif isinstance(node, Compare) and isinstance(node.left, Column) and isinstance(node.right, Value):
            yield from ((node.left.name, value) for value in [node.right.value] if isinstance(value, str))


def _texts(rule: Record) -> Iterator[str]:
    for node in nodes(rule):
        if isinstance(node, Value) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, OneOf):
            yield from (value for value in node.values if isinstance(value, str))
        elif isinstance(node, HasText):
            yield node.text
