"""What the page of the language says in its own words."""

OPENING = """\
A rule is an English sentence about the rows of a table, or a formula. It becomes pandas code that finds the rows that
break it.
"""

STATING = """\
In a notebook, load the magics once, have the tables as DataFrames or as [files beside the notebook](tables.md), and
type the rule below `%%check`:

```
%load_ext pandas_magic
import pandas as pd

orders = pd.DataFrame({"order_id": [1, 2, 3], "amount": [20.0, -5.0, None]})
```
```
%%check
amount must be positive
```

Below the cell stand the verdict, what was understood, the proof that the check finds planted mistakes, the code, and
every failing row (here shortened):

```
✗ FAIL  CHK-001 · amount must be positive  (medium · proposed)
  1 of 3 rows of orders breaks the rule
  Understood        orders: amount must be greater than 0
  Not judged        1 row, where a missing value leaves the rule open
  Code
    violations = orders[orders["amount"] <= 0]
  Failing rows
    row  order_id  amount
      1         2    -5.0
```

**Read the line "Understood".** It is the rule in canonical words, which are themselves part of the language; the
check does what this line says.

- `%%check --target orders` says whose rows are checked where the sentence could be about several tables ("status must
  be present", when both `users` and `orders` have a status). "orders.status must be present" says it in the rule.
- `%%check --explain` shows how each word was understood.
- Several rules stand in one cell, one to a line, each after `- `.
- `%check --language` shows this page; Tab goes on with a rule that was begun.
- In a script: `pandas_magic.check("amount must be positive", tables={"orders": orders})`. In a terminal:
  [schedules](schedules.md).
"""

READING = """\
**Every word is accounted for.** A rule with a word that is not understood, or that can mean two things, is refused,
and the refusal names the word, or lists the readings. A likely typing error is not mended; the correction is only
suggested.

**Names** are those of your tables and columns, in any case, in the singular or plural, with spaces or underscores:
`ship_date`, "ship dates", "the order's ship date", `orders.ship_date`. A column can also be named by a part of its
name where only one fits; "Understood" shows which column was taken. Where several tables have it, name the table.

**References** between tables are found by the names of columns: `orders.user_id` refers to `users.user_id`, or to
`users.id`; `employees.manager_id` to another employee; `matches.home_team_id` to a team, in a role. A column with
another name is named in the rule: "orders.buyer must exist in users.user_id".

**Values** are texts that occur in a column of at most 50 different ones. They can be used as words ("shipped orders",
"status is shipped"), in any case, in the singular or plural: "status must be paid" means `Paid` where the column
holds `Paid`. Where it holds `Paid` and `PAID`, the rule has to spell one of them exactly. Other texts stand in quotes
(`status must be 'archived'`), and a text in quotes is taken as it stands.

**The check then compares exactly**, in case and in spaces: `PAID`, or `Paid` with a space behind it, is another text
than `Paid` and breaks "status must be Paid". "status must be trimmed" finds spaces at the ends.

**A missing value** makes a comparison, list, pattern or reference unknown, and what is unknown is not flagged, unless
the rule says that something must be there ("must have a tax above 0", "must belong to an existing user", "must exist
in users"). The verdict says how many rows were not judged for that reason.

**In the code** `violations` are the rows that break the rule, `pd` and `np` are pandas and NumPy, and `now` is the
local time of the run, a timestamp without a zone (`PANDAS_MAGIC_NOW` sets another). A column of True, False and None
(dtype object) is handed to the code as `boolean`: where you run the code on such a column yourself, convert it first
(`loans["escorted"].astype("boolean")`), since `~` of an object column is no negation.
"""

UNSAID = """\
Each of these is refused. The list is not complete; it names what people ask for.
"""

MADE = """\
The rule compiler writes this page from its own tables, and reads every sentence on it while it does: `python -m
pandas_magic.planner.grammar.language > docs/language.md`.
"""
