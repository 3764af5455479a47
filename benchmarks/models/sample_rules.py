"""Draw the rules that models are measured on: sentences of strangers who stated the rows that break each of them.

`python -m benchmarks.models.sample_rules` writes rules.jsonl anew. The seed stands here, so that it is the same sample.
"""

import json
import random
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from tests.pandas_magic.planner.language.frozen.made_rows import NOW
from tests.pandas_magic.planner.language.frozen.sentences import FrozenSentence, rows_of, sentences, sources

HERE = Path(__file__).parent
RULES = 60
SEED = 20261123
SEEDS_OF_ROWS = (1, 2)


def rows_stated(sentence: FrozenSentence, seed: int) -> frozenset[int]:
    """The positions of the rows that break the rule, by the mask that its writer stated."""
    frames = rows_of(sentence.world, seed)
    known = {"pd": pd, "np": np, "NOW": NOW, **frames}
    mask = pd.Series(eval(str(sentence.ref), known))
    return frozenset(np.flatnonzero(mask.astype("boolean").fillna(False).to_numpy()).tolist())


def sample() -> list[tuple[str, int]]:
    """The source and the place of each rule, in the order in which they are asked."""
    known = [
        (source, place)
        for source in sources()
        if source.startswith("strangers_")
        for place, sentence in enumerate(sentences(source))
        if sentence.ref and sentence.echo and rows_of(sentence.world, 1) and not sentence.echo.startswith("columns of")
    ]
    random.Random(SEED).shuffle(known)
    return list(islice((drawn for drawn in known if _tells_both(sentences(drawn[0])[drawn[1]])), RULES))


def _tells_both(sentence: FrozenSentence) -> bool:
    """Whether some of its rows break the rule and some do not, on each of the two sets of tables."""
    try:
        sizes = [(len(rows_stated(sentence, seed)), len(_target(sentence, seed))) for seed in SEEDS_OF_ROWS]
    except (AttributeError, NameError, SyntaxError, TypeError, ValueError):
        return False  # written for other helpers than ours
    return all(0 < broken < whole for broken, whole in sizes)


def _target(sentence: FrozenSentence, seed: int) -> pd.DataFrame:
    return rows_of(sentence.world, seed)[str(sentence.target)]


def main() -> None:
    """Write the sample."""
    lines = []
    for source, place in sample():
        sentence = sentences(source)[place]
        told = {"text": sentence.text, "target": sentence.target, "echo": sentence.echo}
        lines.append(json.dumps({"source": source, "place": place, **told}, ensure_ascii=False))
    (HERE / "rules.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
