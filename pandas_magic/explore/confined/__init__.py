"""What runs inside the sandbox: facts about one table, probes and pictures.

Standard library, NumPy, pandas, Arrow, SciPy, scikit-learn and Matplotlib only; nothing else of ours, since these
files reach the confined process as text (`pandas_magic.explore.delivery`). What comes out is one JSON document.
"""
