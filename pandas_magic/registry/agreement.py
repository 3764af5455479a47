"""Whether the parts of a check's file belong together: its rule, its code, its proof."""

from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck


def disagreements(compiled: CompiledCheck) -> tuple[str, ...]:
    """What does not belong together in a compiled check and what to do, one clause each; none when all does.

    It compares what is written. Only proving the code anew shows that a proof is not invented.
    """
    proof, anew = compiled.proof, f"make it anew from its rule: pandas-magic compile {compiled.id}"
    found = []
    if is_edited(compiled):
        found.append(
            f"its code was edited in its file, and is not the code that was compiled or accepted; {anew}, or prove the "
            f"edited code: %%check --run {compiled.id} --accept in a notebook, above that code"
        )
    if compiled.check.rule_digest() != compiled.rule_digest:
        found.append(f"its rule was edited in its file, and its code is that of another rule; {anew}")
    if proof is None:
        found.append(f"it has no proof; {anew}")
    elif not is_edited(compiled) and proof.of_code not in ("", compiled.code_digest):
        found.append(f"its proof is of other code; {anew}")
    if proof is not None and not proof.holds:
        found.append(f"its proof does not hold: {proof.in_words()}; {anew}")
    return tuple(found)


def is_edited(compiled: CompiledCheck) -> bool:
    """Whether the code in its file is not the code that was compiled or accepted."""
    return digest(compiled.code) != compiled.code_digest
