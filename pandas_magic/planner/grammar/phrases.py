"""Turns of phrase, by the part of the grammar in which they stand. Only data, written as in `lexicon`."""

import re

from pandas_magic.planner.grammar.lexicon import SOMEBODY_WANTS

# ---- claims -------------------------------------------------------------------------------------------------------
ROWS_ALLOWED = (
    "be allowed|be permitted|be accepted|must exist|may exist|should exist|be acceptable|should be present|exist|"
    "can exist|must be present|be tolerated|should occur|must occur|are to be found|"
    "may/can/must/should be stored/saved/kept/entered/recorded/there/registered|should/must be there|be there"
)
# Said of a date by the name of what happened: "no health check may have a date in the future".
HAS_A_DATE = "have/carry/bear a date/day/timestamp [that/which/lying] [be]"
BE_IN_THE_TABLE = (
    "should/may/must/can be registered/recorded/listed/stored/accepted/admitted as|may/must/should/can be|"
    "should be in|may be in|must be in|be in|be allowed in|can be in|should exist in|may appear in|"
    "should be listed in|be allowed among|may be among|must appear in|should be among|may be part of|"
    "can be among|should appear in|may exist in"
)
THERE_IS_NO = (
    "there must be no|there must not be any|there should be no|there should not be any|there be no|"
    "there may be no|there may not be any|there be not any|there can be no|there can not be any|"
    "there must never be any|there should never be any|there shall be no|we do not accept|we do not want|"
    "we do not allow|there must not be a|there should not be a|there must never be a|we must not have any|"
    "we must not have|there may never be any|there should never be a|we accept no|there be never any|"
    "we should not have|we can not have|we should not have any|there must not be|there should not be|"
    "there have to be no|there may not be|we must never have|there must never be|there should never be|"
    "it must not contain any|we allow no|there shall not be any|there may not be a|there cannot be a|"
    "there can not be a|there can not be|do not allow|do not accept"
)
THERE_IS_FOR_EACH = (
    "there must be|, there must be|there should be|there has to be|there be|, there be|, there has to be|"
    ", there should be|there must exist|there needs to be|must exist|, there must exist|there shall be|we need|"
    ", we need|belong|there belong|must belong|must always belong|be assigned|must be assigned|belong always"
)
WE_ONLY_ACCEPT = (
    "we only accept|we accept only|accept only|only accept|we only allow|allow only|only allow|we allow only|"
    "we only have|we only want|keep only|we only support|we only ship|we only take|we only take in|we take in only"
)
ONLY_ROWS_ALLOWED = "be allowed|be accepted|be permitted|be valid|may exist|may be in the table|be acceptable"
ONLY_ON_CONDITION = "only if|only when|only where|only once|only in case|only as long as|only provided that|only while"
BEFORE_SEVERAL = (
    "both|either|neither|all of|each of|all|the columns|columns|the fields|fields|the columns :|none of|any of|"
    "each of the columns"
)
BE_DIFFERENT = (
    "be not/never the same/equal/identical|must/should/shall/may/can/will never/not [both] be the same/equal/identical|"
    "must/should/shall/may/can/will never/not [both] be alike|"
    "be never one and the same|must always differ|always differ|never coincide|"
    "must/should/shall/may/can not agree/coincide|"
    "must differ|differ|must be different|be different|must not be equal|must not be the same|"
    "may not be the same|can not be the same|must not be identical|must be different from each other|"
    "should not be the same|should differ|should be different|must not match|can not be identical|"
    "may not be equal|must never be the same|must not coincide|have to be different|have to differ|"
    "can not be equal|must be distinct from each other|may not be identical|should not be equal|"
    "must/should/have_to/shall/may_only be two different people/persons/ones/values/dates/numbers/things/names"
)
BE_THE_SAME = (
    "must be equal|be equal|must be the same|must match|must be identical|must agree|should be equal|"
    "should match|must match each other|have to match|must coincide|should be the same|"
    "must be equal to each other|should agree|have to be equal|have to be the same"
)
BOTH_OR_NEITHER = (
    "be either both present or both missing|both be present or both be missing|"
    "either both be present or both be missing|be both present or both missing|be filled together|"
    "be present together|be given together|be either both given or both missing|be set together|"
    "be both filled or both empty|be both null or both not null|either both be filled or both be empty|"
    "be either both filled or both empty|be both set or both missing|either both be given or both be missing|"
    "occur together|always occur together|be provided together|either both be set or both be missing|"
    "be both given or both missing|go together|belong together|come together|always go together|always come together"
)
OR_BOTH_OR_NEITHER = (
    ": either both be filled in or neither|: either both are given or neither|: either both be given or neither|"
    ", either both are filled in or neither|: both or neither|: both or none|( both or neither )|"
    ": either both or neither|"
    ", both or neither|: either both are present or neither|: either both are there or neither be|"
    ": either both be filled in or none|: either both be present or both be missing"
)
NOT_BOTH = "must not both|can not both|may not both|should not both|must never both|may never both|shall not both"
EXCLUDE_EACH_OTHER = (
    "be mutually exclusive|must be mutually exclusive|exclude each other|must exclude each other|"
    "should be mutually exclusive|must not be filled at the same time|can not be present at the same time|"
    "must not be present together|must not be set at the same time|can not be filled at the same time|"
    "must not be filled together|may not be given together|must not occur together|"
    "can not be set at the same time|may not be filled at the same time|must not be given together"
)
UNIQUE_TOGETHER = (
    "be unique/distinct together|be unique/distinct in combination|be jointly unique|be together unique|"
    "form a unique key|form a unique combination|uniquely identify a row|uniquely identify each row|"
    "be unique/distinct as a combination|be unique combined|form a key|identify each row uniquely|"
    "uniquely identify a record|identify a row uniquely|uniquely identify every row|be unique as a pair|"
    "be unique as a combination|be a unique combination|be unique taken together|be a unique key|"
    "form the primary key|be the primary key|uniquely identify each record|be the key|identify a row|identify each row|"
    "identify every row|identify a record|form together the/a key|form together the/a primary/unique/composite key|"
    "be together the/a key|make up the/a [unique/primary/composite] key|form the/a key together"
)
TOGETHER = "together|in combination|combined|jointly|taken together|as a combination"
COMBINATION = (
    "combination of|combinations of|pair of|tuple|tuple of|pair|composite key|key|combination|set of|"
    "concatenation_of|triple|triple of|primary key|compound key|composite key of|compound key of|pairs of|"
    "combined key of|combined key|natural key|composite primary key|business key|group of|grain"
)
NO_TWO = "no two|there must not be two|there should not be two|there be no two|there must never be two"
NEVER_BY_TWO = "must not|may not|can not|should not|can never|must never|may never|should never|never|shall not"
NEVER_REPEATS = "must not|may not|should not|can not|must never|should never|never|do not|may never|shall not|can never"
FORBIDDEN_TO_DO = (
    "it be forbidden/prohibited/impossible/illegal/wrong/invalid to|nobody may/can/should/must|"
    "no one may/can/should/must|"
    "it be not allowed/permitted/possible/ok/acceptable to|we must/should/may/can never|we must/should/may/can not|"
    "you must/should/may/can never|you must/should/may/can not|never"
)
FORBIDDEN_FOR = (
    "it be not permissible/admissible/okay/fine/right for|it be never allowed/permitted/acceptable for|"
    "it shall/should/must not be allowed/permitted/possible for|it be unacceptable/inadmissible/wrong for|"
    "it be forbidden/prohibited/impossible/illegal/wrong/invalid for|"
    "it be not allowed/permitted/possible/ok/acceptable for|"
    "it be not permissible/admissible/right/okay/legal/correct for|"
    "it be inadmissible/unacceptable/impermissible for"
)
TWO_ROWS = (
    "two|2|two different|duplicate|several|multiple|other_two|pair of|more than one|any two|two or more|"
    "2 or more|two separate|two distinct"
)
SHARE = (
    "may share|share|with|may have|have|should have|can have|should share|can share|having|must share|must have|"
    "sharing|that share|that have|for|are allowed to share|may ever share|shall have|shall share|will have|"
    "may carry|may use|use|that agree in|agree in|may agree in|may exist with|may be registered with|may refer to|"
    "be at/in/on/under|may/can/must/should/shall be at/in/on/under|may/can/should/must stand/lie/sit at/in/on/under"
)
BE_IN_A_TABLE = (
    "be listed|appear|occur|exist|be recorded|be entered|be registered|be present|be stored|be found|show up|"
    "be included|be contained|be in the table|be in the list|be listed there"
)
SEVERAL_TIMES = "twice|more than once|multiple times|several times|repeatedly|more than one time"
OF_THE_SAME = (
    "of the same|for the same|with the same|in the same|from the same|on the same|of/on/in/at/from one|of/on/in/at a|"
    "at/of/on/in/with/for/from the very same|"
    "at the same|within the same|within one|of/on/in/at each|of/on/in/at any"
)
DUPLICATE_OF = (
    "duplicate|duplicated|repeated|double|duplicate value of|duplicate value in|duplicate values for|"
    "duplicate combination of|duplicates in|duplicates of|duplicate in|duplicate of|duplicates for|"
    "duplicate entry in|repeated value in|duplicates on|duplicate on"
)
THE_SAME = "the same|an identical|one and the same|a common|identical|equal|same|the identical|the very same|matching"
MUST_BE_ABSENT = (
    "must not exist|be not allowed|be forbidden|be not permitted|be prohibited|be invalid|must not be present|"
    "must be absent|must not be given|be not expected|must not occur"
)
ONLY_ALLOWED_IF = (
    "be only allowed if/when/where|be allowed only if/when/where|be only permitted if/when/where|"
    "be permitted only if/when/where|may only be given if/when/where|may only be present if/when/where|"
    "may only exist if/when/where|may only be set if/when/where|be only valid if/when/where|"
    "may be present only if/when/where|may be given only if/when/where|must only be present if/when/where|"
    "must only be given if/when/where|should only be present if/when/where|must only be set if/when/where|"
    "be only possible if/when/where|can only be present if/when/where|can only be set if/when/where|"
    "can only be given if/when/where|may only be used if/when/where|may only be filled if/when/where|"
    "may/must/can/should only be given/present/set/filled/recorded/entered once/while/as_long_as/after/provided_that|"
    "may/must/can/should be given/present/set/filled/recorded/entered only once/while/as_long_as/after"
)
ONLY_ALLOWED_FOR = (
    "be only allowed/permitted/valid/possible on/in/with|be allowed/permitted/valid/possible only on/in/with|"
    "may/can/must/should only be applied/stored/offered/named/noted/stated/specified for/on/in/to|"
    "may/can/must/should be applied/stored/offered/named/noted/stated/specified only for/on/in/to|"
    "may/can/must/should only be used/given to/by|"
    "be only allowed/permitted/valid/possible/meant for|be allowed/permitted/valid/possible/meant only for|be only for|"
    "may/can/must/should only be given/present/set/filled/recorded/entered/used for/on/in|"
    "may/can/must/should be given/present/set/filled/recorded/entered/used only for/on/in|be reserved for|"
    "be exclusive to|"
    "may/can/must/should only exist/occur/appear for/on/in|be limited to|be restricted to|be only meaningful for|"
    "only apply to|only make sense for|be only available for/to|be available only for/to"
)
ALLOWED_VALUES = (
    "only allowed|allowed|valid|permitted|acceptable|only valid|only permitted|possible|accepted|only possible|"
    "only acceptable|admissible|legal|permissible|allowable|only accepted|only admissible|only legal|known|only known|"
    "existing|recognised|recognized|legitimate|supported|only supported|official"
)
ANYTHING_ELSE_IS_WRONG = (
    ", anything else be a typo/mistake/violation|, anything else be an error|, anything else be wrong/invalid|"
    ", everything else be a typo/mistake|, everything else be an error|, everything else be wrong/invalid|"
    ", nothing else|, all others be wrong/invalid|, anything else be not allowed|and nothing else|"
    ", all other values be wrong/invalid|; anything else be an error|; anything else be wrong/invalid|"
    "; anything else be a typo/mistake"
)
NO_LONGER_ALLOWED = (
    "be no longer allowed/valid/accepted/permitted/used/supported|be not allowed/valid/accepted/permitted any more|"
    "be not allowed/valid/accepted/permitted anymore|must not be used any more|must not be used anymore|"
    "must no longer be used/accepted/given|may no longer be used/accepted/given|should no longer be used|"
    "must not be used|may not be used|should not be used|can no longer be used|be retired|be withdrawn|be discontinued|"
    "be not allowed/valid/accepted/permitted|be forbidden|must not be used any longer|should not be used any more|"
    "should not be used anymore|must not occur|must not appear|must not occur any more|must never be used|"
    "must not appear any more|be retired and must not be used any more|be retired and must not be used anymore|"
    "be retired and must no longer be used|be withdrawn and must not be used any more|be abolished|be invalid"
)
MUST_NOT_APPEAR_AS = (
    "must not appear as|may not appear as|should not appear as|must not be used as|must not occur as|can not be|"
    "must never appear as|be not allowed as|be no longer allowed as|should not be used as|be no longer accepted as|"
    "be not accepted as|must no longer appear as|may not be used as|must no longer be used as|be not a valid|"
    "be not an allowed|must not be given as|must not be entered as|be no longer a valid"
)
WE_DO_NOT_ACCEPT = "we do not accept|we no longer accept|we do not use|we do not take|we no longer use|we do not allow"
VALUES_OF = (
    "values|value|entries|options|values of|values for|values in|entries for|value for|entries in|options for|"
    "codes for|values are for"
)
VALUES_ARE = (
    "be|:|be only|are limited to|=|be the following :|be :|be limited to|include only|be one of|must be|"
    "be exclusively|should be"
)
VALUES_ALLOWED = (
    "be allowed|be permitted|be valid|be accepted|be possible|be acceptable|may occur|be used|may be used|may appear|"
    "may/can/must/should be given/entered/stored/set/chosen/recorded/used/put/selected|can occur|can appear"
)
WITH_THE_SAME = (
    "with the same|that share the same|sharing the same|having the same|of the same|with an identical|"
    "for the same|that have the same|with identical|in the same|from the same|that share a|sharing a|"
    "belonging to the same|within the same|on the same|under the same|at the same|by the same"
)
HAVE_THE_SAME = (
    "must be done/made/performed/carried_out/held/taken in/at/by/with/on the same|"
    "must have been done/made/performed/carried_out/held/taken in/at/by/with/on the same|"
    "be done/made/performed/carried_out/held/taken in/at/by/with/on the same|"
    "must always have the same|must have the same|must share the same|should have the same|have the same|"
    "share the same|must have exactly one|have exactly one|must have one|always has the same|must have only one|"
    "have only one|must have an identical|must belong to exactly one|"
    "belong to exactly one|must belong to only one|must correspond to exactly one|correspond to exactly one|"
    "must map to exactly one|maps to exactly one|always have the same|should have exactly one|may only have one|"
    "can only have one|must have one and the same|determine|must determine|may have only one|must have a single|"
    "must belong to one|must all have the same|all have the same|should all have the same|must agree in|"
    "must agree on|must be in the same|must carry the same|must be assigned to exactly one|"
    "may have only a single|must not have more than one|may not have more than one|can not have more than one|"
    "may have at most one|must have at most one|must not have different|must not have several|"
    "may not have different|must never have different|should not have more than one|must imply the same|"
    "may belong to only one|can only belong to one|may only belong to one|should always have the same|"
    "shall have the same|can have only one|may have at most one distinct|must have a consistent|"
    "must have consistent|must always be in the same|must have identical|must refer to the same|"
    "must point to the same|must belong to the same|should belong to the same|must be from the same|"
    "must be of the same|belong to the same|be assigned to the same|be in the same|refer to the same|be from the same|"
    "should be in the same|should be from the same|must be assigned to the same|must be located in the same|"
    "always belong to the same|always be in the same|should refer to the same|must all belong to the same|"
    "must come from the same|come from the same|must be made by the same|must be done by the same|"
    "must/should/shall [all] be billed/invoiced/charged/priced/settled/paid/kept/stored/recorded in/at the same|"
    "must/should/shall [all] be sold/bought/booked/sent/shipped/delivered/handled/written in/at/by the same|"
    "must/should/shall [all] be sold/bought/booked/sent/shipped/delivered from/through the same|"
    "belong to one and the same|always belong to one and the same|must belong to one and the same|get the same|"
    "always get the same|must get the same|must always get the same|be always from the same|always come from the same|"
    "all come from the same|must all come from the same|all be from the same|must all be from the same|"
    ": same|: the same|: always the same|: all the same"
)
ONE_DISTINCT = "distinct|different|unique|distinct value of|value of|value in|value for"
ADD_UP_TO = (
    "add up to|sum up to|sum to|amount to|total|sum|come to|add to|together be|in total be|be in total|"
    "exceed in total|together amount to"
)
ADDED_UP = (
    ", added up ,|, added together ,|, taken together ,|, summed up ,|added up|taken together|summed up|added together|"
    ", in total ,|, together ,|in total|together|all together|, all together ,"
)
EXCEED_TOGETHER = "together exceed|exceed in total|in total exceed|exceed together|exceed|in sum exceed|combined exceed"

# ---- clauses ------------------------------------------------------------------------------------------------------
NEVER_AFTER_MUST = (
    "not|never|not ever|under no circumstances|in no case|at no time|not , under any circumstances ,|by no means"
)
NEVER_AFTER_MAY = "not|never|not ever|under no circumstances|in no case|at no time|by no means"
AND_THEN = "and|but|, and|, but|;|and also|and that|, and it|, and they|and it|and they"
TAKE_VALUES = (
    "take|have|contain|include|hold|accept|allow|have only|contain only|take only|assume|be limited to|"
    "be restricted to|equal"
)
MISSING_VALUES = (
    "null|missing value|null value|nan|gap_s|empty value|missing|empty cell|nan value|missing entry|blank value|"
    "blank|empty entry|empty field|missing data|missing datum|na value"
)
ONLY_THE_VALUES = (
    "only the values|the values|one of the values|values from|only|only values from|the value|one of|"
    "a value from|a value in|values in|only values in|values among|a value of|only one of|only the value|"
    "one of the following values :|values :|the following values :|only these values :|one of the following :|"
    "only values|one of these values :|any of"
)
SOME_VALUE = "a value|some value|a non null value|non null value|a valid value_present"
NO_DUPLICATES = (
    "no duplicate|no duplicate value|unique value|only unique value|distinct value|no repeated value|"
    "only distinct value|no double|a unique value|no duplicated value|no two equal values|no duplicate entry|"
    "no repeat|no duplicates at all|only unique entries|no repetition"
)
DUPLICATES = (
    "duplicate|duplicate value|any duplicate|any duplicate value|repeated value|any repeated value|"
    "duplicated value|duplicate entry"
)
BEFORE_ROW_VALUE = (
    "in|of|from|marked as|flagged as|classified as|a|an|set to|assigned to|labelled|labelled as|priced in|"
    "invoiced in|marked|on"
)
WITH_REGARD_TO = (
    "with regard to|by|on|in terms of|with respect to|regarding|in their|in its|based on|in the combination of|"
    "by the combination of|in|with the same"
)
AND_CLAUSE = (
    "and|, and|and if|and where|and when|but|and whose|and that|, but|&|and also|and the|as well as|and both|&&"
)

MAKE = "make|place|create|open|book|record|issue|run|start|produce|take|perform|carry out|file|send|post|handle|process"
LAST = "last|last for|take|run|run for|stay|stay for|go on for|be valid for|continue for|extend over"
BY_A_DATE = "( by|by|according to|( according to|based on|( based on|by its|judging by|counted from|( from|from"
THE_TABLE = "the/this table/dataset/file|the data set|this data set"
OFFER = (
    "offer|support|use|speak|carry|stream in|pay in|pay by|pay with|ship via|ship with|be on|"
    "take_place/happen/be_held/be_located/be_based/be_kept in/at"
)
MARKED_AS = (
    "categorised as|categorized as|recorded as|listed as|registered as|coded as|labelled as a|entered as|"
    "marked as|flagged as|classified as|labelled as|marked|flagged|set to|tagged as|tagged"
)
NOR = "nor|, nor|nor can/may/must/should it/they|, nor can/may/must/should it/they|and not|, and not"

# ---- comparisons --------------------------------------------------------------------------------------------------
A_NUMBER = (
    "a percentage|percentages|a share|a figure|a score|a number|a value|a value in|a grade|"
    "a rating|a mark|rated|graded|scored|values|numbers|a number in|an amount|a date"
)
BETWEEN = (
    "in/within/during/inside the period/window/time/interval/span between|on a day/date between|at some time between|"
    "between|somewhere between|anywhere between|within|in between|within the range between|"
    "in the range between|in the range of|in the range|"
    "within the range|within the range of|within the limits of"
)
FROM_TO = (
    "in/within/during/inside the period/window/time/interval/span [from/of/between]|in the time from|dated from|"
    "in/within/during/inside the period/window/time/interval :|on a day/date from|"
    "from|within|in the range|within the range|in the range of|in the range from|in|within the range of|between|"
    "in the interval|in the range :|within the range from|within limits"
)
IN_BRACKETS = (
    "in [ | ∈ [ | within [ | in the range [ | in the interval [ | between [ | [ | within the interval [ |"
    " in the closed interval ["
)
INCLUSIVE = (
    "inclusive|, inclusive|( inclusive )|, both inclusive|, ends included|( both inclusive )|, both included|"
    "both inclusive|included|( included )|, bounds included|, inclusively|( both included )|, both ends included|"
    "( ends included )|, both limits included|both ends included|both included|, limits included|"
    ", both days included|( both days included )|both days included|, including both|, including both ends|incl .|"
    "incl|( incl . )|( incl )|[,/(] both/the/all bounds/values included|( both limits/ends/bounds included )|"
    "( limits/bounds included )|[,/(] the limits/ends/bounds included )|"
    "[,/(] including the/both_the limits/ends/bounds|( inclusively )|inclusively|( including both ends )|"
    ", [the] two limits/ends/bounds themselves be fine/ok/allowed/included|"
    ", the limits/ends/bounds themselves be fine/ok/allowed/included"
)
OUTSIDE = (
    "outside/beyond the period/window/time/interval [of/from]|outside from|outside the dates|"
    "outside|outside of|outside the range|outside the range of|outside the interval|beyond the range|"
    "out of the range|outside the range from|out of range"
)
OR_MORE = (
    "or more|or greater|or higher|or above|or over|or larger|and above|and more|or longer|and over|upwards|"
    "or bigger|minimum|or up|at least|and up"
)
OR_LESS = (
    "or less|or fewer|or lower|or below|or smaller|or under|and below|or shorter|and under|maximum|at most|"
    "at maximum|at the most|tops|or earlier|max|max ."
)
ON_A_WEEKEND = (
    "on a weekend|on weekends|at the weekend|at weekends|on the weekend|a weekend|a weekend day|on a weekend day|"
    "on a saturday or sunday|on a saturday or a sunday|in the weekend|on saturday or sunday|"
    "on saturdays or sundays"
)
ON_A_WEEKDAY = "on a weekday|on weekdays|a weekday|on a working day|on a workday|on working days"
IN_THE_YEAR = "in|in the year|in year|within the year|of|during|in the calendar year|from the year|from"

# ---- counting -----------------------------------------------------------------------------------------------------
BEFORE_GROUP_KEY = (
    "the|a|an|each|every|single|same|one|given|the same|any|combination of|pair of|unique|individual|distinct|"
    "different|the combination of|calendar"
)
OF_CHILDREN = "of|over|across|in|from|for|of all|over all|across all|in all|on|for all|from all|by|by all"

# ---- limits -------------------------------------------------------------------------------------------------------
THERE_MAY_BE = (
    "there can/may/must/should/shall only be|there can/may/must/should be only|we only allow|there shall be|"
    "there must be|there may be|there should be|there can be|there must only be|we allow|there may only be|"
    "there must exist|there has to be|allow|there be"
)
THERE_MAY_BE_PER_GROUP = (
    ",|there may be|there must be|there can be|, there must be|, there may be|we allow|, there can be|there should be|"
    "[,] there may/can/must/should/shall only be|[,] there may/can/must/should be only"
)
ROWS_ARE_ALLOWED = (
    "be allowed|be permitted|may exist|may be placed|are allowed|may occur|be possible|can exist|allowed|"
    "may be made|may be recorded|be accepted|permitted|may be present|are possible|be acceptable"
)

# ---- nouns --------------------------------------------------------------------------------------------------------
TABLE_WORDS = (
    "table|tables|dataset|data|records|rows|entries|row|record|entry|file|dataframe|data frame|list|master table|"
    "master data|catalogue|catalog|register|registry|directory|database|inventory|of ours|master|base"
)
COLUMN_WORDS_BEFORE = (
    "column|field|attribute|value of|values of|value for|value in|values in|contents of|content of|columns|"
    "fields|values for|entries in|entry in|values of column|value in column|value of column|values in column|"
    "values of the column"
)
WHAT_IS_GROSS = "pay|salary|wage|income|price|weight|amount|sum|value|payout"
_POINTS = ("score", "rating", "credit", "point", "level", "grade")
KIND_SAID_AGAIN = {"text": ("number", "code", "name"), "integer": ("number", *_POINTS), "number": ("amount", *_POINTS)}
BE_OF_A_KIND = (
    "be a/an percentage/ratio/probability/share/rate/score/price/amount/count/number/rating , so/therefore/hence|"
    "be percentages/ratios/probabilities/shares/rates/scores/prices/amounts/counts/numbers , so/therefore/hence|"
    "be a/an percentage/ratio/probability/share/rate/score/price/amount/count/number/rating/fraction and|"
    "be percentages/ratios/probabilities/shares/rates/scores/prices/amounts/counts/numbers/ratings and|"
    "be given in percent/per_cent and|be in percent and|be given in percent , so|be in percent , so|be in percent ,"
)
MAY_BE_MISSING_BUT = "may/can/might be missing/null/empty/absent but|may/can/might be missing/null/empty/absent , but"
STANDARD_DEVIATIONS = (
    "standard deviation|standard deviations|std|sigma|sigmas|standard_deviation|sd|sds|std dev|std . dev .|stddev|"
    "standard devs|σ"
)
OUTLIER = "outlier|an outlier"
BY_A_RULE = (
    "[,] by/under the [usual/standard/common]|[,] according to the [usual/standard]|in the sense of the|beyond|outside|"
    "[,] using/with the [usual/standard/common]|[,] measured/judged/determined by the|[,] based on the"
)
USUAL_IQR_RULE = (
    "[usual/standard/common/classic] iqr rule/method/criterion|[usual/standard/common] interquartile rule/method|"
    "[usual/standard/common] interquartile range rule/method/criterion"
)
WITH_A_FACTOR = "with [a/the] factor [of]|[and] factor|with [a] multiplier [of]|and [a] factor [of]"
ABOVE_THE = "above the|over the|above its|above"
BELOW_THE = "below the|under the|below its|below"
OF_THE_QUARTILES = "of/from/around the [first_and_third/lower_and_upper] quartiles|of/from the nearest/nearer quartile"
OUTSIDE_THE_QUARTILES = (
    "[away] from the [first_and_third/first_or_third] quartiles|outside [of] the quartiles|beyond the quartiles|"
    "below the first/lower quartile or above the third/upper quartile|below the first or above the third quartile|"
    "below the lower or above the upper quartile|below q1 or above q3|outside the middle half|"
    "above the third quartile or below the first quartile|above q3 or below q1|"
    "above the third or below the first quartile"
)
ABOVE_THE_QUARTILE = "above the third/upper quartile|above q3"
BELOW_THE_QUARTILE = "below the first/lower quartile|below q1"
OF_ITS_KIND = (
    "per|of its|of their|of his|of her|for its|for their|in its|in their|within its|within their|among its|of the same|"
    "for the same|in the same|within the same|of the respective|for each|in each|of each|of that|for that|in that"
)
INTERQUARTILE_RANGE = (
    "iqr rule/method/criterion|iqr|interquartile range rule/method/criterion|interquartile range|interquartile rule"
)
FROM_THE = (
    "[away/apart/off/distant] of/from [the/its/their/this/our]|around [the/its/their/this]|off [the/its/their/this]|"
    "on either side of the|above or below the|either side of the|below or above the|to either side of the"
)
MEAN = (
    "[overall/arithmetic/global/common/general] mean/average|mean/average value|[overall] mean/average value|"
    "[overall] mean or average"
)
NEARER_THAN = (
    "within|inside|at most|no/not more than|no/not farther than|no/not further than|not beyond|no further away than"
)
FARTHER_THAN = (
    "more than|over|beyond|farther than|further than|outside|outside of|farther away than|further away than|"
    "by more than|in excess of|greater than|exceeding|higher than"
)
COLUMN_WORDS_BEHIND = "column|field|attribute|value|values|entry|entries|columns|fields|attributes|data"

# ---- patterns -----------------------------------------------------------------------------------------------------
VALID = (
    "valid|well formed|syntactically valid|properly formatted|correct|proper|real|correctly formatted|correctly formed"
)
FOLLOW_A_FORMAT = (
    "match|follow|look like|conform to|comply with|adhere to|be formatted as|be in|have|obey|satisfy|be of|"
    "correspond to|fit|resemble|respect|use|be written as|be written in|be structured as|be formatted like|"
    "appear as|contain|be given in|be stored as|be given as|be formed like|be encoded as"
)
PATTERN_WORDS = (
    "regex|regexp|pattern|regular expression|format|regex pattern|following pattern|regular expression pattern|form"
)
CONSIST_OF = (
    "consist of|be composed of|be made up of|contain|hold|be|have|comprise|be made of|be formed of|be formed by|"
    "have the form|have the format|follow the pattern|follow the format|match the pattern|match the format|"
    "be of the form|be in the format|be in the form|use the format|have the pattern|have the structure|"
    "be built from|look like|look like this :|be like this :|look as follows :|have this form :|"
    "be built like this :|be structured like this :|be written like this :|be as follows :|=|:|"
    "be entered/recorded/typed/noted/put_in as|be entered/typed in the form"
)
MATCH_A_PATTERN = "match|follow|conform to|comply with|satisfy|fit|fullmatch|obey|adhere to"
EXAMPLE_OF_AN_ADDRESS = (
    ", i . e . something @ something . something|, i . e something @ something . something|"
    "( something @ something . something )|i . e . something @ something . something|"
    ", e . g . name @ domain . tld|, i.e . something @ something . something|"
    ", i.e . something @ something.something|i.e . something @ something.something|"
    "( something @ something.something )|( x @ y . z )|, i . e . something @ something.tld|"
    ", i.e . something @ something.tld|( something @ something.tld )|, e.g . name @ domain.tld|( name @ domain.tld )|"
    ", i.e . name @ domain.tld|: something @ something.tld|: name @ domain.tld|, e.g . name @ example.com|"
    "( e.g . name @ example.com )|, i.e . something @ something.com|"
    ", so/that_is/meaning something/name @ domain/something/example/company . tld/something/com|"
    ", so/that_is/meaning something/name @ domain.tld/something.something/example.com/something.tld/company.com"
)
BETWEEN_COLUMNS = ",|and|or|, and|, or|as well as|and/or|nor|, nor"
THEN_IN_SHAPE = (
    "+|,|, and|and|followed by|, followed by|then|, then|and then|, and then|plus|, a|and a|, and a|followed by a|"
    "followed by exactly|then a|and an|, a single|followed by a single|and exactly|, then a|then exactly|"
    ", then exactly|, followed by a|, plus|next|, next|and after it/that/them|, and after it/that/them|, after it/that|"
    "and continue with|, and continue with|, continuing with|continuing with|and after it/that come from|"
    ", and after it/that/them come from|, and after it/that/them come|and after it/that/them come|, after which come|"
    ", after them|, after them a|after them|after them a|and at the end|, and at the end|and finally|, and finally|"
    ", and lastly|and with|, and after it/that/them a|and after it/that/them a|, after which there be|, with then"
)
# Letters that are meant themselves: "the letter W", "either W or S", "a letter from A to F".
A_LETTER = "a|an|the letter|the letters|the prefix|a letter|the capital letter|the capital letters|letter|the code"
EITHER_LETTER = "either|one of|either the letter|either an|either a"
HAVE_INSIDE = "contain|include|have|contain any of|contain one of|contain either|contain any of the letters"
LETTER_FROM = "a/one/single/capital letter from/between|one/a capital/upper_case/uppercase letter from/between"
DIGIT_FROM = "a/one digit/number from/between|a single digit from/between"
ONLY_CONTAIN = "and contain only|and have only|and consist only of|and only contain|and only have|, and contain only"
BEHIND_THAT = (
    "after that|thereafter|afterwards|after it|behind it|behind that|otherwise|apart from that|then|in the rest"
)
PART_OF = (
    "a code/text/string/sequence/combination/number/prefix/suffix/block/group/abbreviation/year/counter of|"
    "a serial/running/row/sequence/letter/country/area/branch/room/house number/code of|a/an acronym/identifier of"
)
OPTIONALLY_IN_SHAPE = (
    "[,] optionally/possibly followed by|[,] and/then optionally/possibly|[,] and/then optionally/possibly followed by|"
    "[,] optionally|[,] which/that may be followed by|[,] optionally with|[,] possibly with|"
    "[,] and may be followed by|[,] sometimes followed by"
)
CODE_WORDS = (
    "code|string|number|abbreviation|identifier|id|value|text|symbol|combination|prefix|suffix|year|month|counter|"
    "serial number|sequence number|sequence|group|block|part"
)
ANYTHING_WITHOUT_SPACES = (
    "a suffix without blanks/spaces|any/some text without blanks/spaces|anything without blanks/spaces|"
    "a suffix that contains no blanks/spaces|a suffix with no blanks/spaces|a text without blanks/spaces"
)
SEPARATED_BY = (
    "joined by|separated by|, joined by|, separated by|( separated by|( joined by|joined with|connected by|divided by|"
    ", divided by|, connected by|parted by|, parted by"
)
LAST_CHARACTER_MAY_BE = (
    "; the very last character may also be|; the last character may also be|, the last character may also be|"
    ", where the last character may also be|, but the last character may also be|, the very last character may also be|"
    "; the last one may also be|, the last one may also be|; the last digit may also be|, the last digit may also be|"
    ", of which the last may also be|, where the last one may also be|, but the last one may also be|"
    ", where the last digit may also be|, but the last digit may also be"
)
NO_SPACES = (
    ", no spaces|, no blanks|, without spaces|, without blanks|without spaces|without blanks|( no spaces )|"
    "( without spaces )|with no spaces|, with no spaces|, no whitespace|without any spaces|, without any spaces|"
    ", and no spaces|and no spaces"
)
NOTHING_ELSE = (
    ", nothing else|, and nothing else|and nothing else|( nothing else )|, nothing more|and nothing more|"
    "and no other characters|, and no other characters|, no other characters|and no further characters|"
    ", nothing else allowed|- nothing else|– nothing else|, nothing less and nothing more|, no more and no less"
)
HAVE_CHARACTERS = "have|be|contain|consist of|have exactly|comprise|must have|be exactly|count"
CHARACTERS_LONG = "character|character long|char|characters|sign|character in total|character in length"
ONLY_OF = (
    ", only|, all of them|and only|, only of|, all|, and only|( only|, exclusively|, consisting of|"
    ", consisting only of|"
    "and consist only of|and contain only|, made up of|, which are|: only|:|, nothing but|, and contains only|"
    "and use only"
)
BUT_NEVER = (
    ", and never|, but never|, but not|but not|and never|except|excluding|, excluding|, except|without|, without|"
    ", never|"
    "but never|, and not|, other than|but without|, but without|and no|, and no|, no"
)
FOUR_NUMBERS = ": four|, i.e . four|( four|: 4|, that is four|( i.e . four"
WITH_DOTS_BETWEEN = (
    "with dots between them|separated by dots|joined by dots|with dots in between|separated by a dot|parted by dots|"
    "separated by periods|with a dot between them"
)
CONTAIN_SPACES = (
    "contain space|contain whitespace|contain any space|contain any whitespace|include space|contain blank|"
    "contain a space|contain any blank"
)
HAVE_NO_SPACES = (
    "have/contain/include no spaces|have/contain/include no space|have/contain/include no blanks|have no whitespace"
)
HAVE_OUTER_SPACES = (
    "have leading or trailing space|have leading or trailing whitespace|start or end with a space|"
    "contain leading or trailing space|start or end with space|contain leading or trailing whitespace|"
    "have surrounding space|start or end with whitespace|have leading/trailing whitespace|"
    "have any leading or trailing space|have any leading or trailing whitespace"
)
START_WITH = (
    "start with|begin with|be prefixed with|have the prefix|have prefix|start by|be preceded by|begin by|start in"
)
END_WITH = (
    "end on|have the ending|have ending|have an ending of|"
    "end with|end in|finish with|have the suffix|be suffixed with|finish in|terminate with|have suffix"
)
CONTAIN_TEXT = (
    "contain|include|have the text|contain the text|contain the character|contain a|contain an|"
    "contain the string|include the text|contain the substring|include the character|contain the word|"
    "contain any|have"
)

# ---- possession ---------------------------------------------------------------------------------------------------
AND_A = "but|, but|, yet|yet|and|and a|and an|as well as|as well as a|, and|,|, and a|and also a|, and an"
GIVEN_BEHIND = "value|given|set|filled in|recorded|present|entry|assigned|specified|at all|on file|available|provided"
OF_VALUE = "of|that be|which be|=|equal to|:|being|be|value of|value|set to|be set to|that be set to|with|lying|falling"
SOME_CHILD = (
    "a|an|any|at least one|some|at least a|one or more|at least a single|minimum one|at minimum one|at least 1|"
    "any of the|a corresponding|a matching|at least one corresponding|at least one matching|"
    "at least one associated|an associated|a related|a minimum of one|a single|even a single|even one|any single"
)
WHAT_IS = "what be|what be currently|what be actually"
BE_UNKNOWN = "be unknown|be not known|be not registered|be not on file|be not on record"
BE_SOMEWHERE = (
    "exist|be present|be found|be listed|be known|be registered|be defined|do exist|present|listed|found|"
    "existing|registered|occur|appear|actually exist|be contained|be recorded|really exist|defined|known|"
    "on file|on record|be on file|be on record|in the system|in our system|in the database|in our records|we know|"
    "we have on record/file|we have in our records|we know of|we have registered|known to us|be known to us"
)
ONE_OF_THEM = "one|ones|one of those|an entry|a row|a record"
BEHIND_ONE_OF_THEM = (
    "from",
    "of",
    "in",
    "among",
    "that",
    "which",
    "who",
    "we",
    "listed",
    "registered",
    "known",
    "out",
    "on",
)
TIED_TO = (
    "be assigned to|be handled by|be allocated to|be carried out by|be done by|be given to|be handed to|be run on|"
    "be made with|go out with|be carried by|be operated with|be put on|be entrusted to"
)
ONLY_GOES_TO = "go to|be made to|be granted to|be given to|be paid to|be sent to|be booked by|be made by"
A_KNOWN_ONE = "a/an known/existing/valid/registered/real one|one we know|one that/which exist"
BE_ONE = "be|be always|be itself|be themselves|be also|be in turn"
BE_LISTED_AS = (
    "be [themselves/itself/also] listed/registered/recorded/known/entered/stored as|be [themselves/itself/also/always]"
)
MADE_FOR = "for|by|of|on|in|from|to|against|with|at|under"
BELONGS_HERE = (
    "[that/who/which] work in/for/at|[that/who/which] live in/at|[that/which/who] belong to|[that/which/who] be in/at|"
    "[that/who/which] sit in/at|[that/which] stand in/at|[that/which] be kept in/at|[that/which] be stored in/at|"
    "[that/which/who] be located in/at|[that/which/who] be based in/at|[that/which] refer to|[that/which/who] come from"
)
ALSO_MADE = "ordered|taken|held|carried out|performed|submitted|filed|issued|created|given|stored|written|listed"
HOW_OFTEN = (
    "how often|how many times|the number of times|number of times|the number of times that|the actual number of times"
)
TO_IT = "assigned to it|linked to it|registered to it|in it|on it|at it|attached to it|booked on it|belonging to it"
ALLOWS = "allow|permit|can take|can carry|may carry|may take|accept|can hold"
OWNS = "have|offer|provide|own|hold|come with|have room for"
IT_HAS = "it have|they have|there be|it own|it offer|he have|she have"
OF_THE_COLUMNS = (
    "of the following :|of the columns|of the fields|of the|of|of the following columns|of the following fields|"
    "of :|of the following|of these two/three/four/five [columns/fields/values] :|of these [columns/fields/values] :|"
    "of the [two/three/four/five] columns/fields/values|of the two/three/four/five [columns/fields/values] :|out of|"
    "of these two/three/four/five|of the two/three/four/five"
)

# ---- qualities ----------------------------------------------------------------------------------------------------
IN_THE_WHOLE_TABLE = (
    "in/within/across/throughout/over the whole/entire table|within/in/across the table/dataset|across all rows|"
    "globally|in the dataset|among all rows|table wide|across the whole table|throughout the table"
)
UNIQUE_PER = (
    "per|within|within each|for each|for every|within one|within a|per each|by|within the same|for the same|"
    "inside each|in each|for a given|together with|in combination with|for any|inside a|within every|in every|"
    "for one|among the same|in the same|for a"
)
ONE_OF = (
    "one of|any of|in|among|one of the following|one of :|one of the following :|one of the values|"
    "among the following|either of|in the list|in the set|any one of|one of the following values|"
    "one of the following values :|one among|listed in|drawn from|restricted to|limited to|from the list|"
    "from the set|one of these :|in the following list :|in list|from|within the set|contained in|member of|"
    "a member of|part of|one of the set|confined to|one of these|"
    "chosen/taken/selected/picked from/out_of/among|chosen from among|set to|set to one of|set to either"
)
OR_MISSING = (
    "( or empty )|or empty|, or empty|or blank|( or blank )|( or absent )|or nothing|or not at all|( if any )|"
    "or null|or missing|, or null|, or missing|or none|, or may be missing|or be missing|or is missing|"
    ", nothing else|and nothing else|only|or not given|, no other values|, or be null|, others are not allowed|"
    "or be null|or absent|( or null )|( or missing )|and no other value|and no others|, no others|and no other|"
    ", null|, others not allowed|, anything else is invalid|, everything else is invalid"
)

# ---- references ---------------------------------------------------------------------------------------------------
IN_THE_LIST_OF = (
    "in|among|within|in the list of|among the values of|one of the values in|one of the values of|"
    "among the values in|in the values of|one of|among the|in the set of|as"
)
NOT_IN = (
    "be missing from|be absent from|be not in|be not found in|be not present in|be unknown in|be unknown to|"
    "be not listed in|be not among|be lacking in|be nowhere in|be not contained in|be not part of|be absent in|"
    "be missing in|do not exist in|do not appear in|do not occur in"
)
HAVE_A_MATCH = (
    "match|be a foreign key into|be a foreign key for|have a match in|have a matching row in|"
    "have a counterpart in|have a corresponding row in|have a matching record in|have a matching entry in|"
    "have a corresponding record in|have a corresponding entry in"
)

# ---- rows ---------------------------------------------------------------------------------------------------------
OF_THIS = (
    "of|for|to|by|from|placed by|made by|belonging to|that belong to|linked to|in|on|that|which|referring to|"
    "that refer to|related to|associated with|with|assigned to|recorded for|created by|owned by|attached to|at|"
    "working at|registered at|living in|under|that/which be assigned/linked/attached to|that/which be recorded for|"
    "that/which be placed/made/created by|that/which come from"
)
WITH = (
    "with|having|that have|carrying|containing|showing|, with|that come with|bearing|holding|including|featuring|"
    "that carry|that bear|that contain"
)
IN_A_VALUE = (
    "in|from|of|marked as|marked|flagged as|classified as|being|with status|currently|for|on|tagged as|labelled|still|"
    "labelled as|paid in|priced in|invoiced in|that be"
)
OF_THE_PARENT = "of|for|from|in|on|stored/recorded/kept/given/stated/known/noted/registered for"
REFERRING_TO = (
    "from|of|by|for|with|on|to|at|pointing to|referring to|linked to|assigned to|that point to|that refer to|"
    "that belong to|"
    "belonging to|that be linked to|that be assigned to|tied to|attached to"
)
OF_A_PARENT = (
    "from|of|by|against|under|via|through|made by|placed by|belonging to|owned by|for|in|on|assigned to|"
    "issued to|created by|linked to|referring to|referencing|booked by|at|with|to"
)
ON_RECORD = (
    "in our/the records/system/database/data/books/master_data|on record|on file|on our list|in the list|on the list|"
    "in our list"
)
THAT_IS_NOT_THERE = (
    "that/which/who be not in our/the list/records/system/database|that/which/who can not be found|"
    "that/which/who be not/nowhere to be found|that/which/who be not registered/listed/recorded|we have never heard of|"
    "we do not have|we do not know|that we do not have|that we do not know|not in our records|not on file|"
    "which we do not have|which we do not know|"
    "that/which/who do not exist|that/which/who be not known|that/which/who be unknown|that/which be missing|"
    "not existing|that/which do not"
)

# ---- sequences ----------------------------------------------------------------------------------------------------
FALLS = (
    "become smaller|become lower|be lowered|slip back|dip|go lower|"
    "decrease|fall|go down|drop|decline|go backwards|shrink|sink|run backwards|get smaller|go back|be decreasing|"
    "ever decrease|ever go down|ever fall|ever drop|be falling|move backwards|diminish"
)
RISES = "increase|rise|go up|grow|climb|get larger|be increasing|ever increase|ever go up|ever rise|ever grow"
RISING = "increase|rise|go up|grow|increasing|ascending|rising|be increasing|be ascending|be rising"
FALLING = "decrease|fall|go down|decreasing|descending|falling|be decreasing|be descending"
NEVER_FALLS = (
    "only ever increase|only ever go up|only ever rise|only ever grow|only increase or stay the same|"
    "only go up or stay the same|only ever go up or stay the same|only rise or stay the same|"
    "not decreasing|be not decreasing|"
    "only ever increase or stay the same|only ever rise or stay the same|go up or stay the same|non decreasing|"
    "only increase|only go up|only rise|only grow|be non decreasing|be nondecreasing|be monotonically increasing|"
    "increase monotonically|rise monotonically|grow monotonically|be monotonic|"
    "be monotonically non decreasing|stay the same or increase|increase or stay the same|be monotonic increasing|"
    "be equal or increasing|stay equal or increase"
)
NEVER_RISES = (
    "only decrease|only go down|only fall|be non increasing|be nonincreasing|be monotonically decreasing|"
    "decrease monotonically|decrease or stay the same|stay the same or decrease"
)
BE_IN_RISING_ORDER = (
    "be [always] in ascending/increasing/rising/chronological order|be chronological|be ascending|be [always] sorted|"
    "be sorted/ordered/listed/arranged/stored ascending/chronologically|be nondescending|"
    "be sorted/ordered/listed/arranged/stored in ascending/increasing/rising/chronological order|"
    "be sorted/ordered/listed/arranged from lowest/smallest/oldest/earliest to highest/largest/newest/latest"
)
BE_IN_FALLING_ORDER = (
    "be [always] in descending/decreasing/falling/reverse_chronological order|be descending|"
    "be sorted/ordered/listed/arranged/stored descending|"
    "be sorted/ordered/listed/arranged/stored in descending/decreasing/falling/reverse_chronological order|"
    "be sorted/ordered/listed/arranged from highest/largest/newest/latest to lowest/smallest/oldest/earliest"
)
GO_UP_BY = "go up by [exactly]|increase by [exactly]|rise by [exactly]|grow by [exactly]"
BE_IN_ORDER_OF = (
    "be [always] in [the] order of/by|be [always] sorted/ordered/listed/arranged/stored by|"
    "be [always] sorted/ordered/listed/arranged/stored in [the] order of"
)
RISING_ORDER = (
    "ascending|upwards|in ascending/increasing/rising/chronological order|, oldest/earliest/smallest/lowest first|"
    "oldest/earliest/smallest/lowest first|, ascending|, the oldest/earliest/smallest/lowest first|"
    "from oldest/earliest/smallest/lowest to newest/latest/largest/highest"
)
FALLING_ORDER = (
    "descending|downwards|in descending/decreasing/falling/reverse_chronological order|, descending|"
    ", newest/latest/largest/highest first|newest/latest/largest/highest first|"
    ", the newest/latest/largest/highest first|from newest/latest/largest/highest to oldest/earliest/smallest/lowest"
)
THE_PREVIOUS = (
    "the previous|its previous|the preceding|the last|the prior|the row before 's|the value of the previous|"
    "in the previous|that of the previous|the one of the previous|the one before of the|in the preceding|"
    "that/the_one/the_value of/in the preceding|that/the_value in the previous"
)
OVER_TIME = (
    "over time|with time|as time passes|in time|through time|chronologically|over the years|"
    "from one day/date/time to the next"
)
ROW_BY_ROW = (
    "from row to row|row by row|, row by row|from one row/record/entry/line to the next|from record to record|"
    "from line to line|line by line|from each row to the next|"
    "in/by/following file/row/table order|in [the] order of the rows/file/table|in the order in which the rows stand|"
    "from top to bottom|in the order of the rows in the file|as the rows stand|in the given order|"
    "when read row by row|when read from top to bottom|in the order in which they stand"
)
ORDERED_BY = (
    ", taken in order of|taken in order of|, taken in the order of|, in ascending order of|in ascending order of|"
    ", when taken in order of|as ordered by|, by|when going by|put in order of|, put in order of|"
    "when arranged by|arranged by|"
    "when ordered by|ordered by|sorted by|when sorted by|in the order of|in order of|by order of|over|by|along|"
    ", ordered by|, sorted by|( ordered by|if ordered by|if sorted by|, in order of|, in the order of|, by order of|"
    ", when ordered by|, when sorted by|, going by"
)
IN_THE_ORDER_OF = (
    "taken in order of|taken in the order of|"
    "going by|in order of|in the order of|ordered by|sorted by|when ordered by|when sorted by"
)
GAPS = (
    "have gaps|have any gaps|contain gaps|contain any gaps|have a gap|skip a number|skip numbers|skip any number|"
    "be skipped|have any gap|leave gaps|leave any gaps|leave a gap|show gaps|show any gaps"
)
GAPLESS = (
    "have/contain/show/leave no gap/gaps|be without a gap|be without any gap/gaps|have/leave no holes|"
    "be complete and gapless|"
    "be consecutive|be gapless|be gap free|be contiguous|be without gaps|be sequential|be numbered consecutively|"
    "be consecutively numbered|form a consecutive sequence|run without gaps|be free of gaps|"
    "form an unbroken sequence|form a sequence without gaps|be in sequence without gaps|run consecutively|"
    "be continuous|be assigned without gaps|form a gapless sequence|be a consecutive sequence|"
    "be a gapless sequence|be consecutive numbers|be in an unbroken sequence|be assigned consecutively|"
    "be unbroken|be handed out one after the other|be numbered without gaps|be issued without gaps|"
    "be numbered without a gap|"
    "be issued consecutively|be numbered in sequence without gaps|be given out one after the other|"
    "run/be_numbered/be_issued/be_assigned/be/run_on/count_up/follow_each_other without any gaps/gap|"
    "run/count_up/follow_each_other without a gap|run_on/count_up/follow_each_other without gaps|"
    "be complete and without gaps|"
    "be assigned one after the other|"
    "be numbered one after the other|increase by one|go up by one|increase by 1|be sequential numbers"
)
AND_GAPLESS = (
    ", without gaps|without gaps|with no gaps|, with no gaps|, no gaps|and gapless|( no gaps )|without any gaps|"
    "and without gaps|, without any gaps|and have no gaps|( without gaps )|, no gaps allowed|with no missing numbers|"
    ", no number may be missing|without missing numbers|each time|, there should be no gaps|, there must be no gaps|"
    ", there may be no gaps|, there must not be any gaps|, there should not be any gaps|; there must be no gaps|"
    "; there should be no gaps|, so there must be no gaps|, gaps are not allowed|"
    "with no number/numbers missing|, with no number/numbers missing|with no number/numbers missing in between|"
    ", with no number/numbers missing in between|without any number missing|, without any number missing|"
    ", no number missing|, none missing|, none missing in between|, none left out|, no number left out|"
    "without any missing numbers|, without missing numbers|, without any missing numbers|, with no missing numbers|"
    ", with no gap in between|, with no gaps in between|with no gaps in between|, no gaps in between|"
    ", without gaps in between|without gaps in between|with no number left out|, with no number left out|"
    ", without leaving out a number|, without skipping a number|without skipping a number|"
    ", without skipping any number|without skipping any number"
)
NO_GAPS_IN = (
    "there must/should/may/shall/can be no gaps/gap in/within the sequence/series/numbering of|"
    "there must/should/may/shall/can not be any gaps/gap in/within the sequence/series/numbering of|"
    "there be no gaps/gap in/within the sequence/series/numbering of|no gaps/gap in/within the sequence/numbering of|"
    "there shall be no gaps/gap in|no number be missing in the sequence/series of|"
    "no number may/must/should/shall/can be missing in/from the sequence/series of|"
    "no number may/must/should/shall/can be missing among|report/flag/find/list gaps in the sequence/series of|"
    "there must be no gaps in|there should be no gaps in|there may be no gaps in|no gaps in|no gap in|"
    "there must not be any gaps in|there should not be any gaps in|there must be no gap in|there be no gaps in|"
    "there can be no gaps in|no gaps are allowed in|flag gaps in|report gaps in|find gaps in|"
    "there must not be gaps in|there should not be gaps in|there must/should/may/can be no gap/gaps between [any] two|"
    "no gap/gaps between [any] two|there must/should/may/can be no gap/gaps between|no gap/gaps between"
)

# ---- selves -------------------------------------------------------------------------------------------------------
OWN = "own|very own"
ITSELF = (
    "itself|himself|herself|themselves|themself|oneself|him or herself|him/herself|himself or herself|"
    "himself/herself|him - or herself|the same row|its own row"
)
REFERS_SOMEHOW = (
    "refer to|reference|point to|point at|link to|be linked to|relate to|be related to|depend on|belong to|"
    "refer back to|be a child of|be the parent of|be a parent of|contain|be nested in"
)

# ---- repetitions --------------------------------------------------------------------------------------------------
ONE_ONLY = (
    "one|only one|a single|exactly one|just one|at most one|no more than one|one single|max one|only a single|"
    "not more than one|maximum one|one and only one"
)
AND_NO_MORE = (
    ", no more|only|, not more|at most|, and no more|( no more )|max|, only one|and no more|, at most one|, not two|"
    "be allowed|be permitted|may exist|is enough"
)
BE_HELD_BY = (
    "be printed/written/stamped/put/shown/found on|appear on|occur on|"
    "be used for/on/in/at|be linked to|be attached to|be in use for|"
    "be used/held/worn/taken/owned/assigned/claimed/shared/occupied/carried by|be assigned/given/issued/allocated to|"
    "belong to|be in use by|be registered to|be booked by|be carried by"
)
BE_USED = (
    "be given_away/given_out/given/sold/handed_out/taken/allotted/allocated/occupied/filled|be used|be redeemed|"
    "occur|appear|be listed|be entered|be applied|be recorded|be claimed|be mentioned"
)
A_SAME_THING = (
    "each|every|the same|a|an|any|one|the very same|a single|a given|the|for/from/in/into/to/on/at/with/by the same|"
    "for/in/on/to one|for/in/on/to/at an|for/in/on/to/at a|for/in/on/to/at each/every"
)
BE_PUT = "be put/added/attached/linked/stuck/assigned/listed_there/inserted"
BE_ORDERED = "be ordered/requested/run/performed/carried_out/measured/tested/placed/made/bought"
CONTAINS = "contain|list|include|have|name|carry|show"
USES = "use|reuse|offer|sell|register|issue|apply|redeem|give|assign|enter|claim|have|choose|pick"
SEVERAL_ROWS = "two|2|several|multiple|more than one|different|two different|two or more|various|any two|other"
ONE_HOLDER = (
    "only one|at most one|a single|no more than one|not more than one|exactly one|just one|one single|only a single|"
    "one and only one"
)

# ---- examples -----------------------------------------------------------------------------------------------------
FOR_EXAMPLE = (
    ", e.g .|( e.g .|, e.g . ,|, for example|( for example|, for instance|( for instance|, such as|( such as|, like|"
    "( like|e.g .|, eg|( eg|( example :|, example :|for example|such as|like|, e . g .|( e . g .|, as in|( as in|"
    "( e.g|, e.g|( i.e .|( for example ,|, for example ,"
)
LIKE = "look like|be written like|be formatted like|be like|be formed like|be shaped like|be structured like"
WRITTEN_LIKE = (
    "look like|be written like|be formatted like|be like|be of the form|have the form|follow the pattern|"
    "match the pattern|be in the form|be in the format|have the format|follow the format|be written as|"
    "match the format|be formatted as|follow the template|match the template|be formed like|match|follow|"
    "be shaped like|have the shape|have the pattern|use the format|be given as|be in the pattern|be of the format|"
    "be structured like|be structured as"
)

# ---- alternatives -------------------------------------------------------------------------------------------------
OTHERWISE = (
    ", otherwise|; otherwise|otherwise|, else|; else|else|, or else|. otherwise|, otherwise ,|. otherwise ,|"
    "; otherwise ,|and otherwise|, and otherwise|in all other cases|, in all other cases|; in all other cases|"
    ". in all other cases|, in all other cases ,|. in all other cases ,|; in all other cases ,|, if not|"
    ", if not ,|; if not ,|. if not ,|, in any other case|, but otherwise|, but in all other cases|"
    "and in all other cases|, and in all other cases"
)
OTHERWISE_BEHIND = "otherwise|, otherwise|in all other cases|in any other case|if not|else|in the other cases"

# ---- claims at the end of a sentence ------------------------------------------------------------------------------
FLAG_THEM = (
    ". this/that must/should/may not happen/occur|. this/that must/should/may never happen/occur|. this/that be wrong|"
    ". this/that be not allowed/acceptable/ok/possible|- this/that be not allowed/acceptable/ok|- this/that be wrong|"
    "? there should/must/may not be any|? there should/must be none|? flag/report/list them|? please flag/report them|"
    ", so we should/must not see any|, we should/must not see any|? there should/must never be any|? not allowed|"
    "? that must/should not happen|, that must/should not happen|, which must/should not happen|"
    ", there should/must not be any|, there should/must be none|- there should/must not be any|"
    ", flag/report/reject/list/show/mark/find/highlight them|: flag/report/reject/list/show/mark/find them|"
    ", please flag/report/reject/list/mark them|so flag/report/reject them|, so flag/report/reject them|"
    "- flag/report/reject them|and should be flagged/reported/rejected|, flag/report/reject those|"
    "; flag/report/reject/list them|. flag/report/reject/list/mark them|and must be flagged/reported/rejected|"
    "– flag/report/reject them|and have to be flagged|"
    ", flag/report/reject it|: flag/report/reject it|"
    "; flag/report/reject it|. flag/report/reject it|: flag|: report|: reject|- flag|- report|, flag|, report"
)

# ---- terms --------------------------------------------------------------------------------------------------------
RUN_OUT = (
    "have expired|be expired|have already expired|be already expired|have lapsed|be lapsed|have run out|"
    "be over|have passed|be out of date|be past|have ended"
)

# ---- sums ---------------------------------------------------------------------------------------------------------
IN_TOTAL = "in total|altogether|in all|overall|in sum|all together|taken together|together|combined"

# ---- ellipses -----------------------------------------------------------------------------------------------------
PRESUPPOSES = "require|need|presuppose|demand|call for|imply|must go with|must come with|must be accompanied by"
NEXT_CLAUSE = ",|;|, and|, but|and|but|while|, while|, whereas|whereas|; and|, all|, and all"
HAVE_NONE = (
    "must/should/may/can/shall not have one|must/should/may/can/shall not have any|must/should have none|have none|"
    "do not have one|must/should/may/can never have one|must/should/may/can/shall not|must/should not have it"
)
MAY_HAVE_ONE = (
    "may/can/should/must/shall have/have_one/have_it/have_any/have_them/do_so|may|can|should|must|do|have one|have any|"
    "be allowed to have one|be allowed one|be allowed to"
)
MUST_NOT_EITHER = (
    "must not|may not|do not|must not have one|can not|should not|may not have one|must not have any|do not have one|"
    "must never|should not have one|shall not|must have none|have none|must not be|can not have one|never"
)
BUT_NOT_BOTH = (
    ", but not both|but not both|, not both|, but never both|but never both|( but not both )|not both|"
    ", but not both at the same time|, but not both at once|, never both|( not both )|"
    "[,] never both and/or never/nor neither|[,] [but] not both and/or not neither|[,] [but] never both or neither|"
    "[,] [but] not both and not neither|[,] neither both nor none"
)

# ---- duplicates of whole rows --------------------------------------------------------------------------------------
NO_SUCH = (
    "find all|list all|show all|report all|there shall not be any|we never want any|we never want|"
    "no|there must be no|there should be no|there must not be any|do not allow|do not allow any|flag|flag any|"
    "flag all|report|reject|find|there should not be any|there may be no|we do not want|report any|reject any|"
    "there can be no|disallow|forbid|flag fully|show|list|there must not be|detect|there shall be no|"
    "there should not be|there may not be|there can not be any|there can not be|there may not be any|there be not any|"
    "there be no|we do not accept|we do not allow|we do not want any"
)

APART_FROM = "apart from|except for|leaving aside|leaving out|ignoring|disregarding|not counting|aside from|other than"
DUPLICATE_ROWS = (
    "duplicate row|duplicated row|duplicate|duplicate record|duplicated record|duplicate entry|"
    "identical/repeated row/record/entry|"
    "completely/fully/exactly/entirely identical/duplicate/duplicated row/record/entry|"
    "exact duplicate|full duplicate|exact duplicate row/record/entry"
)
DUPLICATE_ROWS_ONLY = (
    "duplicate/duplicated/identical/repeated/double row/record/entry|exact/full duplicate|"
    "completely/fully/exactly/entirely identical/duplicate/duplicated row/record/entry"
)
COMPLETELY_ALIKE = (
    "identical/equal/alike/the_same in every/each column/field|equal/alike/the_same in all columns/fields|"
    "with the same values in all/every columns/column|"
    "identical|completely identical|fully identical|exactly identical|exactly alike|exactly the same|alike|"
    "entirely identical|completely the same|the same in all columns|identical in all columns|the same in every column"
)
IDENTIFY = "identify|belong to|be assigned to|stand for|be used by|refer to|denote|be given to|designate"
EXACTLY_ONE = "exactly one|only one|one|just one|a single|at most one|no more than one|one and only one"

BE_ONE_VALUE = (
    "be the same|be always the same|be identical|be equal|always be the same|stay the same|be constant|not vary"
)
IN_ALL = "for all|in all|across all|for every|in every|for each|throughout all|over all|within all|among all"
OF_ONE_GROUP = (
    "of a|of one|of the same|of each|with the same|in a|in one|in the same|from the same|of any|sharing a|per"
)
STAND_UNDER = (
    "be listed under|be listed in|be in|have|belong to|be assigned to|appear under|appear in|be recorded under|"
    "be under|"
    "be filed under|be put in|be classified as|be recorded with|appear with|be listed with|be sold under|fall under"
)
TWO_DIFFERENT = (
    "two different|two|several|several different|more than one|different|multiple|multiple different|2 different|"
    "more than one different|various"
)
NOT_COUNTING = (
    ", not counting|not counting|, leaving out|leaving out|, excluding|excluding|, without counting|, not including|"
    "not including|, ignoring|( not counting|( excluding|( without|, except for|, apart from|, disregarding|, without|"
    "( not including|( leaving out|, leaving aside|disregarding|, except|except|except for|apart from|, other than|"
    "other than|, but not|, not|without"
)
LEFT_OUT_BEHIND = (
    "excluded|not counted|left out|not included|aside|apart|excepted|ignored|disregarded|left aside|not considered|"
    "set aside|put aside|be excluded|be not counted|be left out|be ignored|do not count|not counting"
)
OF_ONE = (
    "of one|of a single|of each|of every|of any|of the same|by one|by the same|of any one|by a single|per|by each|"
    "from/on/for/at one/the_same/a_single|from each"
)
USED_FOR = (
    "be used/needed/given/issued for|be used/found/listed/printed/seen on|appear/occur/be on|appear in|work for|"
    "be assigned to|belong to|be used in"
)
ACTIVE_IN = (
    "be active in|be listed in|work in|work at|operate in|be registered in|have|"
    "be in|sell in|be at|be active at|be employed at|be stored in|be seen in|list in|play for|"
    "be involved in|"
    f"{USED_FOR}|"
    "use|be enrolled in|"
    "come/go/run/be_made/be_done/be_booked/be_paid/happen through/via/by/from/on|be spread over|be spread across|"
    "involve|contain|cover|be stored at|span"
)
IS_THE_KEY = (
    "be the primary key|be the key|be a primary key|be our primary key|be a key|be the identifier|be an identifier"
)
CAME_AS_TEXT = (
    "come in as text|be delivered as text|be stored as text|arrive as text|be text|be imported as text|"
    "be a text column|"
    "be loaded as text|come as text|be kept as text|be given as text"
)
IS_A_PERCENTAGE = "be a percentage|be percentages|be a percent value|be in percent|be given in percent"
SO_IT = (
    ", so|, so it|, so they|, so every value in it|- every value in it|and|but|, but|, and|- every value|"
    "– every value in it|"
    ", so every value|- it|, therefore it|, but it|and it|but it|; it|; every value in it|, every value in it|"
    ", thus it|"
    "so it|, hence it|, but every value in it|, and every value in it|so every value in it"
)
WRITTEN_AS = "written as|in the format|in the form|formatted as|written in the form|in format|given as|of the form|as"
MEANING = ", meaning|, i.e .|( meaning|( i.e .|, that is|, that is ,|, which means|, i.e . ,|( that is"
MAY_BE = "may|can|should|must|could|might|shall"
STAND_IN = (
    "[ever] show up on/in/for/with/at|turn up on/in/for/with|be found on/in/for/with|"
    "be stored/entered/recorded for/on/in|"
    "be used with|occur/appear for/with/at|be known for|be there for|exist for|"
    "be used by|be used for|be used in|appear on|appear in|occur on|occur in|belong to|be assigned to|be given to|"
    "be on|"
    "be shared by|be held by|be used on|be listed on|be linked to|be registered for|be attached to|be registered to|"
    "be in|show up on/in/for|be found on/in/for|be given on|be recorded on/in/for|be entered on/in/for|"
    "be taken by|be owned by|be carried by|stand on/in/for|be seen on/in|be connected to|be associated with"
)
MORE_THAN_ONE_ROW = "more than one|two|2|several|multiple|two different|different|more than a single|two or more"
WITHIN_A_GROUP = (
    "for a given|for any given|for any|for a single|"
    "within|within each|within every|within one|within a|inside a|inside each|in each|in every|in one|per|for each|"
    "for every|in any one|within the same|in the same|for one|for the same|at each|at every|on each|on every"
)

COULD_YOU = (
    "could/can/would/will you|could/can/would/will you please|could/can we|could/can we please|"
    "i would like you to|we would like you to|i want you to|we want you to|let us|your job is to|please|"
    "would you mind to|can someone|could someone|could somebody|can somebody"
)
# ---- questions ----------------------------------------------------------------------------------------------------
EACH_ONE = "every|each|all|all the|all of the|every single|each of the"
ARE_THERE = "be there any|be there|be there a|do we have any|do we have|be there some|have we any|have we got any"
NONE_OF_THOSE = (
    "there should not be any|there must not be any|there should be none|there must be none|that should not happen|"
    "that must not happen|that must never happen|that should never happen|that can not be|that be not allowed|"
    "that be an error|this should not happen|this must not happen|there may not be any|there can not be any|"
    "that be wrong|that be impossible|not allowed|never|that be a mistake|those be errors|these be errors|"
    "there can be none|there may be none|we do not want any|we do not want that|that must not be|"
    "there should/must/may/shall/can not be|there should/must never be [any]|there had better not be [any]"
)
LIST_THEM = (
    "flag them|flag them please|please flag them|list them|list them please|please list them|report them|show them|"
    "please report them|show them to me|flag those|list those|please show them|mark them|find them"
)

# ---- two roles ----------------------------------------------------------------------------------------------------
WITH_ITSELF = (
    "play/compete/fight against|play/compete/trade/fight with|play|face|fight|meet|transfer to|pay|fly to|send to|"
    "be matched against|be paired with|be connected to|be linked to|connect to|send money to|transfer money to"
)

# ---- what is counted ----------------------------------------------------------------------------------------------
COUNTED_BY = (
    "allow|offer|support|admit|fit|host|feed|serve|permit|include|play|run|work|drive|travel|spend|consume|"
    "score|seat|employ|burn|cover|use|weigh|earn|charge|hold|emit|draw|take|carry|contain|"
    "be contracted for|be employed for|be scheduled for|be booked for|be paid for|be charged for|be hired for"
)

# Verbs of how a thing is kept; what is said of it is the number behind them.
KEPT = "store|keep|hold|carry|transport|cool|freeze|heat|warm|refrigerate|ship|transfer|maintain|bottle|pack|serve"
AT_A_TEMPERATURE = "at|at a temperature of|at temperature of|with|in"

# ---- the same again ------------------------------------------------------------------------------------------------
THAT_IS = (
    ":|, i.e .|( i.e .|, that is ,|, that is|, i.e|- i.e .|, in other words|, so|; i.e .|, i.e . ,|, meaning|"
    ", meaning that|"
    ", which means|, which means that|, that means|, in short|( i.e|, therefore|, hence|(|-|–|, in short :|, that is :"
)
WE_NEED = (
    "require|need|we need|we require|demand|we want/need/have to know|we must/should know|we want to have|"
    f"we want to see|{SOMEBODY_WANTS}"
)
LIST_OF_ROWS = "list|catalogue|catalog|register|registry|database|system|inventory|directory|file|dataset|table"
HOLD_ROWS = "hold|contain|have|include|list|count|comprise"
NOTHING_ABOVE = "nothing/never/no/not more/above/higher/over/beyond/longer/later|no more than that|not more than that"
NOTHING_BELOW = "nothing/never/no/not less/below/lower/under/shorter/fewer/earlier|no less than that|not less than that"
IS_FINE = "be fine|be ok|be okay|be allowed|be tolerated|be accepted|be acceptable|be still fine/ok|may remain"
AFTERTHOUGHT = ";|,|, and|and|, so|. |–|-|(|, but|, while|: "
TOO_MANY = (
    "be [already/one/far] too many|be [already] too much|be [already] one too many|be too few|be too little|"
    "be too high|be too low|be too short|be too long"
)
MORE_OF_IT = (
    "longer|higher|larger|bigger|greater|later|more|heavier|further|farther|"
    "anything/everything more/above/beyond/over/longer/higher/later"
)
LESS_OF_IT = (
    "shorter|lower|smaller|less|fewer|earlier|lighter|anything/everything less/below/under/shorter/lower/earlier"
)
OLDER_ONES = "older|anything/everything older"
OTHER_ONES = "other|another|different|all/any/every other|others|all others|anything/everything else"
ONES = "one|value|text|date|stay|number|entry|code|ending|amount"
WE_DO_NOT_TAKE = "we do not accept/allow/take/want"
EQUAL_IS_FINE = "equal values|equality|equal|the same value|the same moment"
THE_SAME_DAY_IS = "[both] on the same day|the [very] same day/date|[on] that [very] day itself|on the day itself"
MAY_BE_EQUAL = "[both/they] may/can [also] be equal/the_same/identical|[both/they] may/can [also] be on the same day"
THAT_VALUE = "it|they|this|these|the value|that value|this value|this field|the field|that field|this column|the column"
BECAUSE = (
    "because|, because|so that we/they/it/you/nobody|, so that we/they/it/you/nobody|in order to|, in order to|"
    "to avoid|"
    ", to avoid|due to|, due to|- because|– because"
)
BY_LAW_BEHIND = (
    ", this is required by law|, this is the law|, by law|, as required by law|, as the law requires|"
    ", this is a legal requirement|, this is mandatory by law|, that is the law|, as agreed|, as documented|"
    ", per policy|as per policy|[,] for legal/tax/audit/compliance/security/safety/privacy reasons|"
    ", this is our policy|, this is company policy"
)
BY_LAW = (
    "by law ,|as agreed ,|per policy ,|as per policy ,|according to our/the policy/law/contract/rules/guidelines ,|"
    "for legal/tax/audit/compliance/security/safety reasons ,|for privacy reasons ,|by law|as required by law ,|"
    "as a matter of policy ,|by contract ,|by definition ,|by definition|for compliance ,"
)
SINCE = ", since|, as|- since|– since|( since|( because"
BECAUSE_AHEAD = "because|since|as|given that|considering that|due to the fact that|seeing that"
CONSEQUENTLY = (
    ", so|, and so|, therefore|; therefore|, and therefore|, hence|; hence|, and hence|, thus|; thus|, which is why|"
    ", that is why|; that is why|, this is why|, so that|, consequently|; consequently|, for this reason|; so|– so|"
    "- so|, for that reason|; for this reason|, as a result|, accordingly|, so please|; as a result"
)
OR_ELSE_IT_HAPPENS = (
    ", otherwise|; otherwise|, as otherwise|because otherwise|, or else|- otherwise|– otherwise|, or we/they/it|"
    ", because otherwise|, since otherwise|, or otherwise|; or else"
)

# ---- distance -----------------------------------------------------------------------------------------------------
DEVIATE = (
    "deviate from|differ from|be off from|diverge from|vary from|be different from|depart from|be apart from|"
    "stray from|lie away from"
)

# ---- sentences ----------------------------------------------------------------------------------------------------
IGNORING = (
    "ignore|ignoring|excluding|disregarding|not counting|allow|allowing|except for|skip|skipping|except|"
    "disregard|leaving out|apart from"
)
ALLOW_MISSING = (
    "null allowed|null ok|missing allowed|may be missing|nullable|optional|may be null|may be empty|if present|"
    "if given|when present|it may be missing|can be null|can be missing|where present|can be empty|"
    "may be left empty|if any|nulls are fine|nulls ok|when given|where given|if it is given|if not null|"
    "when not null|unless missing|if set|when set|nulls allowed|they may be missing|it can be null|if available|"
    "it is optional|unless it/they be missing/null/absent|unless it/they be not given/set/known/filled"
)
MISSING_THINGS = (
    "empty|blank|rows with missing|rows without|null values in|nulls in|records without|those without|"
    "missing values in|if missing ,|rows with null|rows with a missing|those with missing|the missing|"
    "rows with no"
)
THINGS = "value|one|entry|null|nan|missing value|them|row|record|missing|blank|empty value|missing one|na|null value"
MAY_BREAK_THIS = (
    "may break this|may violate this|may violate this rule|may fail|may break the rule|may violate the rule|"
    "violations are allowed|violations are tolerated|of rows may break this|exceptions are allowed|"
    "rows may break this|row may break this|rows may violate this|of rows may violate this|"
    "exceptions are tolerated|exceptions allowed|violations allowed|exceptions|of the rows may break this|"
    "of rows may fail|of the rows may fail|rows may fail|may be wrong|may deviate|of rows may be wrong|"
    "violating rows are allowed|exceptions are accepted|exceptions are ok|failures are allowed|"
    "of the rows may violate this|of the rows may be wrong|exception is allowed|of exceptions|exception|"
    "exception allowed|violations are acceptable|violations are accepted"
)
MAKE_UP = "make up|account for|represent|constitute|be"
OF_ROWS = (
    "of rows|of cases|of the rows|of all rows|of the cases|of the time|of all cases|of orders|of records|of the records"
)
THEN = ",|, then|then|:|, it must hold that|, that|, we require that|, the rule is that"
AT_ALL = (
    "at all|at any time|in all cases|without exception|, always|at all times|under any circumstances|"
    ", without exception|, no exceptions|anywhere|at any point|in any row|ever|too|also|as well|, too|"
    "please|, please|though|, though|, of course|, ever|yet|for everyone|for everybody|for all|"
    "for all of them|"
    ", we never make exceptions|, we make no exceptions|, no exception|, no excuses|for any of them|for each of them|"
    "in the data/dataset/database/system/file|in our data/database/system/books/records|on record|anywhere in the data|"
    "in/within this data/dataset/database/file/table/list/sheet/extract"
)
EXCEPT_FOR = (
    "except for|except|except in|apart from|other than for|with the exception of|save for|excluding|but not for|"
    "not including|unless it is"
)

# ---- symbols ------------------------------------------------------------------------------------------------------
NOT_NULL_FUNCTION = (
    "not_null|notnull|not null|required|non null|mandatory|present|mandatory fields|required fields|"
    "mandatory columns|required columns|must be filled|must not be null"
)

# ---- values -------------------------------------------------------------------------------------------------------
TODAY = (
    "today|today 's date|the current date/day|current date|the present day|the date of today|the day of the run|"
    "current_date"
)
NOW = (
    "now|the current time/moment/timestamp|the present|the current date and time|right now|the present time|"
    "the time of the check|current_timestamp"
)

# ---- whole tables -------------------------------------------------------------------------------------------------
NOT_EMPTY_TABLE = "be non empty|contain data|have data|contain at least one row_|be not empty"
WE_HAVE = (
    "we have|we sell|we offer|we operate|we run|we own|we keep|we must have|we should have|we know|we should know|"
    "there be|"
    "we always have|we need to have|we expect|expect|we want|we need|we should always have|there must always be|"
    f"there must be|there should be|there should always be|our/the company/system/database have|{SOMEBODY_WANTS}"
)
HOLD_SO_MANY = "have|contain|hold|include|count|comprise|consist of|need|require"
WE_EXPECT = "we expect|we want|there must be|there should be|there may be|we need|there can be|expect"
NUMBER_OF_DISTINCT = (
    "number of distinct|number of different|number of unique|distinct count of|count of distinct|"
    "number of distinct values of|number of distinct values in|number of unique values in|"
    "number of different values in"
)
SHARE_OF = (
    "the share of|the proportion of|the fraction of|the percentage of|share of|proportion of|percentage of|"
    "fraction of|the percent of|the ratio of|the part of|the portion of|the quota of|portion of|quota of|"
    "the relative number of|the percentage share of"
)
MUST_HAVE_COLUMNS = (
    "contain|include|carry|comprise|"
    "must/should/shall/has_to/needs_to [always] have/contain/include/carry/comprise/hold|"
    "always have/contain/include|need|require|must/should/shall come with|"
    "must have|should have|have to have|must contain|have|needs|must include|should contain|needs to have|"
    "shall have|needs to contain|has to contain"
)
MUST_NOT_HAVE_COLUMNS = (
    "must/should/shall/may/can not have/contain/include/carry|must/should/shall/may never have/contain/include/carry|"
    "must not have|should not have|must not contain|may not have|may not contain|should not contain|can not have"
)
COLUMN_NAMED = (
    "a column|the column|the columns|columns|column|a column named|a column called|the columns :|columns :|"
    "a field|the field|the fields|a column by the name"
)


# ---- used in several places -------------------------------------------------------------------------------------
TO_BE_BAD = (
    "be|be considered|must be considered|count as|be treated as|be to be treated as|should be considered|"
    "be seen as|constitute|be regarded as|should be treated as|must be treated as|be deemed|look|seem|appear|"
    "seem to be|appear to be|look like|be always|be simply|be surely|be most likely|be probably|be very likely|"
    "be almost certainly|be likely|be certainly|be usually|must be|"
    "must/should/shall/will/have_to be treated/considered/regarded/seen/counted/reported/flagged/marked/handled as|"
    "shall be|should be|will be|shall/should be considered|will count as|shall/should/must count as|must be deemed|"
    "mean|signal|point to|be a sign of|"
    "shall/should/must/will/can be treated/considered/regarded/counted/seen as|shall be deemed|shall be considered|"
    "have to be considered|have to be treated as|shall count as|shall constitute"
)
WHERE_IT_LIES = (
    "have occurred|have happened|have taken place|lie|fall|range|be located|vary|occur|be dated|happen|"
    "take place|be set|be situated|stay|remain|come|be reported|start|stand|be recorded|have to lie|hover|move|"
    "amount to|be_held|begin|end|be measured|be numbered|run|go|make up|account for|be given|represent|"
    "be counted|be expressed|"
    "be entered/recorded/typed/noted/put_in as|be entered/typed in the form|be given/stored/written/set/kept as"
)
BE_FINE = (
    "[at_most/either_way/in_either_direction] be permitted/tolerated/allowed/accepted/fine/ok/okay/acceptable|be ok|"
    "be okay|be fine|be allowed|be tolerated|be accepted|be acceptable|allowed|tolerated|ok|okay|is fine|either way|"
    "in either direction|at most|or less"
)
TOLERANCE = (
    "[with/allowing/allowing_for/accepting/tolerating/permitting] [a/any/some] difference/deviation/discrepancy/gap/"
    "tolerance/margin/slack of_up_to/of_at_most/of_no_more_than/of_not_more_than/up_to/of/within|"
    "a difference of up to|a difference of at most|a deviation of up to|differences of up to|a rounding difference of|"
    "a rounding difference of up to|but a difference of up to|rounded to|a tolerance of|up to|"
    "within|±|+/-|rounding tolerance|rounding tolerance of|rounding error|"
    "with a tolerance of|up to a tolerance of|tolerance|with tolerance|to within|give or take|"
    "plus or minus|within a tolerance of|tolerance of|with an accuracy of|allowing a difference of|"
    "allowing a tolerance of|with a maximum difference of|up to a difference of|with a precision of|"
    "up to a rounding error of|with at most a difference of|up to rounding of|"
    "allowing for a rounding difference of|allowing differences up to|with a margin of|within a margin of|"
    "tolerance :|with a deviation of at most|with a difference of at most|allowing a deviation of|"
    "with rounding tolerance|with rounding tolerance of|with a rounding tolerance of|allowing"
)
PER = (
    "per|for each|for every|by|within each|in each|of each|within|across each|for any|for a given|for a|"
    "for the same|within the same|of the same|in any|of every|for one|in the same|with the same|sharing the same|"
    "in a|of a|within a|in an|within an|on an|for an|for any given|each|every|on each|on the same|in one|on any|"
    "during the same|on one|on a|"
    "during one|on any given|during each|in any given|on a given|a|on the very same|at the same|for each given|"
    "inside the same|into the same|to the same|at one|within one|within a single|within any|"
    "within any one|in a single|in any one|in any single|on a single|on any single|on every|in the course of one|"
    "in the course of a|over one|in one single|within one and the same|in every|dated the same|dated on the same|"
    "dated to the same|dated|dated on one|for one and the same|on that same|on one and the same"
)
HOLDS = (
    "cover|comprise|consist of|look after|take care of|care for|"
    "place|make|own|create|be|submit|hold|issue|generate|attend|take|log|record|book|open|file|produce|send|post|"
    "enter|appear in|occur in|be involved in|receive|buy|visit|use|be assigned to|undergo|write|do|perform|"
    "host|serve|enrol in|enroll in|be enrolled in|be registered for|work on|register|report|apply for|start|run|"
    "be linked to|schedule|require|take out|check out|hand out|give out|pick up|redeem|be issued|be given|"
    "be prescribed|"
    "be sent|be awarded|be granted|borrow|rent|dispense|claim|need|"
    "be planned for|be scheduled for|be booked for|be responsible for|be in charge of|be on duty for|carry out|execute|"
    "manage|supervise|complete|have to do|be planned in for|be rostered for|work|sit|sit for|bring|"
    "bring in|send in|raise|lodge|join|play|fly|operate|drive|ride|teach|lead|see|examine|conduct|give"
)
MUST_NOT = (
    "must not|may not|should not|can not|must never|may never|can never|should never|shall not|be not allowed to|"
    "be not permitted to|never|shall never|do not|be never allowed to"
)
COUNT_AS_THE_SAME = (
    "count/counting as the same|be the same|be considered the same|be treated as the same|be considered equal|be equal|"
    "be treated as equal|be considered identical|mean the same|be to be treated as the same|be duplicates|"
    "count as duplicates|be considered duplicates|count as equal|count as identical|be also considered the same"
)
IGNORING_CASE = (
    ", independent of upper and lower case|independent of case|, independent of case|independently of case|"
    ", whether/no_matter_whether [written] in capitals or not|, capitalisation aside|, capitalization aside|"
    "regardless of capitals|regardless of capitalisation|regardless of capitalization|, regardless of capitals|"
    "no matter whether [written] in capitals or not|whether in capitals or not|in whatever case|, case aside|"
    "ignoring case|ignoring upper and lower case|case insensitively|regardless of case|irrespective of case|"
    "not case sensitive|case insensitive|ignoring the case|ignoring upper/lower case|"
    "regardless of upper and lower case|without regard to case|up to case|disregarding case|"
    "ignoring capitalisation|ignoring capitalization|, ignoring case|, ignoring upper and lower case|"
    ", regardless of case|, case insensitively|( case insensitive )|( ignoring case )|, irrespective of case|"
    ", case insensitive|, without regard to case|irrespective of upper and lower case|no matter the case|"
    "no matter how it/they be capitalised/capitalized/written_in_upper_or_lower_case|"
    ", no matter how it/they be capitalised/capitalized|"
    "no matter upper or lower case|case does not matter|case do not matter|( case do not matter )|, case do not matter|"
    "( upper/lower case do not matter )|( upper / lower case do not matter )|, no matter the case|"
    "( regardless of case )|( case is irrelevant )|whatever the case|without distinguishing upper and lower case|"
    ", even if/when upper and lower case differ|even if/when upper and lower case differ|"
    ", even if/when [only] the case differ|, even if/when they/it differ in case|"
    "( case be ignored )|( case be irrelevant )|, case be ignored|, regardless of upper or lower case|"
    "regardless of upper or lower case|, regardless of upper and lower case|, whether it be written in capitals or not|"
    "whether it be written in capitals or not|, whether written in capitals or not|, ignoring upper or lower case|"
    ", irrespective of upper and lower case|, irrespective of upper or lower case|, disregarding case|"
    ", disregarding upper and lower case|, upper and lower case do not matter|"
    ", no matter whether in upper or lower case|"
    ", no matter if upper or lower case|, ignoring capitalisation|, ignoring capitalization|"
    "[when] compared case insensitively|, [when] compared case insensitively|, compared case insensitively ,|"
    "[when] compared without regard to case|, compared without regard to case ,|, ignoring case ,|"
    ", regardless of case ,|, without regard to case ,|, irrespective of case ,|when case be ignored/disregarded|"
    "when/if/where/once we ignore/disregard [the] case|when/if we ignore/disregard upper and lower case|"
    ", [when] compared without regard to case|"
    "when compared ignoring case|when compared regardless of case|when upper and lower case be ignored/disregarded|"
    "if case be ignored/disregarded|, even in different case|even in different case|not even in different case|"
    ", even with different capitalisation/capitalization/case|, not even with different capitalisation/case|"
    ", not even with different capitalization|even if the case differ|, even if the case differ|"
    ", even if they differ in case|case insensitive be enough"
)
CASE_ASIDE = (
    "ignoring|disregarding|regardless of|irrespective of|independent of|independently of|no matter|without regard to|"
    "whatever|not considering|without looking at"
)
LETTER_CASE = (
    "[the] case|upper / lower case|upper and/or lower case|lower and/or upper case|upper and/or lower case letters|"
    "uppercase and/or lowercase|capital and/or small letters|capitalisation|capitalization|[the] letter case|"
    "[the] case of [the] letters|differences in case|case differences|upper case and/or lower case|"
    "small and/or capital letters|its/their upper or/and lower case|big and/or small letters|"
    "capitals and small letters|capitals|capitals or small letters|letter case"
)
WHETHER_WRITTEN = (
    "no_matter/regardless_of/irrespective_of whether/if it/they be written/spelled/spelt/typed/entered/given|"
    "and it/that make no difference whether/if it/they be written/spelled/spelt/typed/entered|"
    "it/that make no difference whether/if it/they be written/spelled/spelt/typed/entered|"
    "and it/that do not matter whether/if it/they be written/spelled/spelt/typed/entered|"
    "no_matter/regardless_of/irrespective_of whether/if/how written/spelled/spelt/typed/entered/given|"
    "whether it/they be written/spelled/spelt/typed/entered/given|whether written/spelled/spelt/typed/entered/given|"
    "no matter whether|no matter if|whether"
)
IN_LETTERS = (
    "in upper or lower case|in lower or upper case|in uppercase or lowercase|in lowercase or uppercase|"
    "in capital or small letters|in small or capital letters|in capitals or not|with capitals or without|"
    "in upper case or lower case|in upper case or in lower case|in capitals or in small letters|"
    "in capital letters or not|upper or lower case|in capitals or in lower case|in upper case or not|"
    "in capital letters or small letters|in capital letters or in small letters|in small letters or capital letters|"
    "with capital or small letters|big or small|in big or small letters"
)
AT_LEAST_ONE_OF_TWO = (
    "or both|, or both|( or both )|, at least one of the_two/them|( at least one of the_two/them )|"
    "- at least one of the_two/them|– at least one of the_two/them|, one of the two at least|or both of them|"
    ", or both of them|, at the very least one of the_two/them|; at least one of the_two/them"
)
AT_THE_SAME_TIME = "together|both together|at the same time|at once|simultaneously|at one and the same time"
BUT_IT = (
    ",|-|–|—|;|:|.|, it|, they|- it|- they|– it|; it|; they|. it|. they|, but|, but it|, but they|but|but it|but they|"
    "although it|although they|, although it|, although they|though it|, though it|, although|although|: it|: they"
)
THE_SAME_ROW = (
    "the [exact/very] same row/record/entry/line|one and the same row/record|an identical row/record|a row/record"
)
UNLIKE_OTHER_ROWS = (
    "be different from/than every/any other row/record|be different from all other rows/records|"
    "differ from every/any other row/record|differ from all other rows/records|"
    "differ [from_each_other/from_one_another]|be different [from_each_other/from_one_another]|be pairwise different"
)
ALIKE_ROWS = (
    "[any/two] rows/records/entries that/which be [completely/fully/exactly/entirely/totally] identical/alike|"
    "[any/two] rows/records/entries that/which be [completely/fully/exactly] the same|"
    "[any] two/several/multiple [completely/fully/exactly] identical rows/records/entries|"
    "the same row/record/entry twice|"
    "the same row/record/entry more than once|the same row/record/entry several times|"
    "the exact/very same row/record/entry/line twice/repeatedly/more_than_once/several_times/multiple_times|"
    "exactly the same row/record/entry/line twice/repeatedly/more_than_once/several_times/multiple_times|"
    "[any] rows/records/entries more than once|[any] rows/records/entries twice|any row/record/entry twice|"
    "any row/record/entry more than once|exact/full/complete copies|"
    "[any/two] rows/records/entries that/which be identical/the_same/alike/equal in all/every columns/column/fields"
)
EXACT_COPIES = (
    "exact/full/complete copies of each other|exact/full/complete duplicates|duplicates of each other|"
    "[exact/full/complete/identical] copies/duplicates of one another|exact/full/complete duplicates of each other|"
    "[exact/full/complete/identical] copies/duplicates of another row/record/entry"
)
SAME_IN_ALL = (
    "the_same/identical/equal values/value/content/contents/entries/data in/for all/every/each [the] columns/column|"
    "the_same/identical/equal values/value/content/contents/entries/data in/for all/every/each [the] fields/field|"
    "the_same/identical/equal values/content/contents/entries throughout|"
    "all columns/fields/values identical/equal/the_same|the same values everywhere|all values in common"
)
_ENTERED = "entered/recorded/logged/stored/saved/listed/booked/registered/imported/loaded/there"
ENTERED_TWICE = f"be {_ENTERED} twice/more_than_once/two_times|have been {_ENTERED} twice/more_than_once/two_times"
THAT_IS_ROWS = (
    "that is , rows that be|i.e . rows that be|that is rows that be|meaning rows that be|meaning that they be"
)
BELONGS_SOMEWHERE = (
    "have|share|show|carry|use|belong to|come from|be from|be in|be at|be of|be on|stand for|refer to|map to|"
    "correspond to|point to|lead to|lie in|go to|go with|imply|mean|denote|indicate|determine|work for|work in|"
    "report to|be sent/shipped/delivered/dispatched/taken/picked/supplied/bought/issued from/by/to/in/at/with|"
    "be made/produced/built/manufactured/printed/written/handled/processed/served/treated/packed by/in/at/with|"
    "be assigned/linked/mapped/attached/tied/allocated/billed/invoiced/charged to|"
    "be sold/booked/ordered/paid by/in/at/to/through/via|"
    "be stored/kept/held/located/placed/filed/listed/registered/recorded/based/employed/loaded in/at/under/on/with|"
    "be associated/connected/labelled/marked with|happen in|happen at|take place in|take place at"
)
THE_SAME_ONE = (
    "exactly one|only one|one and the same|the same|just one|a single|one and only one|one single|the very same|"
    "precisely one|at most one|no more than one|only a single|the same one"
)
WE_HAVE_THEM = (
    "we [actually/really/currently] have|we [actually/really/currently] have on file/record|"
    "that exist/be_there|that we [actually/really/currently] have|actually/currently/really recorded/stored|recorded|"
    "stored"
)
BOTH_BE = "both be|be both|be either both|both|all be|be all|be either all|must both be|should both be|must be both"
OR_BOTH_BE = (
    "or both be|or both|or all be|or all|or be both|or must both be|or should both be|or else both be|or else both"
)
OR_NEITHER = (
    "or neither|or none|or neither be|or none be|or neither of them|or neither of the two|or not at all|or neither one|"
    "or neither of the two be|or none of them|or none of them be|or neither of them be|or neither one be|"
    "or neither/none be given/filled/set/present/filled_in/known"
)
ONE_WITHOUT_THE_OTHER = (
    "one must/may/can/should not be given/filled/set/present/filled_in without the other|one never without the other|"
    "never one without the other|no one without the other|not one without the other|both or neither|both or none|"
    "either both or neither|either both or none|one must not exist without the other|none without the other"
)
NO_DUPLICATES_IN_SHORT = (
    "no duplicates [allowed/permitted/please]|duplicates not allowed|no double/repeated values|no repeats|no two alike|"
    "no two the same|each only once|duplicates be not allowed|without duplicates|never the same twice|no value twice"
)
DOES_NOT_MATTER = (
    "do not matter|be irrelevant|make no difference|do not count|be ignored|do not make a difference|be not relevant|"
    "should be ignored|play no role|be treated alike"
)
NO_MORE_NO_LESS = (
    "[,] no more and no less|[,] no more and no fewer|[,] neither more nor less|[,] no more , no less|"
    "[,] not more and not less|[,] no less and no more|[,] neither more nor fewer|[,] no more no less"
)
STANDS_IN = (
    "be in|exist in|be listed in|be found in|appear in|be registered in|be known in|be part of|be contained in|"
    "occur in|be on|be present in|be recorded in"
)
THAT_IS_NOT_IN = (
    "that/which/who be not in|that/which/who be not listed/found/registered/contained in|missing from|not in|"
    "not listed in|"
    "that/which/who do not exist/appear/occur in|that/which/who be missing from|that/which/who can not be found in"
)
HAPPEN = "exist|occur|happen|take place|made|placed|recorded|entered|done|booked|planned|scheduled|registered|there"
HAS_DUPLICATES = (
    "have [some/several/many] duplicates|contain [some/several/many] duplicates|have duplicate values|"
    "duplicated|duplicates"
)
IN_SOME_ROWS = "in some/several/many/a_few rows/cases|sometimes|again|today|at the moment|right now|currently"


# ---- occasions ----------------------------------------------------------------------------------------------------
IF_AND_ONLY_IF = (
    "if and only if|, if and only if|when and only when|exactly when|exactly if|precisely when|precisely if|iff|"
    "only and always if|always and only if"
)
ON_THE_SAME_DAY = "on|on the same day/date as|the same day/date as|on the very same day as|on the very day of"
THE_DAY_WHEN = (
    "the date/day/time/moment on/at which|the date/day/time/moment when|the date/day that|the date|the day|the time|"
    "the moment|the very day"
)
A_PERIOD = "period|phase|window|term|time"
IS_DONE = (
    "be/get taken/made/done/performed/given/received/conducted/recorded/placed/held/issued/granted|be carried out|"
    "have been taken/made/done/performed/given/received/conducted/recorded/placed/held/issued/granted|"
    "have been carried out|take place|have taken place|happen|occur"
)
AND_NEVER_BEFORE = (
    ", and never/not before it/that|, but never/not before it/that|and never/not before it/that|"
    "but never/not before it/that|, and never/not earlier|, but never/not earlier|and never earlier|but never earlier|"
    "( never before it )|( but not before it )|( and not before it )"
)

WHICH_IT_REFERS_TO = (
    "concerned|in question|involved|who it belongs to|whom it concerns|it concerns|"
    "it/they/he/she belong/refer/relate/correspond to|that/which it/they belong/refer/relate to|"
    "it/they be booked/made/placed/recorded/ordered/issued/taken/drawn/sold/given/assigned/linked on/for/from/in/to/by|"
    "it/they be part of|it/they come from|it/they be for|he/she/they work/live/stay for/in/at|"
    "to/on/for/from/in/by which it/they be/belong/refer/booked|"
    "to/on/for/from/in/by which it/they be booked/made/placed/recorded/issued/taken/assigned/linked|"
    "who/that/which have placed/made/created/issued/booked/submitted/ordered/sent/opened/filed it/them|"
    "who/that/which placed/made/created/issued/booked/submitted/ordered/sent/opened/filed/carries/handles it/them|"
    "assigned/belonging/responsible to/for it/them|behind it|it be assigned/given to"
)

WORK_ON = (
    "be assigned to|be put on|be used for|be planned for|be scheduled for|carry out|handle|treat|be in charge of|"
    "be responsible for|take part in|be booked for|be allocated to|deal with|take on|run|perform|do|get|receive"
)

# ---- the same of another ------------------------------------------------------------------------------------------
THE_SAME_GOES_FOR = (
    ", and the same goes/holds for|, the same goes/holds for|; the same goes/holds for|. the same goes/holds for|"
    ", and the same applies to|, the same applies to|; the same applies to|. the same applies to|"
    ", and the same is true of/for|; the same is true of/for|and the same goes/holds for|and the same applies to"
)
AND_NEITHER = (
    ", and neither must/may/should/can/shall|and neither must/may/should/can/shall|, neither must/may/should/can/shall|"
    "; neither must/may/should/can/shall|, nor must/may/should/can/shall|nor must/may/should/can/shall|"
    ", and nor must/may/should/can/shall|. neither must/may/should/can/shall|; nor must/may/should/can/shall"
)
AND_SO = (
    ", and so must/should/shall|and so must/should/shall|, as must/should/shall|; so must/should/shall|"
    ", and so do|. so must/should"
)

# ---- notes --------------------------------------------------------------------------------------------------------
WITHOUT_GAPS_IN_SHORT = (
    "no gap/gaps|without gap/gaps|gapless|gap free|no missing numbers|consecutive|no holes|without holes"
)
IN_THE_NUMBERS = (
    "in the sequence/numbering/series/numbers|in sequence/numbering/numbers|in between|between them|allowed|permitted"
)

# ---- days and multiples -------------------------------------------------------------------------------------------
STRAY = "stray|lie|be|fall|deviate|differ|be located|sit|stay|remain|vary|diverge"
OF_ONE_VALUE = (
    "[always] the same|identical|[always] equal|constant|[all] the same|all equal|all identical|one and the same"
)
WITHIN_ONE = (
    "within each|within one|within a|within the same|within any one|per|in each|for each|in one|for one|for any one|"
    "throughout each|throughout one|for every|in every|within every"
)
ONE_AND_THE_SAME = "one|a single|exactly one|only one|just one|a common"
BE_ALIKE = "be the same|be identical|be equal|be alike|agree|coincide|match|be one and the same"
VERY_SAME = "an identical|one and the same|the identical|the very same|identical|a common"
ARE_SPREAD = (
    "have|use|be|be kept/held/made/placed/booked/recorded/paid/denominated/registered/stored/listed|"
    "be spread/distributed|"
    "come|cover|show|span|occur|lie|include|contain|be from|be to|be sent|be shipped"
)
NO_FALL = "decrease|drop|decline|fall|reduction"
NO_RISE = "increase|rise|growth"
THE_SERIES_OF = "the sequence/series/numbering/run of [the]|the sequence of all|sequence of|numbering of"
GAPS_ARE_BAD = "gap/gaps in/between|a gap in|any gap/gaps in/between|holes in|missing numbers in"
VALUES_IN = "[a/any] value/values/entry/entries/data in [both]|something in [both]"
ON_THE_SAME = "on/in/for/of the same|on/in/for one and the same|on/in/for one|on/in/for any one|on/in/for a single"
NONE_IS_FINE = (
    "both/none/neither/all [be] empty/missing/null [be] ok/okay/fine/allowed/possible|"
    "neither/none [be] ok/okay/fine/allowed/possible"
)
AGE_AT = "on|at|as of|on the day of|at the time of|by|at the moment of|on the date of|when"
MORE_DUPLICATE_ROWS = (
    "completely/fully/exactly/entirely/totally duplicated/identical/repeated/equal row/record/entry/line|"
    "complete/full/exact/perfect duplicate/copy [row/record/entry/line]|repeated line|duplicate/duplicated line"
)
STANDS_THERE = (
    "be used in|be present in|be in|occur in|appear in|be found in|stand in|be contained in|be part of|exist in"
)
BY_THE_SAME = "by the same person/user/employee/colleague/one as|by the same person/user/employee/colleague|by"
BY_ANOTHER = (
    "by someone/somebody other/else than|by a different person/user/employee/colleague/one than/from|"
    "by another person/user/employee/colleague/one than|by anyone/anybody but|by anyone/anybody other than"
)
AND_ONLY_THEN = (
    ", and only then|and only then|, and only for them/these/those|and only for them/these/those|, and for no others|"
    "and for no others|, but for no others|, and nowhere else|, and only in this/that case|and only in this/that case|"
    ", and in no other case|, and for nobody else|, and only there|, but only then|, but not otherwise"
)
NO_ORPHANS = (
    ", no orphan/orphans|( no orphan/orphans )|, no dangling id/ids/reference/references|, no orphan/orphaned row/rows|"
    ", no unknown id/ids/key/keys|; no orphans|, no broken references"
)
NULL_FAILS = (
    ", null/nulls/missing/blank/blanks = fail/failure/error/violation|, null/nulls/missing fail|"
    "( null/nulls/missing = fail )|"
    ", null/nulls/missing not ok/allowed|( null/nulls not ok/allowed )|, no null/nulls/blanks|, not null|( not null )"
)
OR_NULL = ", or null/empty/missing/blank|( or null/empty/missing/blank )|; or null|( null/nulls/blanks allowed )"
GOING_BY = (
    ", based on|, going by|, judged by|, according to|( based on|( going by|( by|( judged by|, judging by|based on|"
    ", counted by|( counted by|, computed from|, as given by|, taken from|, as of|by|going by|according to|, by|"
    "by the|, by the|measured by|in terms of"
)
SAME_IN = (
    "the same/identical/equal value/values/entry/person/content/text/number/date/code/name in|the same in|"
    "the same thing in"
)
AND_WHEN = ", and|and|, but|but|, whereas|, while|;|; and"
SHORT_DAYS = "mon|tue|wed|thu|fri|sat|sun"
A_WORKDAY = "a working/business day|on a business day|on business days|a workday|on a working weekday|a working weekday"
A_MULTIPLE_OF = (
    "a/an [integer/whole/exact] multiple of|multiples of|multiple of|divisible by|evenly divisible by|"
    "divisible without remainder by|a number divisible by|only multiples of|always a multiple of|in multiples of|"
    "in steps of"
)
EVEN = "even|an even number|even numbers|always even|an even value|even only|even numbers only"
ODD = "odd|an odd number|odd numbers|an odd value|uneven|an uneven number"
# ---- values that are there -----------------------------------------------------------------------------------------
GIVEN_BEFORE = (
    "non empty|nonempty|non null|nonnull|non missing|non blank|nonblank|not null|not empty|not missing|"
    "filled in|filled|"
    "filled out|stated|recorded|entered|provided|specified|populated|actually given|supplied"
)
USED_IN = (
    "used/occurring/appearing in|that/which occur/appear in|"
    "that/which be used/mentioned/found in|referenced/referred_to/mentioned in/by|that/which be referenced in/by"
)
GIVEN_AFTER = (
    "that/which we [do/really/actually] have|we [do/really/actually] have|that/which be [really/actually] there|"
    "on file|on record|that/which be on file|that/which be on record|, where/when/if/whenever there be one ,|"
    ", where/when/if one be recorded/given/stated/entered/stored/known/provided/there/set/present/on_file ,|"
    ", where/when/if/whenever known/given/recorded/stated/entered/present/filled/provided/available/set ,|"
    ", where/when/if/whenever it be known/given/recorded/stated/entered/present/filled/provided/there/set ,|"
    ", unless it be missing/empty/blank/null ,|, unless missing/empty/blank/null ,|, if any ,|, if filled in ,|"
    ", if it be filled in ,|, when filled in ,|if there be one|where there be one"
)
MAY_STAY_EMPTY = (
    "be optional|be not mandatory|be not required|may/can/might be empty/missing/blank/null/absent/unknown/left_out|"
    "may/can/might be left empty/blank/out|may/can/might stay/remain empty/blank|need not be given/filled/recorded/set|"
    "need not be stated/entered/present/known/provided|need not be filled in|do not have to be given/filled/recorded|"
    "do not have to be stated/entered/present/known/provided/there/filled_in/set|be allowed to be empty/missing/blank|"
    "be not always given/filled/recorded/stated/known/there|be allowed to be null"
)
NEED_NOT_HAVE = "need not have|do not need|do not need to have|do not have to have|may come without|may be without"
OR_ELSE_IT = ", otherwise|; otherwise|. otherwise|, but otherwise|; but otherwise|otherwise|, else|, or else"
BUT_WHERE = (
    ", but if/when/where/whenever/once|; but if/when/where|but if/when/where/whenever|, and if/when/where/whenever|"
    "and if/when/where/whenever|; if/when/where/whenever|. if/when/where/whenever|, if/when/where|. but if/when/where"
)
IT_IS_GIVEN = (
    "it be given/filled/set/present/there/recorded/stated/entered/known/provided/available/specified/filled_in/not|"
    "it be not empty/missing/null/blank|there be one|one be given/recorded/stated/entered/there/set/present|it exist|"
    "given|filled|filled in|set|present|known|stated|recorded|not|it be on file|it have a value|"
    "they have one|he have one|she have one|it have one|they do|it do|one exist|we have one|we know it|"
    "they be given/filled/set/present/there/recorded/known"
)
VALUE_NOUNS = "id|value|number|address|text|code|entry|field|one|name|date|amount|key|reference"
BESIDE_THE_RULE = ";|.|,|(|, but|, and|but|-|–|, while|while|, whereas|; but|, though|; however ,|. but|and"
WITHOUT_A = (
    "without|that have no|which have no|with no|that do not have|that lack|lacking|that have not got|where there be no"
)
# Rows of which a value is not known, where nothing in the table is called by the verb.
NOT_RATED = (
    "unrated|ungraded|unscored|unanswered|unmeasured|unmarked|unspecified|unvalued|unweighed|unset|unassessed|"
    "unevaluated|unfilled|unrecorded|unknown|not rated|not yet rated|not graded|not yet graded|unreviewed"
)
MISSING_ONES = (
    "missing/empty/blank/null ones/values/entries/fields/cells|the missing/empty/blank/null ones|blanks|nulls|"
    "those that be missing/empty/blank/null|missing values|a blank/missing/null value|empty fields"
)
LEAVE_ALONE = (
    "ignoring|ignore|skip|skipping|leave out|leaving out|disregard|disregarding|not counting|do not list/flag/report|"
    "do not show/count/check/consider/include|excluding|exclude|leave aside|leaving aside|apart from|except for|"
    "we do not care about|we do not mind|never mind"
)
WE_JUST = "we|we just|we simply|we can"
LEFT_ALONE = (
    "skip|ignore|leave out|leave aside|do not care about|do not mind|be left aside/alone/out|be not concerned/affected|"
    "be not considered/counted/checked/judged/meant/included/covered|be no error/errors/violation/violations/problem|"
    "be no issue|be not an error|be not a violation|do not matter|be out of scope|be exempted|be all right|"
    "may be ignored/skipped|be of no concern|be disregarded|be acceptable|be alright|can stay|may stay"
)
THEY_MAY_BE_MISSING = (
    "it/they may/can be missing/empty/blank/null/left_empty|it/they may/can stay empty/blank|it/they be optional|"
    "it/they may/can be left empty/blank|it/they may/can also be empty/missing/blank/null"
)
APART_FROM_THESE = (
    "apart from|aside from|except for|leaving aside|leaving out|ignoring|disregarding|not counting|excluding|other than"
)
UNLESS_IT_IS_MISSING = (
    "unless/except_if/except_when it/they be missing/empty/blank/null/unknown/absent|unless missing/empty/blank/null|"
    "unless it/they be left empty/blank|unless it/they be not given/filled/known/set"
)
HAVE_IN_COMMON = (
    "have|share|use|carry|bear|hold|show|contain|get|receive|end up with|come with|go by|agree in|be given|be assigned|"
    "be issued|be stored with|be recorded with|be listed with|be entered with|be registered with|be identified by|"
    "appear with|occur with|exist with|be booked with|be filed under|run under"
)
ONE_OF_THESE = (
    "one of|one of the|one of these|one of the following|one of our|one of those|any of the|any of these|either of the|"
    "one out of the|exactly one of the|exactly one of these|among the|one among the"
)
SO_MANY_OF_THEM = (
    "two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|6|7|8|9|10|allowed|valid|possible|permitted|known"
)
KINDS_OF_VALUES = "values|value|options|states|codes|words|categories|entries|texts|kinds|choices|things|possibilities"
BUT_FOR = (
    "other than|except|except for|but|besides|apart from|different from|save|save for|aside from|outside|outside of|"
    "that be not|which be not|that be none of|beyond|excepting"
)
NO_VALUE_BUT = (
    "no value/values/entry/entries but/besides/except/other_than/apart_from/except_for/save|"
    "nothing but/besides/except/other_than/apart_from|no other value/values than|no other than|no values outside|"
    "no value outside|no other value/values but/except|nothing else than|nothing else but"
)
WRITTEN_DOWN_AS = (
    "set to|categorised as|categorized as|coded as|classified as|recorded as|stored as|entered as|given as|kept as|"
    "labelled as|labeled as|filled with|listed as|noted as|marked as|tagged as|registered as|put down as|"
    "written down as|assigned to|set as"
)
WE_ONLY_KNOW = (
    "we only know|we know only|we only have|we have only|we only use|we use only|we only accept|we only allow|"
    "we only offer|we only sell|we only support|we only distinguish|we only take|we accept only|we allow only|"
    "there be only|there exist only|we recognise only|we only recognise|we just have|we have just|there be just|"
    "we know just|we just know|we have exactly|there be exactly"
)
# What a business does with what it deals in; a verb that is a date or a value of the table says which rows are meant.
DEAL_IN = (
    "sell|resell|ship|ship out|deliver|send|send out|dispatch|issue|hold|offer|operate|run|fly|rent|rent out|"
    "lend|lend out|hire out|let|stock|carry|keep|store|handle|process|serve|teach|provide|support|make|produce|"
    "manufacture|grow|breed|insure|treat|test|analyse|analyze|examine|book|take bookings|bill|invoice|charge|"
    "price|quote|trade|trade in|deal in|deal with|work with|work in|cooperate with|buy|buy from|publish|print|"
    "record|register|employ|host|stage|show|play|organise|organize|schedule|transport|write|grant|award|measure|"
    "drive|collect|accept|take|use|allow|permit|have|admit|list|give|pay|do|make out|cover|train|roast|brew|bake|"
    "repair|clean|install|export|import|import from|translate|inspect|map|count|plant|cultivate|catch|mine|pick|"
    "pack|bottle|load|unload|route|start|land"
)
# What is to be sent there is said whether or not it has been sent yet.
SEND_TO = (
    "ship/deliver/send/dispatch/export to/by/with/via/through|ship_out/send_out to/by/with/via|deliver/ship/send using"
)
WITH_VALUE = "in|to|by|with|from|at|on|into|via|through|for|as|of|using|between"
# How a thing is where its value says: "our customers live in DE", "samples come from surgery".
STAND_THERE = (
    "live|come|originate|stem|hail|reside|go|travel|depart|leave|operate|sit|belong|be based|be located|be situated|"
    "be housed|be kept|be stored|be priced|be quoted|be sold|be offered|be made|be issued|be billed|be invoiced|"
    "be paid|be sent|be shipped|be held|be run|be served|be produced|be booked|be delivered"
)
NEVER_DO = "do not|never|must not|may not|can not|no longer"
AND_NO_OTHER = (
    ", never anything else|, never any other|, nothing else be allowed/accepted/permitted|"
    ", and no other|, and no other code/value/one|, and no others|and no others|and no other|, no others|"
    ", nothing else|"
    ", and nothing else|and nothing else|, any/every other value/one/code be wrong/invalid/an_error|, and that be all|"
    ", other values be wrong/invalid|; any/every other value/one be wrong/invalid/an_error|, others be wrong/invalid|"
    "; nothing else be allowed/accepted/permitted|and in no other way|, and in no other way|, in no other way|"
    ", and others be wrong/invalid|, but no other|, but no others|, but nothing else|, and no further ones"
)
BEFORE_NO_OTHER = "[;/,/.] [and/but] no other|[;/,/.] [and/but] there_be no other|[;/,/.] no further"
LOWER_LIMIT = "minimum|lower limit|lower bound|floor|minimum value|smallest value|lowest value"
UPPER_LIMIT = "maximum|upper limit|upper bound|ceiling|cap|maximum value|largest value|highest value|greatest value"
AND_ITS = (
    "and a|, and a|and its|, and its|, its|; its|and the|, and the|, a|and an|and their|, and their|and|, and|but a|"
    ", but a"
)
GRANT = (
    "grant|give|enter|record|have|use|apply|store|set|accept|allow|book|save|charge|keep|offer|register|"
    "put in|hand out|assign|issue"
)
SHOWN_AS = (
    ", like|like|, such as|such as|of the form|, of the form|in the form|, in the form|(|( like|( e.g .|"
    ", e.g .|, i.e .|:|"
    ", as in|as in|, for example|( for example|in the format|, in the format|( of the form|with the form|, that is"
)
WRITTEN_OUT = (
    "be written as|be given as|be entered as|be stored as|be recorded as|be kept as|be noted as|be in the form|be in|"
    "be written in the form|be in the format|be in the form of|be in a form like|be written with|be formatted as|"
    "be given in the form|be entered in the form|be in format|be given with|be typed as"
)
IN_ANOTHER_FORMAT = (
    "in any format other than|in a format other than|in any form other than|in a form other than|"
    "of any form other than|of a form other than|written in any other way than|of another form than|"
    "written other than as|written otherwise than as|not in the format|not in the form|not of the form|"
    "in another/any_other form than|"
    "in any/another/a_different other format/form/pattern/shape than|in any/another/a_different format/form than/from|"
    "of any/another/a_different other format/form/pattern than|of any/another/a_different format/form than/from|"
    "with another/a_different format/form than/from|with any other format/form than|in any other format than"
)
FOLLOWED_BY = (
    "followed by|and then|then|, followed by|and be followed by|be followed by|, then|, and then|"
    "and after it/that/them|"
    ", and after it/that/them|, after it/that|and continue with|, and continue with|, continuing with|continuing with|"
    ", and after it/that/them come|and after it/that/them come|, and after it/that/them come from|, after which come|"
    "and after it/that come from|, after that|after that|and then have|and then come|and then contain|, then have|"
    "then have|and then consist of|and continue in"
)
THERE_ARE_NONE = (
    "be recorded/stored/listed/entered/registered/known/there/given/present/found/on_file/available|exist|"
    "be recorded/stored/listed/entered/registered [in_the_system/for_it]|can be found|be assigned|be linked"
)
AT_OR_ABOVE = "at or above|at or over|above or at|over or at|no/not short of|no/not beneath"
AT_OR_BELOW = "at or below|at or under|below or at|under or at|at the most equal to|no/not beyond|no/not past"
CODE_OF = "a code of|codes of|a combination of|a string of|a text of|a sequence of|strings of|a series of|codes with"
SHORTER = "shorter than|less than|fewer than|under|below"
LONGER = "longer than|more than|over|above"
CHARACTERS = "character|char|symbol|letter|sign"
LONG = "long|in length|of length|in total|altogether|of text"
FAULTY = "duplicates|double entries|faults|defects|failures|a fault|a defect|a failure"
OR_IS_MISSING = (
    ", or null/empty/missing/blank/nothing/absent|or null/empty/missing/blank/nothing/absent|"
    "( or null/empty/missing/blank )|"
    ", or be null/empty/missing/blank|or be null/empty/missing/blank|or left empty/blank|, or left empty/blank|"
    "or not at all|, or not be given/set/filled [at_all]|or not be given/set/filled [at_all]|or be left empty/blank"
)
LINKED_TO = (
    "linked to|referring to|pointing to|referencing|that/which reference|that/which refer to|that/which point to|"
    "assigned to|attached to|connected to|tied to|that/which be linked/assigned/attached/connected/tied to|"
    "related to|that/which be related to"
)
CAN_BE_FOUND = (
    "be found|be looked up|be resolved|be traced|be traced back|be matched|be located|be identified|be found again"
)
AGREE_IN = (
    "agree in|coincide in|be identical in|be equal in|be the same in|match in|be alike in|have the same|share the same|"
    "share|repeat the same|repeat the combination of|repeat|duplicate|be the same with regard to|agree on|"
    "have identical|coincide on"
)
IN_PASSING = (
    ", unless it be missing/empty/blank/null ,|, unless missing/empty/blank/null ,|"
    ", if given/present/known/set/filled ,|"
    ", when given/present/known/set/filled ,|, where given/present/known/set/filled/recorded ,|"
    ", if it be given/present ,|"
    ", if there be one ,|, when there be one ,|, where there be one ,|, if not null/empty/missing/blank ,|"
    ", if it be not null/empty/missing/blank ,|, if any ,|( if given/present/known/set/filled/any )|, if filled in ,|"
    ", when filled in ,|, where filled in ,|, if recorded ,|, when it be given/present ,|, if at all ,"
)

# ---- the same in another row ---------------------------------------------------------------------------------------
ANOTHER = (
    "another|any other|some other|a different|one other|an other|other|any further|a further|a second|one more|"
    "one of the other|any of the other|at least one other|yet another"
)
HAVE_ALIKE = (
    "share|have|repeat|have the same|carry|use|reuse|duplicate|agree in|agree on|coincide in|match in|be identical in|"
    "be equal in|be the same in|bear|contain|show|copy"
)
STAND_IN_ANOTHER = (
    "be [also/already/ever] used/held/shared/taken/carried/claimed/owned/registered by|"
    "be [also/already/ever] assigned/given/issued to|be [also/already/ever] used for/in/on|"
    "be [also/already] the same/one as that of|be [also/already] the same as the one of|be [also/already] that of|"
    "be [also/already] recorded/registered/listed/entered/stored/noted for/on/in/with|"
    "be [also/already] identical to that of|"
    "be equal to that of|be [also/already] found/present/there in/on/for/with|[also/already] belong to|be shared with|"
    "[also/already] occur/appear/exist/show_up in/on/for/with/at|be [also/already] in use by|be repeated by/in/on/for|"
    "be [also/already] on/in|be the same as in/on/for|be repeated in|be duplicated in/on|be equal to the one of"
)

# ---- openings -----------------------------------------------------------------------------------------------------
FOR_EACH_ROW = (
    "for|with|in|of|on|in the case of|as for|regarding|concerning|among|amongst|in case of|across|within|throughout"
)
OF_OURS = "in the table/data/dataset/system/database|in our system/database/data/records/books|on file|on record"
THEN_AT_ONCE = ",|, then|then|:|, it must hold that|, we require that|, the rule is that"
IS_RECORDED = (
    "be/get/have_been recorded/entered/stored/saved/registered/created/captured/logged/added/inserted/documented/"
    "made/put_down/written_down/looked_at/considered/given/imported/loaded|be there|exist|come in"
)
IN_THE_SYSTEM = (
    "in/into the/our system/database/data/table/dataset/books/records/register|here|in it|with us|in our data"
)

# ---- converses ----------------------------------------------------------------------------------------------------
VALID_UNLESS = (
    "be/may_be/can_be/count_as valid/correct/complete/acceptable/allowed/permitted/admissible/accepted/ok/okay/fine/"
    "in_order/legal/right/plausible unless/except_if/except_when"
)
NOT_VALID_UNLESS = (
    "be not valid/correct/complete/acceptable/allowed/permitted/admissible/accepted/ok/okay/fine/in_order/legal/right/"
    "plausible unless/except_if/except_when|"
    "can/may/must/should/shall not be valid/correct/complete/acceptable/allowed/permitted/admissible/accepted/ok/okay/"
    "fine/in_order/legal unless/except_if/except_when|"
    "be invalid/incorrect/incomplete/wrong/unacceptable/inadmissible/forbidden/prohibited/an_error unless/except_if/"
    "except_when"
)
VALID_ONLY_IF = (
    "be only valid/correct/complete/acceptable/allowed/permitted/admissible/accepted/ok/okay/fine/in_order/legal if/"
    "when/where/provided_that/as_long_as|"
    "be valid/correct/complete/acceptable/allowed/permitted/admissible/accepted/ok/okay/fine/in_order/legal only if/"
    "when/where/provided_that/as_long_as|"
    "may/can/must/should/shall only be valid/correct/complete/acceptable/allowed/permitted/accepted/stored/saved/"
    "recorded/entered/kept if/when/where|"
    "may/can/must/should/shall be valid/allowed/permitted/accepted/stored/saved/recorded/entered/kept only if/when/"
    "where|may/can/must/should/shall only exist if/when/where"
)
NOTHING_BUT = (
    "nothing but/except/besides|nothing other/else than|nothing apart from|nothing except for|only|just|solely|"
    "exclusively|no values/value/entries/entry but/except/besides|no value/values other than|no other values/value than"
)
NOTHING_THAT_IS = "nothing|no value|no values|nothing that be|no value that be|no values that be|no entry|no entries"
VALUES_SUCH = (
    "number|numbers|date|dates|amount|amounts|text|texts|value|values|a value|one of the values|the values|entries|"
    "entry|an entry|one of"
)
ONLY_SUCH = "only|just|solely|exclusively|nothing but|no other|nothing except"
MAY_BE_ENTERED = (
    "may/can/should/could be used/entered/stored/saved/recorded/given/written/kept/set/chosen/selected/"
    "registered/accepted/put/put_in/typed_in/filled_in/present/there/found/charged/assigned/taken|"
    "be allowed/accepted/permitted/valid/acceptable/possible/admissible/legal/ok/okay/fine/correct/used|"
    "may/can/should/could appear/occur/exist/stand|be to be used/entered/given|occur|appear|"
    "may/can/should be allowed/accepted/permitted/valid"
)
MAY_BE_ENTERED_AS = (
    "may/can/should/could be used/entered/stored/saved/recorded/given/written/kept/set/chosen/selected/"
    "registered/accepted/put/put_in/typed_in/filled_in/present/there/found/charged/assigned/taken as/in/for/into/under|"
    "be allowed/accepted/permitted/valid/acceptable/possible/admissible/legal/ok/okay/fine/correct/used as/in/for|"
    "may/can/should/could appear/occur/exist/stand/be/be_there as/in/for/under|"
    "may/can/should/could be the|be to be used/entered/given as/in/for|"
    "belong in/into|may go in/into|can go in/into"
)
OUT_OF_A_LIST = (
    "from|in|out of|of|listed in|known to|contained in|found in|defined in|registered in|taken from|available in|"
    "recorded in|present in"
)
EXCEPT_THESE = (
    "except|except for|other than|but|apart from|besides|aside from|save|save for|excluding|with the exception of|"
    "outside|outside of|different from|unless it be"
)
BE_FINE_OR_ALLOWED = (
    "be fine/ok/okay/allowed/permitted/accepted/acceptable/valid/possible/good/correct|"
    "may/can be used/entered/given/stored/chosen|may occur|may appear|will do"
)

# ---- upper and lower case -----------------------------------------------------------------------------------------
CASE_IS_IGNORED = (
    "when/if case be ignored/disregarded/left_aside|when/if we ignore/disregard [the] case|"
    "when/if we ignore/disregard upper and/or lower case|when/if we ignore/disregard upper / lower case|"
    "when/if ignoring [the] case|when/if upper and lower case be ignored/disregarded|with case ignored|"
    "[when/if] compared without regard to [the] case|[when/if] compared case insensitively|"
    "[when/if] compared in a case insensitive way|[when/if] compared regardless of case|when/if lower cased|"
    "regardless/irrespective of [upper/lower/the] case|regardless/irrespective of upper and/or lower case|"
    "even if/when the case/capitalisation/capitalization be different/differs|even in different case|"
    "not even with different/other capitalization/capitalisation|not even in different/another case|"
    "not even with different upper and lower case|whatever their/its case|in a case insensitive comparison|"
    "without regard to upper and/or lower case|case insensitively|ignoring letter case"
)

ALSO_BAD = (
    "a finding|findings|an audit finding|non compliant|not compliant|in violation|to be rejected|to be corrected|"
    "a defect|defective|a fault|not in order|not wanted|unwanted|not welcome|not usable|unusable|not to be trusted"
)
# ---- lapses -------------------------------------------------------------------------------------------------------
THE_TIME = (
    "[the] time|[the] period|[the] interval|[the] span|[the] gap|[the] length of time|[the] days/nights|[the] duration|"
    "[the] stay|[the] time span|[the] distance|[the] time that passes/elapses|[the] lag|[the] delay|"
    "[the] period of time|[the] timespan|[the] lapse|[the] time gap|[the] time elapsed|[the] time passing|"
    "[the] elapsed time|[the] wait|[the] waiting time|[the] time lag|[the] number of days|[the] time difference|"
    "[the] difference|[the] time needed|[the] time taken"
)
THERE_MAY_LIE = (
    "there may/must/should/can/shall be|there be|there may/must/should/can/shall lie/pass|there may only be|"
    "there have to be"
)
NONE_OR_SEVERAL = (
    "none or with more than one|none or more than one|none or several|no or more than one|none or two or more|"
    "either none or more than one|not exactly one|other than exactly one|zero or more than one|more than one or none"
)
REPORT_IF = (
    "report/flag/show/alert/complain/warn if|report/flag it/this if|raise an error/alarm if|tell me if|"
    "report/flag when|report it when|warn me if|let me know if|alert us/me if"
)
ROWS_MAY_BE = (
    "may/can/should/shall be stored/saved/recorded/entered/kept/accepted/registered/present/there/imported/loaded/"
    "listed/on_file/in_the_table/in_the_data/in_our_data|may/can/should/shall occur/appear"
)
OUTSIDE_A_PERIOD = (
    "outside|outside of|outside the period/range/interval/time/span/dates [from/between]|not within|not between|out of|"
    "outside of the period/range/interval/time/span [from/between]"
)
GOES_WITH = (
    "occur/appear/go/come/stand/show_up/be_used/be_found/be_listed/be_recorded/be_stored/be_paired/be_combined/"
    "be_associated/be_registered/be_entered with|be assigned/linked/mapped/attached/tied to|"
    "belong/map/correspond/point to|occur in combination with|be given together with|occur together with|"
    "be shared by|lie in|be located in"
)
ONLY_ONE_VALUE = (
    "only one|exactly one|just one|a single|one single|only a single|at most one|no more than one|one and the same|"
    "the same|always the same|one and only one"
)
SEVERAL_VALUES = (
    "more than one|different|several|several different|two different|more than one different|multiple|various|"
    "two or more|more than a single|multiple different"
)
AGREE_IN_ALL = (
    "agree/match/coincide in/on/across all/every [the] columns/column/fields/field|be identical|be exact copies|"
    "be identical/alike/the_same/equal in all/every/each [the] columns/column/fields/field|"
    "be completely/fully/exactly identical|"
    "have the same values/content/contents in all/every [the] columns/column/fields/field|be completely/exactly alike|"
    "be completely/exactly the same|do not differ in any column/field"
)
NEVER_MAY = (
    "never/under_no_circumstances/in_no_case/at_no_time/on_no_account/by_no_means/not_once may/can/must/should/shall"
)
EXACTLY_FOR = (
    "for exactly those|for exactly the|for exactly|exactly for|exactly for those|for those and only those|"
    "for all and only|only and always for|always and only for|precisely for|for precisely those|exactly in|"
    "for these and only these|exactly on|for exactly all"
)
FOR_ALL_OTHERS = (
    "for/in/on/with all [the] other/others|for/in/on the others|for/in/on any other|for/in/on every other|for others"
)
FIT_IN = (
    "fit in/into/within|be limited/restricted/confined to|stay within|keep to|be kept to|run to at most|go up to|"
    "reach at most|be capped at|not be longer than"
)
MALFORMED = (
    "malformed|ill formed|badly/wrongly/incorrectly/improperly formatted/formed|invalid|improper|not well formed|"
    "syntactically wrong/invalid/incorrect|not valid|incorrect|broken|badly written|misformed"
)
NOT_NUMERIC = "non numeric|nonnumeric|non numerical|non number|non numbers|not numeric"
COMPARED_BY = (
    "by|on|in terms of|with respect to|with regard to|with the same|for the same|over|based on|in|regarding|"
    "as to|concerning|judged by|measured by|going by|sharing the same|that share the same|that have the same"
)
MUST_BELONG_TO_IT = (
    "must/should/shall/have_to belong/be_assigned/be_linked/be_attached to it|"
    "must/should/shall/have_to exist/be_there/be_recorded/be_stored/be_given/be_entered/be_present for it"
)
# ---- verdicts -----------------------------------------------------------------------------------------------------
THIS_ROW = (
    "it|this|that|the row|the record|the entry|this row|this record|this entry|that row|that record|that entry|they|"
    "these|these rows|such a row|such a record|the whole row|the whole record|the data|there"
)
REPORT_IT = (
    "report/flag/reject/list/show/mark/highlight/raise it/them/this/that/those|"
    "report/flag/reject/list/show/mark/highlight the/that row/record/entry|raise/report an error|"
    "something be wrong|there be an error/a problem/something_wrong"
)
MUST_BE_THERE = (
    "must/should/shall/have_to exist/be_there/be_present/be_recorded/be_entered/be_given/be_stored/be_registered|"
    "must/should/shall/have_to be_found/belong_to_it/be_available/be_in_place/be_booked/be_on_file/be_listed|"
    "must/should/shall/have_to be assigned/linked/attached to it|be required|be needed|exist|be there|be mandatory"
)

BE_READ_AS = (
    "be parsed/read/converted/interpreted/understood/cast/turned/translated/coerced as/to/into|parse as|"
    "convert to/into|be parsable/parseable/readable/convertible/interpretable/castable as/to/into|cast to|read as"
)

# ---- what auditors write, and who asks for offenders --------------------------------------------------------------
KEEP_TO = (
    "match|conform to|comply with|follow|adhere to|obey|fit|respect|have|be in|be of|use|show|correspond to|keep to|"
    "stick to|be written in|be given in|be entered in|be recorded in|be stored in|be kept in|satisfy|meet|observe|"
    "be of the form|be according to"
)
DEVIATE_FROM = "deviate from|differ from|depart from|diverge from|violate|break|contradict|be different from"
FORMAT_WORDS = (
    "format|pattern|form|structure|shape|scheme|layout|syntax|template|notation|expected format|required format"
)
MADE_UP_OF = (
    "made up of|composed of|built from|formed of|made of|formatted as|written as|entered as|given as|recorded as|"
    "stored as|structured as|in the format|in the form|of the format|of the form|in the format of|in the pattern"
)
ANYTHING_BUT = "anything but|anything other than|anything else than|something other than|anything except"
NOTHING_BETWEEN = (
    ", with nothing in between|with nothing in between|, with nothing between|and nothing in between|"
    ", and nothing in between|, nothing in between|, nothing else|and nothing else|( nothing in between )|"
    ", without anything in between|without anything in between|with nothing else in between"
)
SUM_OF = (
    "[the] sum/total of|[the] sum/total of the|[the] sum/total of both|sum|[the] sum total of|[the] combined total of|"
    "[the] sum/total over"
)
PRODUCT_OF = "[the] product of|[the] product of the"
TOGETHER_AS_A_SUM = (
    "together|combined|added together|added up|summed up|taken together|put together|in sum|added|in total|summed"
)
MAKES = "give|yield|make|result in|make up|produce|be as much as|add up exactly to|lead to|work out to|come out at"
A_DIFFERENCE = (
    "[any/a/every] difference/discrepancy/deviation/mismatch/gap|differences|deviations|discrepancies|mismatches|"
    "[the] slightest difference"
)
DIFFERENCE = "difference/discrepancy/deviation/mismatch|differences|deviations|discrepancies|mismatches"
PASS = "lie|pass|elapse|be|go by|have passed/elapsed|be there|be left|fall|expire"
THERE_MUST_NOT_BE = (
    "there must/may/should/shall/can not/never be|there must/may/should/shall/can not exist|there be never|"
    "there must/may/should/shall/can never exist|we must/may/should/can not/never have|we do not want|"
    "we do not accept|we do not allow|do not allow|we never want|there be not to be"
)
OCCUR = (
    "occur|appear|exist|be used|be listed|be found|turn up|show up|be present|be repeated|be entered|be recorded|"
    "come up|be there|be stored|be assigned|be contained"
)
OF_THE_DOMAIN = (
    "belong to [the] domain|have the domain|have domain|be of the domain|be from the domain|be at the domain|"
    "be in the domain|be under the domain|use the domain|end with the domain|end in the domain|be on the domain|"
    "come from the domain|of the domain|from the domain|with the domain|at the domain|in the domain|under the domain|"
    "belonging to the domain|having the domain|within the domain|be within the domain|be hosted at|have the domain_:"
)
OF_ANOTHER_DOMAIN = (
    "with a domain other than|with any domain other than|with a domain different from|with another domain than|"
    "with a different domain than|from another domain than|from a domain other than|from any domain other than|"
    "of another domain than|of a domain other than|outside the domain|outside of the domain|outside|"
    "with any other domain than|from any other domain than|have a domain other than|have another domain than|"
    "be outside the domain|be outside|have any other domain than|not of the domain|not from the domain"
)
MORE_OR_LESS = (
    "more or fewer/less than|fewer/less or more than|higher or lower than|lower or higher than|larger or smaller than|"
    "smaller or larger than|greater or smaller/less than|above or below|below or above|over or under|under or over"
)
OR_WITH_ONE = "or with one|, or with one|nor with one|, nor with one|or one|, or one|nor one|, nor one|or having one"
LYING = "lying|falling|being|ranging|located|situated|sitting|staying|which_lie|going"
HAVE_ALSO = (
    "give|record|report|indicate|note|document|quote|display|have been given|have been assigned|have received|"
    "be identified by|be marked with|be labelled with|be labeled with|be tagged with|be listed with|be stored with"
)
EACH_OF_THEM = "each|apiece|respectively"
IS_THERE = (
    "exist/exists|be there|be found|can be found|be recorded|be registered|be available|have been recorded|be on file|"
    "have been registered|be stored|be listed|belong to it|belong to them|refer to it|refer to them|be assigned|"
    "be linked to it|be linked|be assigned to it|be entered|be known|be present|be given|be attached"
)
AS_A = "as|as a|as an|as the|as its|as their|as his or her|for the|for its"
NONE_OF = (
    "none of|not any of|not one of|something/anything other/else than|outside|outside of|outside the list|apart from|"
    "different from all of|not among|outside the values|outside the set"
)
HAVING = "with|having|that/which/who have|containing|that/which contain|sharing|that/which/who share|comprising|holding"
BELONGING_TO = (
    "that/which belong to|belonging to|of|in|from|that/which be in|that/which be part of|within|that/which come from|"
    "that/which refer to|booked by|made by|by"
)
PRECEDING = "preceding|predating|antedating|lying before|falling before|dating before"
FOLLOWING = "following|postdating|succeeding|lying after|falling after|dating after"
OVER_THE = "in/within/during/over the|over/during/throughout a/each/every/any|per each|in/within/during/over any single"
FOR_EACH_GROUP = (
    "for each|for every|for any|per|within each|in each|in every|within every|for one|for a|for the same|by"
)
IT_IS = (
    "it/this be|it/this shall/must/should/would be|it/this be considered|it/this be deemed|it/this constitute|"
    "it/this count as|it/this be regarded as|it be to be|it be strictly|it be generally|it have to be|"
    "we/i consider it|it be to be considered|it shall be considered|it be treated as|it be always"
)
IT_IS_NOT_ACCEPTED = (
    "it/this shall/must/should/may/can/will not be permitted/allowed/accepted/acceptable/tolerated/possible/admissible|"
    "it/this shall/must/should/may/can/will never be permitted/allowed/accepted/acceptable/tolerated/possible|"
    "we/i do not accept|we/i do not tolerate|we/i do not permit|we/i can not accept|we/i must not accept"
)
TO_KEEP = (
    "to keep|to have|to hold|to store|to record|to enter|to register|to list|to maintain|to accept|to create|to save|"
    "to file|to carry|to see|to leave|to process|to book|to admit|to contain|to retain|to allow|to permit|"
    "to find|to introduce|to submit|to report|to show|to use|to insert|to load|that there be|if there be|"
    "for there to be|when there be|to grant|to give|to assign|to apply|to choose"
)
ABSENCE_OF = "[the] absence of|[the] lack of|[a/any] missing value in|any absence of|any lack of|[the] omission of"
MUST_HOLD_NO = (
    "contain/hold/include/list no|"
    "must/shall/should/may/can contain/hold/have/include/carry/list/show/comprise/store no|"
    "must/shall/should/may/can not contain/hold/have/include/carry/list/show/comprise/store any|"
    "must/shall/should/may/can not contain/hold/have/include/carry/list/show/comprise/store|"
    "must/shall/should/may/can never contain/hold/have/include/carry/list/show/comprise/store any|"
    "must/shall/should/may/can never contain/hold/have/include/carry/list/show/comprise/store|"
    "must/shall/should be free of|must/shall/should be free from|be to contain no|do not contain any"
)
IF_SO = "if|when|whenever|in case|where|that"
IN_THE_TABLE = "in the table|in total|altogether|overall|in all|in the data|in the dataset|on file"


# ---- rows that must be there for each other row ---------------------------------------------------------------------
SHOW = (
    "show|have|see|undergo|go through|get|receive|pass|record|report|have shown|have had|have seen|have undergone|"
    "have gone through|have got|have received|have passed|have recorded|have reported"
)
TELL = "say|state|tell|tell us|show|record|name|note|indicate|specify|mention|document|explain|make clear|give|report"
BE_KNOWN = "be known|be clear|be recorded|be noted|be stated|be documented|be said|be given|be indicated|be specified"
LAST_FOR = "last|run|hold|be valid|remain valid|stay valid|extend|go on|be good|last for|run for|be valid for|hold for"
RUNS_OUT = "expire|run out|lapse|be no longer valid|have become invalid|cease to be valid|stop being valid"
UNDERGO = "complete|undergo|do|finish|pass|take|attend|go through|receive|get"
# More words for the relations of `lexicon`, said of dates.
OR_LATER = "or later|or after|or thereafter|or in the future|or lies in the future|or any later date"
OR_EARLIER = "or earlier|or before|or in the past|or lies in the past|or any earlier date|or sooner"
ALSO_BEFORE = "from before|dated before"
ALSO_AFTER = "from after|dated after"
ALSO_NOT_AFTER = (
    "[the] same [day/date] as or earlier/before [than]|equal [to] or earlier/before [than]|"
    "[on] the same day/date as or earlier/before [than]|identical to or earlier/before [than]|"
    "at the same time as or earlier/before [than]"
)
ALSO_NOT_BEFORE = (
    "[the] same [day/date] as or later/after [than]|equal [to] or later/after [than]|"
    "[on] the same day/date as or later/after [than]|"
    "identical to or later/after [than]|at the same time as or later/after [than]"
)
ALSO_UNEQUAL = "anything other than|anything but"
EXIST = "exist|be there|be present|be available|be on file|be recorded|be found|be registered|be stored|be given"
FOR_EACH_OF_THEM = (
    "for each|for every|for any|for all|per|of each|of every|for each of the|for each and every|for every single|"
    "behind every|behind each|to each|to every|on each|on every|in each|in every|at each|at every"
)


def _words_of(pattern: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", pattern.lower())}


# Every word of these phrases is known to the language.
PHRASE_WORDS = frozenset(
    {
        word
        for name, pattern in list(globals().items())
        if name.isupper() and isinstance(pattern, str)
        for word in _words_of(pattern)
    }
)
FIRST_TO_LAST = (
    "between/from the lowest/smallest/first/minimum and/to the highest/largest/biggest/greatest/last/maximum "
    "[one/number/value/id]|from first/lowest/smallest to last/highest/largest"
)
THE_ROW_BEFORE = (
    "[in] the row/record/line before [it]|[in] the previous/preceding row/record/line|"
    "that/the_one/the_value of/in the row/record/line before [it]"
)
OF_THE_ROW_BEFORE = "of/in the row/record/line before/above [it]|of/in the previous/preceding row/record/line"
THE_ROW_ABOVE = "[in] the row/line/record above [it]|that/the_one/the_value of/in the row/line/record above [it]"
NO_LETTERS = (
    "no letters/text/texts/words/units/unit/symbols [allowed/in_them/in_it/please]|nothing but digits|"
    "without letters/units/text|"
    "not text/texts/words/letters|and no letters/text/words/units"
)
NO_FRACTIONS = "no decimals/fractions/decimal_places/fractional_part|without decimals/fractions/decimal_places"
THAT_WE_HAVE = (
    "[that] we have/use/know/accept/allow/take/offer/support|[that] there be|in use|that exist|"
    "that be valid/in_use/used|"
    "we [currently/actually/really] have/use/accept"
)
MORE_BY_SO_MUCH = "higher/greater/larger/bigger/more than|more than in|above"
LESS_BY_SO_MUCH = "lower/less/smaller than|less than in|below"
