"""The rule compiler: a sentence becomes a typed constraint, or a refusal that says why. Nothing is guessed.

`tokens` and `morphology` take the text apart; `lexicon`, `phrases` and `naming` hold the words; `schema` with
`aliases` knows the tables; `chart` finds every reading. The grammar goes from small to large: `values`, `nouns`,
`arithmetic`, `comparisons` with `margins`, `moments`, `time_between` and `deviations`, `qualities`, `patterns`, `rows`,
`modifiers` with `comparatives` and `measuring_verbs`, `moods`, `row_predicates`, `clauses`, `statements`, `claims` with
its kinds (`prohibitions`, `requirements`, `parents`, `uniqueness`, `repetitions`, `sequences`, `selves`, `agreements`,
`associations`, `limits`, `ages`, `ellipses`, `converses`, `verdicts`, `terse_notes`, `symbols`), and `sentences` with
what stands around them: `openings`, `alternatives`, `reasons`, `remarks`, `afterthoughts`, `spoken_of` ("it"), and
`inversions` and `we_say`, which put a sentence another way (`restated`). `logic` and `meaning` put conditions together;
`compiler` accepts exactly one reading, `refusals` says why there is none.
"""

from pandas_magic.planner.grammar.compiler import Understood, compile_rule, completions, split_rules

__all__ = ["Understood", "compile_rule", "completions", "language_page", "split_rules"]


def language_page() -> str:
    """The language as markdown, generated from the parser's own tables; every sentence on it was understood."""
    from pandas_magic.planner.grammar import language

    return language.language_page()
