"""Whether the parts of a check's file belong together: its rule, its code, its proof."""

from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck


def disagreements(compiled: CompiledCheck) -> tuple[str, ...]:
    """What does not belong together in a compiled check, one clause each; none when all does.

    It compares what is written. Only proving the code anew shows that a proof is not invented.
    """
    found = []
    actual = digest(compiled.code)
    if actual != compiled.code_digest:
        found.append("its code was edited in its file, and is not the code that was compiled or accepted")
    if compiled.check.rule_digest() != compiled.rule_digest:
        found.append("its rule was edited in its file, and its code is that of another rule")
    proof = compiled.proof
    if proof is None:
        found.append(f"it has no proof; compile it again: pandas-magic compile {compiled.id}")
    if proof is not None and proof.of_code not in ("", actual):
        found.append("its proof is of other code")
    if proof is not None and not proof.holds:
        found.append(f"its proof does not hold: {proof.in_words()}")
    return tuple(found)
