"""Lines of data dictionaries of several businesses: read at once, asked about, or refused with the column named."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.doors import read_by_doors

INTEGER, NUMBER, TEXT, MOMENT = "int64", "float64", "str", "datetime64[us]"
WAGONS = Table(
    name="wagons",
    columns={
        "wagon_no": TEXT, "series": TEXT, "tare_t": NUMBER, "load_t": NUMBER, "gross_t": NUMBER, "axles": NUMBER,
        "built_on": MOMENT, "revised_on": MOMENT, "brake_cd": TEXT, "owner_cd": TEXT, "state": TEXT, "hazmat": TEXT,
        "un_no": TEXT, "depot_id": NUMBER, "checked": TEXT, "due": TEXT,
    },
    values={
        "brake_cd": ("G", "P", "R"), "state": ("DONE", "NOT DONE", "parked"), "hazmat": ("N", "Y"),
        "series": ("E", "H", "S"), "owner_cd": ("DB", "OBB", "SBB"),
    },
    read_as={"checked": "date", "due": "date"},
)  # fmt: skip
DEPOTS = Table(name="depots", columns={"depot_id": INTEGER, "town": TEXT}, keys=("depot_id",))
BATCHES = Table(
    name="batches",
    columns={
        "batch_cd": TEXT, "beer": TEXT, "tank": TEXT, "og_plato": NUMBER, "fg_plato": NUMBER, "abv_pct": NUMBER,
        "litres": NUMBER, "brewed_on": MOMENT, "racked_on": MOMENT, "stage": TEXT, "brewer": TEXT, "ok": "bool",
    },
    values={"stage": ("boil", "bottled", "ferment"), "beer": ("ale", "lager", "stout"), "tank": ("T1", "T2")},
)  # fmt: skip
TABLES = {table.name: table for table in (WAGONS, DEPOTS, BATCHES)}

AT_ONCE = [
    ("batches", "beer: kind of beer or cider, mandatory", "beer must be present"),
    ("wagons", "hazmat: Y = dangerous, N = harmless", "hazmat must be one of 'Y', 'N'"),
    ("batches", "tank: T + one digit (T1)", "tank must match /T\\d/"),
    ("batches", "tank: T1 to T3", "tank must be one of 'T1', 'T2', 'T3'"),
    ("batches", "tank must be between T1 and T3", "tank must be one of 'T1', 'T2', 'T3'"),
    ("batches", "tank: T08-T11, mandatory", "tank must be one of 'T08', 'T09', 'T10', 'T11' and tank must be present"),
    ("batches", "tank: T1 and T2", "tank must be one of 'T1', 'T2'"),
    ("wagons", "series must be between E and H", "series must be one of 'E', 'F', 'G', 'H'"),
    ("wagons", "load_t (dec 8,1): >= 0, <= gross_t", "load_t must be at least 0 and load_t must be <= gross_t"),
    ("wagons", "tare_t :: dec(5,1) :: >= 8.5, max. 30",
     "the absolute value of tare_t must be less than 10000 and tare_t / 0.1 must be readable as an integer"
     " (up to rounding) and tare_t must be at least 8.5 and tare_t must be at most 30"),
    ("wagons", "series -> text(1), CT: {E, H, S}, mandatory",
     "the length of series must be at most 1 and series must be one of 'E', 'H', 'S' and series must be present"),
    ("wagons", "axles / int / allowed 2..8 / key",
     "axles must be readable as an integer and axles must be at least 2 and axles must be at most 8"
     " and axles must be unique and axles must be present"),
    ("wagons", "un_no [Char 6] optional; UN + 4 digits; no blanks",
     "the length of un_no must be at most 6 and un_no must match /UN\\d{4}/"),
    ("wagons", "revised_on -- date, built_on + 30 d at the earliest", "revised_on must be >= built_on + 30 days"),
    ("wagons", "load_t: = tare_t * gross_t / 100, rounded to cents",
     "load_t must equal tare_t * gross_t / 100 within 0.01"),
    ("wagons", "brake_cd: char(1), brake. One of: G, P, R.",
     "the length of brake_cd must be at most 1 and brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "axles | integer | 2..8 | maximum number of axles in the set",
     "axles must be readable as an integer and axles must be at least 2 and axles must be at most 8"),
    ("wagons", "brake_cd: brake G, P or R", "brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "series | enum (E, H, S) | case-sensitive, no other value", "series must be one of 'E', 'H', 'S'"),
    ("wagons", "tare_t: plausible range 8.5 to 30", "tare_t must be between 8.5 and 30"),
    ("wagons", "wagon_no: 'W' + yymmdd + '-' + 4 digits",
     "wagon_no must match /W\\d{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])-\\d{4}/"),
    ("wagons", "wagon_no: L followed by yyyymmdd, a hyphen and a one-digit serial",
     "wagon_no must match /L\\d{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])-\\d/"),
    ("wagons", "checked: date, not in the future",
     "checked must be readable as a date and checked read as a date must be no later than now"),
    ("wagons", "wagon_no | char(12) | PK | digits only, exactly 12 of them | number painted on the side",
     "the length of wagon_no must be at most 12 and wagon_no must be unique and wagon_no must be present"
     " and wagon_no must have the format digits and the length of wagon_no must equal 12"),
    ("wagons", "tare_t – DECIMAL(5,1) – mandatory – 8.5 … 30",
     "the absolute value of tare_t must be less than 10000 and tare_t / 0.1 must be readable as an integer"
     " (up to rounding) and tare_t must be present and tare_t must be at least 8.5 and tare_t must be at most 30"),
    ("wagons", "axles   smallint   Req   2/4/6   number of wheel sets",
     "axles must be readable as an integer and axles must be present and axles must be one of 2, 4, 6"),
    ("wagons", "axles; int; opt; min 2, max 8, in steps of 2",
     "axles must be readable as an integer and axles must be at least 2 and axles must be at most 8"
     " and axles / 2 must be readable as an integer (up to rounding)"),
    ("wagons", "gross_t\tnumber\tNOT NULL\ttare_t plus load_t, to the cent",
     "gross_t must be present and gross_t must equal tare_t + load_t (up to rounding)"),
    ("wagons", "gross_t | number | equals tare_t times 1.5 with at most 0.2 difference",
     "gross_t must equal tare_t * 1.5 within 0.2"),
    ("wagons", "load_t · float · nullable · not negative · never above gross_t",
     "load_t must be at least 0 and load_t must be <= gross_t"),
    ("wagons", "brake_cd: 1-char code, NOT NULL. G = goods, P = passengers, R = rapid / express",
     "the length of brake_cd must equal 1 and brake_cd must be present and brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "brake_cd – Char(1) – codelist (BRAKE): G / P / R – mandatory",
     "the length of brake_cd must be at most 1 and brake_cd must be one of 'G', 'P', 'R' and brake_cd must be present"),
    ("wagons", "series | text | Perm | {E, H, S} | blank is acceptable", "series must be one of 'E', 'H', 'S'"),
    ("wagons", "series: class of wagon: E | H | X", "series must be one of 'E', 'H', 'X'"),
    ("wagons", "un_no: wagon code, one letter S, D, E or G and three digits", "un_no must match /[SDEG]\\d{3}/"),
    ("wagons", "owner_cd | varchar(3) | required | capitals | e.g. DB, SBB",
     "the length of owner_cd must be at most 3 and owner_cd must be present and owner_cd must match /[^a-z]*/"),
    ("wagons", "un_no   text(6)   'UN' followed by four digits   only with hazmat = Y, and then compulsory; else empty",
     "it must hold that the length of un_no is at most 6 and un_no matches /UN\\d{4}/ and"
     " ((hazmat is present and hazmat is 'Y') or un_no is missing) and (hazmat is not 'Y' or un_no is present)"),
    ("wagons", "un_no | text | filled if and only if hazmat = Y",
     "it must hold that (hazmat is not 'Y' or un_no is present) and"
     " ((hazmat is present and hazmat is 'Y') or un_no is missing)"),
    ("wagons", "load_t – float – empty where state is parked, populated everywhere else",
     "it must hold that (state is not 'parked' or load_t is missing) and ((state is present and state is 'parked')"
     " or load_t is present)"),
    ("wagons", "revised_on | date | date of the last revision | if filled, not before built_on",
     "revised_on must be >= built_on"),
    ("wagons", "due | date as YYYY-MM-DD | nullable | later than checked",
     "due must be readable as a date and due must have the format ISO date and due read as a date must be"
     " > checked read as a date"),
    ("wagons", "depot_id   int   FK -> depots.depot_id   may be null only if state is parked",
     "it must hold that depot_id is readable as an integer and depot_id is among depots.depot_id and"
     " ((state is present and state is 'parked') or depot_id is present)"),
    ("wagons", "owner_cd: 2 capitals when hazmat is N, 3 capitals when Y, otherwise any format. Never null.",
     "it must hold that (hazmat is not 'N' or owner_cd matches /[A-Z]{2}/) and"
     " (hazmat is not 'Y' or owner_cd matches /[A-Z]{3}/) and owner_cd is present"),
    ("wagons", "revised_on, date. Set when state is parked; must be null in every other state.",
     "it must hold that (state is not 'parked' or revised_on is present) and"
     " ((state is present and state is 'parked') or revised_on is missing)"),
    ("wagons", "owner_cd | text | mandatory for everybody without depot_id",
     "wagons where depot_id is missing: owner_cd must be present"),
    ("batches", "batch_cd | BR-nnnn-tt (running number four-digit, two-digit tank) | unique",
     "batch_cd must match /BR-\\d{4}-\\d{2}/ and batch_cd must be unique"),
    ("batches", "batch_cd · string(10) · primary key · the letters BR and eight digits",
     "the length of batch_cd must be at most 10 and batch_cd must be unique and batch_cd must be present and"
     " batch_cd must match /BR\\d{8}/"),
    ("batches", "batch_cd: 9 characters, capitals and digits without I, O; optional, but no code twice",
     "the length of batch_cd must equal 9 and batch_cd must match /[A-HJ-NP-Z0-9]*/ and batch_cd must be unique"),
    ("batches", "brewer | varchar(40) | voluntary | exactly one @ | no blanks inside",
     "the length of brewer must be at most 40 and brewer must match /[^@]*@[^@]*/ and brewer must match /[^ ]*/"),
    ("batches", "stage   varchar(8)   required   domain {boil, ferment, bottled}",
     "the length of stage must be at most 8 and stage must be present and"
     " stage must be one of 'boil', 'ferment', 'bottled'"),
    ("batches", "stage | enum | boil, ferment, bottled (lower case as written) | required",
     "stage must be one of 'boil', 'ferment', 'bottled' and stage must be present"),
    ("batches", "abv_pct    decimal(4,2)   nullable   0.00 - 14.00   (alcohol by volume)",
     "the absolute value of abv_pct must be less than 100 and abv_pct / 0.01 must be readable as an integer"
     " (up to rounding) and abv_pct must be at least 0.0 and abv_pct must be at most 14.0"),
    ("batches", "og_plato; Num; whole, not negative; missing = not measured",
     "og_plato must be readable as an integer and og_plato must be at least 0"),
    ("batches", "og_plato: whole number, 8..30 incl., may be left blank",
     "og_plato must be readable as an integer and og_plato must be at least 8 and og_plato must be at most 30"),
    ("batches", "litres (int, 1–9999, mandatory)",
     "litres must be readable as an integer and litres must be at least 1 and litres must be at most 9999"
     " and litres must be present"),
    ("batches", "litres | number | > 0 and <= 5000 | in litres",
     "litres must be greater than 0 and litres must be at most 5000"),
    ("batches", "fg_plato | number | > 0 unless stage is boil",
     "batches where stage is not 'boil': fg_plato must be greater than 0"),
    ("batches", "tank – compulsory once stage is ferment, until then may stay empty",
     "batches where stage is 'ferment': tank must be present"),
    ("batches", "tank | T1 if beer is lager, else T2 | required",
     "it must hold that (beer is not 'lager' or tank is 'T1') and"
     " ((beer is present and beer is 'lager') or tank is 'T2') and tank is present"),
    ("batches", "racked_on | timestamp | never earlier than brewed_on | not in the future",
     "racked_on must be >= brewed_on and racked_on must be no later than now"),
    ("batches", "ok | boolean | required | tasted by people of the house", "ok must be present"),
    ("batches", "beer; text; not optional; held as text", "beer must be present"),
    ("batches", "brewer: nullable, unique when present", "brewer must be unique"),
    ("batches", "tank | text | single digit 1-4 held as text", "tank must be one of '1', '2', '3', '4'"),
    ("batches", "batch_cd: 3 capital letters, then U or J, then 7 digits", "batch_cd must match /[A-Z]{3}[UJ]\\d{7}/"),
    ("batches", "stage: text, NOT NULL, boil | ferment",
     "stage must be present and stage must be one of 'boil', 'ferment'"),
    ("batches", "stage: text, non-null, boil | ferment",
     "stage must be present and stage must be one of 'boil', 'ferment'"),
    ("batches", "stage: NOT NULL, boil, ferment", "stage must be present and stage must be one of 'boil', 'ferment'"),
    ("batches", "stage  CHAR  Muss-Feld, permitted: boil / ferment",
     "stage must be present and stage must be one of 'boil', 'ferment'"),
    ("batches", "stage: varchar(8), obligatoire, admitted values boil, ferment",
     "the length of stage must be at most 8 and stage must be present and"
     " stage must be one of 'boil', 'ferment'"),
    ("batches", "stage C(7) MAND VAL(boil,ferment)",
     "the length of stage must be at most 7 and stage must be present and stage must be one of 'boil', 'ferment'"),
    ("batches", "batch_cd  X(8)  req  8 digits, unique",
     "the length of batch_cd must be at most 8 and batch_cd must be present and batch_cd must match /\\d{8}/ and"
     " batch_cd must be unique"),
    ("batches", "litres N(4) MAND RANGE 1-4000",
     "the absolute value of litres must be less than 10000 and litres must be readable as an integer and litres must be"
     " present and litres must be at least 1 and litres must be at most 4000"),
    ("batches", "batch_cd: texto(5), obligatory, five digits",
     "the length of batch_cd must be at most 5 and batch_cd must be present and batch_cd must match /\\d{5}/"),
    ("batches", "litres: integer, mandatory (0 if none), between 0 and 50",
     "litres must be readable as an integer and litres must be present and litres must be at least 0 and"
     " litres must be at most 50"),
    ("batches", "batch_cd: upper-case letters and digits only", "batch_cd must match /[A-Z0-9]+/"),
    ("wagons", "owner_cd: char(3), letters only, optional",
     "the length of owner_cd must equal 3 and owner_cd must have the format letters"),
    ("wagons", "un_no | varchar(8) | pattern 999-AA (9 = digit, A = capital letter)",
     "the length of un_no must be at most 8 and un_no must match /\\d\\d\\d-[A-Z][A-Z]/"),
    ("wagons", "wagons | unique key (series, wagon_no)", "(series, wagon_no) must be unique"),
    ("wagons", "wagons | brake_cd | char(1) | mandatory | G goods, P passenger, R fast",
     "the length of brake_cd must be at most 1 and brake_cd must be present and brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "Tbl: wagons / Col: axles / INT / Req: Y / Rng: 2-8",
     "axles must be readable as an integer and axles must be present and axles must be at least 2 and axles must be at"
     " most 8"),
    ("wagons", "brake_cd  X(01)  REQ  G=goods  P=passenger  R=fast",
     "the length of brake_cd must be at most 1 and brake_cd must be present and brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "wagon_no | C12 | M | 3 capital letters, hyphen, 4 digits (ABC-1234)",
     "the length of wagon_no must be at most 12 and wagon_no must be present and"
     " wagon_no must match /[A-Z]{3}-\\d{4}/"),
    ("wagons", "wagon_no | C12 | M | form AAA-nnnn (3 capital letters, hyphen, 4 digits)",
     "the length of wagon_no must be at most 12 and wagon_no must be present and"
     " wagon_no must match /[A-Z]{3}-\\d{4}/"),
    ("wagons", "wagon_no | M | format AAA-9999 | pattern AAA-9999",
     "wagon_no must be present and wagon_no must match /[A-Z]{3}-\\d{4}/"),
    ("wagons", "axles | number of axles 2 (short) to 8 (long), blank = never measured",
     "axles must be between 2 and 8"),
    ("wagons", "brake_cd - text(1), mandatory, G / P / R",
     "the length of brake_cd must be at most 1 and brake_cd must be present and brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "wagons.depot_id | number | mandatory | must exist in depots (depot_id)",
     "depot_id must be present and depot_id must be among depots.depot_id"),
    ("wagons", "series: valid: E H S", "series must be one of 'E', 'H', 'S'"),
    ("wagons", "wagon_no: max 12 characters, e.g. W-1, W-2, no duplicates",
     "the length of wagon_no must be at most 12 and wagon_no must be unique"),
    ("batches", "tank | mandatory | values T1 (small) T2 (large)",
     "tank must be present and tank must be one of 'T1', 'T2'"),
    ("wagons", "brake_cd: optional; allowed codes: G (goods), P (mail), R (fast)",
     "brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "brake_cd: one character, G (goods) or P (mail), may be empty",
     "the length of brake_cd must equal 1 and brake_cd must be one of 'G', 'P'"),
    ("wagons", "brake_cd: G or P, not null", "brake_cd must be one of 'G', 'P' and brake_cd must be present"),
    ("wagons", "brake_cd: G (goods), P (mail), required",
     "brake_cd must be one of 'G', 'P' and brake_cd must be present"),
    ("wagons", "brake_cd / CHAR(1) / Val: G=goods; P=mail; R=fast",
     "the length of brake_cd must be at most 1 and brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "brake_cd | mandatory | G goods; P mail and parcels; R fast (see manual)",
     "brake_cd must be present and brake_cd must be one of 'G', 'P', 'R'"),
    ("wagons", "brake_cd: enum{G,P,R}, no nulls", "brake_cd must be one of 'G', 'P', 'R' and brake_cd must be present"),
    ("wagons", "un_no: required for parked wagons, must be empty for all other types",
     "it must hold that (state is not 'parked' or un_no is present) and"
     " ((state is present and state is 'parked') or un_no is missing)"),
    ("wagons", "axles   int   wheels: 0 (none), 2, 4",
     "axles must be readable as an integer and axles must be one of 0, 2, 4"),
    ("wagons", "wagon_no | 17 characters | letters I, O and Q not allowed",
     "the length of wagon_no must equal 17 and wagon_no must match /[^IOQioq]*/"),
    ("wagons", "wagon_no: no I/O/Q, required", "wagon_no must match /[^IOQioq]*/ and wagon_no must be present"),
    ("wagons", "wagon_no: format X99-999 (letter A to F, two digits, hyphen, three digits), e.g. A01-003",
     "wagon_no must match /[A-F]\\d{2}-\\d{3}/"),
    ("wagons", "wagon_no: CHAR(6), EX- (capitals) and three digits, e.g. EX-014",
     "the length of wagon_no must be at most 6 and wagon_no must match /EX-\\d{3}/"),
    ("wagons", "wagon_no | yard letter A-D in capitals + two digits, e.g. A01", "wagon_no must match /[A-D]\\d{2}/"),
    ("wagons", "depot_id | M | the depot this wagon belongs to -> depots.depot_id",
     "depot_id must be present and depot_id must be among depots.depot_id"),
    ("batches", "batch_cd | literal BR-, then five digits with leading zeros", "batch_cd must match /BR-\\d{5}/"),
]  # fmt: skip

# What may be accepted of these is only what is listed; most must be asked about.
ASKED = [
    ("wagons", "load_t | num 5.1 | = tare_t / gross_t * 100"),
    ("wagons", "load_t | dec | glorp of the day"),
    ("wagons", "owner_cd | char(3) | required"),
    ("wagons", "owner_cd | text | required for parked goods"),
    ("wagons", "owner_cd | text | required | un_no needed too"),
    ("wagons", "owner_cd | text | shows whether DB or SBB | required"),
    ("wagons", "owner_cd | DB | SBB"),
    ("wagons", "owner_cd | text | Pflichtangabe Halter | DB / SBB"),
    ("wagons", "owner_cd | text | darf nicht leer sein | DB / SBB"),
    ("wagons", "owner_cd | text | jamais vide | DB / SBB"),
    ("wagons", "owner_cd | text | sin espacios | DB / SBB"),
    ("wagons", "owner_cd | text | geen dubbelen | DB / SBB"),
    ("wagons", "owner_cd | text | Fremdschlüssel depots | DB / SBB"),
    ("wagons", "owner_cd | text | fill in! | DB / SBB"),
    ("wagons", "owner_cd | text | blank = error | DB / SBB"),
    ("wagons", "owner_cd | text | [1] | DB / SBB"),
    ("wagons", "owner_cd | required | DB"),
    ("wagons", "wagon_no | not unique | required"),
    ("wagons", "wagon_no | must not be unique"),
    ("wagons", "wagon_no | required, but not for parked wagons"),
    ("wagons", "wagon_no | sss-nnn | required"),
    ("wagons", "load_t – float – empty where state is NOT DONE"),
    ("wagons", "brake_cd | G = goods, P, R = rapid"),
    ("wagons", "wagon_no: 3 capital letters, then U (leased), then 7 digits"),
    ("wagons", "wagon_no | 1-3 letters (umlauts possible), hyphen, 1-2 letters | required"),
    ("wagons", "built_on | date | years 1990-2020 | required"),
    ("wagons", "tare_t | number | min 10 or 20 | required"),
    ("wagons", "tare_t | number | 30 to 8"),
    ("wagons", "axles | int | usually 4 | required"),
    ("wagons", "axles | 4"),
    ("wagons", "load_t | number | otherwise > 0"),
    ("wagons", "load_t | float | empty if the scale did not report; required"),
    ("wagons", "load_t | number | unique when hazmat is Y"),
    ("wagons", "owner_cd | char(5), 6 characters"),
    ("wagons", "series | enum (E, H, S) | required unless the depot says otherwise"),
    ("batches", "brewed_on | date | required | sequential"),
    ("batches", "stage | optional when beer is lager | one of boil, ferment"),
    ("batches", "batch_cd | text | required | same as the label"),
    ("batches", "batch_cd | Pattern BR-YYYY-NNNN, where YYYY is the year of brewed_on | unique"),
    ("batches", "brewer | required | unique (case-insensitive)"),
    ("batches", "litres | number | volume, 5000 at the outside | required"),
    ("wagons", "owner_cd: one of DB, SBB (parked wagons: DB only)"),
    ("wagons", "owner_cd | text | optional | no blanks"),
    ("wagons", "brake_cd | char(1) | mandatory | G goods, P passenger, Q fast, X slow"),
    ("wagons", "series | text | E H X Y"),
    ("wagons", "wagon_no | M | 3 capital letters, hyphen, 4 digits (KLM-nnnn)"),
    ("wagons", "wagon_no | M | 3 capital letters, hyphen, 4 digits (ABC-12)"),
    ("wagons", "un_no: UN + 3 digits, ex. UN12"),
    ("wagons", "axles | N1 | previously 2-8"),
    ("wagons", "axles | N1 | all but 2-8"),
    ("wagons", "axles | N1 | prohibited range 2-8"),
    ("wagons", "axles | N1 | 0 (none) to 8 (not allowed)"),
    ("wagons", "wagon_no: max 5 characters, blank = only for old ones"),
    ("wagons", "wagon_no: max 5 characters, note: required"),
    ("wagons", "brake_cd: one of A, C-E"),
    ("wagons", "un_no: 3-digit code 101 thru 104"),
    ("wagons", "brake_cd: G (goods), P (mail), not R"),
    ("wagons", "brake_cd | G goods; P mail; R only on Sundays"),
    ("wagons", "axles: 1 (few), 4 (many), 9"),
    ("wagons", "wagon_no: no AB"),
    ("wagons", "wagon_no: letters without i, o"),
    ("wagons", "wagon_no: letters I, O not allowed in place 9"),
    ("wagons", "wagon_no: format X99-99 (letter A to F, two digits, hyphen, three digits)"),
    ("wagons", "wagon_no: yard letter A-D + two digits, e.g. K01"),
    ("wagons", "wagon_no: letters A-D, two digits"),
    ("wagons", "wagon_no: first letter A-D, then two digits"),
    ("batches", "tank: T2 to S9"),
    # What none of the values is may still be what is allowed, and no description of the column.
    ("batches", "beer: AB or CD, mandatory"),
    ("batches", "beer: porter or bock, mandatory"),
    ("batches", "beer: porter/bock, mandatory"),
    ("batches", "beer: A and B, unique"),
    ("batches", "litres: A or B, required"),
    ("batches", "tank must not be between T1 and T2"),
    ("batches", "tank must be at least T2"),
    ("batches", "stage: text, NN, BOIL | FERMENT"),
    ("batches", "stage: text, NOTNULL, BOIL | FERMENT"),
]


@pytest.mark.parametrize(("table", "line", "echo"), AT_ONCE, ids=[line for _, line, _ in AT_ONCE])
def test_a_line_is_read_at_once(table: str, line: str, echo: str) -> None:
    whole = echo if echo.startswith(f"{table} ") else f"{table}: {echo}"
    assert compile_rule(line, TABLES, target=table).echo == whole


@pytest.mark.parametrize(("table", "line"), ASKED, ids=[line for _, line in ASKED])
def test_a_cell_that_is_not_understood_is_asked_about(table: str, line: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(line, TABLES, target=table)


def test_the_first_reading_is_what_was_read_of_the_other_cells() -> None:
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule("load_t | float | empty if the scale did not report; > 0", TABLES, target="wagons")
    assert refused.value.readings[0].sentence == "wagons: load_t must be greater than 0"
    assert '"empty if the scale did not report"' in str(refused.value)


def test_a_description_is_shown_as_set_aside() -> None:
    found = compile_rule("litres | number | > 0 | volume at the end of the day", TABLES, target="batches")
    assert ("volume at the end of the day", "set aside, a description") in found.explanation


@pytest.mark.parametrize("line", ["litre | int | required", "bread_cd (int, 1–9)", "wagon_no\ttext\tPK"])
def test_a_column_that_is_not_there_is_named(line: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=r'batches has no column "(litre|bread_cd|wagon_no)"'):
        compile_rule(line, TABLES, target="batches")


def test_the_nearest_column_is_told() -> None:
    found = read_by_doors("litre | int | required", TABLES, target="batches")
    assert found is not None and found.problem == 'batches has no column "litre"; the nearest is "litres"'


def test_the_form_of_texts_is_not_dropped_where_they_are_read_as_dates() -> None:
    read = WAGONS.model_copy(update={"columns": WAGONS.columns | {"due": MOMENT, "checked": MOMENT}})
    with pytest.raises(RuleNotUnderstood):
        compile_rule("due | date as YYYY-MM-DD | after checked", {"wagons": read}, target="wagons")


@pytest.mark.parametrize("said", ["not above load_t and positive", "never above load_t and at most 100"])
def test_a_denial_is_not_carried_over_and(said: str) -> None:
    answer = read_by_doors(f"tare_t | float | {said}", {"wagons": WAGONS}, target="wagons")
    assert answer is None or answer.constraint is None or answer.constraint.must.node != "any"


def test_a_denial_before_and_stays_with_what_it_stands_before() -> None:
    read = compile_rule("tare_t: not below load_t and unique", {"wagons": WAGONS}, target="wagons")
    assert read.echo == "wagons: tare_t must be >= load_t and tare_t must be unique"
