"""The words of the rule language. Only data: add a synonym here and both the parser and its page know it.

In a pattern "|" parts alternatives, "[x]" may be left out, "a/b" is one of both, and every word stands for its
inflected forms as well ("exceed" for "exceeds").
"""

from pandas_magic.constraints.algebra.expressions import Statistic

# ---- how relations are said ------------------------------------------------------------------------------------
LESS = "[strictly] less/lower/smaller/fewer than|[strictly] below|under|beneath|<|short of|inferior to"
GREATER = (
    "[strictly] greater/more/larger/higher/bigger than|[strictly] above|over|exceeding|in excess of|beyond|>|"
    "superior to"
)
AT_LEAST = (
    "min .|minimum of|"
    "at least as high/large/big/great/long/much/old/many as|no lower/less/smaller than|"
    "at least|no/not less than|no/not fewer than|no/not lower than|no/not smaller than|no/not below|no/not under|"
    ">=|=>|≥|greater/more/larger/higher/bigger than or equal to|greater or equal to|greater than or equals|"
    "greater or equal than|a minimum of|minimum|min|equal to or greater/more/higher/larger/above than|"
    "equal to or above|at a minimum|at minimum|equal or greater/more/higher/larger than|above or equal to|"
    "not inferior to|above or equal"
)
AT_MOST = (
    "max .|maximum of|"
    "at most as high/large/big/great/long/much/old/many as|no higher/more/larger/bigger than|"
    "at most|no/not more than|no/not greater than|no/not higher than|no/not larger than|no/not bigger than|"
    "no/not above|no/not over|<=|≤|less/lower/smaller/fewer than or equal to|less or equal to|"
    "less than or equals|less or equal than|a maximum of|maximum|max|up to|"
    "equal to or less/lower/smaller/below than|equal to or below|at a maximum|at maximum|not exceeding|"
    "not in excess of|equal or less/lower/smaller than|below or equal to|not superior to|below or equal|limited to|"
    "capped at|limited to at most|limited to a maximum of"
)
EQUAL = "equal to|equal|exactly|the same as|same as|identical to|precisely|=|==|numerically equal to"
UNEQUAL = (
    "someone other than|somebody other than|not the same person as|a different person than/from|someone else than|"
    "something other than|a different one than|"
    "different from/to/than|other than|not equal to|unequal to|!=|<>|≠|distinct from|not the same as|not identical to"
)
BEFORE = "[strictly] before|[strictly] earlier than|prior to|ahead of|sooner than"
NOT_AFTER = (
    "on or before|before or on|no later than|not later than|not after|at or before|by|at the latest on|"
    "before or at|earlier than or equal to|earlier than or on|before or equal to|the same day as or before|"
    "no after|at the latest"
)
AFTER = "[strictly] after|[strictly] later than|subsequent to|past"
NOT_BEFORE = (
    "on or after|after or on|no earlier than|not earlier than|not before|at or after|since|no sooner than|"
    "after or at|later than or equal to|later than or on|after or equal to|the same day as or after|not prior to|"
    "no before|on or later than"
)
# Verbs that say a relation by themselves.
EXCEED = "exceed|surpass|top|be_in_excess_of|go_above|go_over|go_beyond|rise_above|outstrip|overshoot|outweigh"
UNDERCUT = (
    "undercut|go_below|fall_below|drop_below|fall_under|drop_under|go_under|fall_short_of|be_short_of|sink_below|"
    "lie_below"
)
REACH = "reach|attain"
EQUALS = (
    "equal|match|agree with|coincide with|correspond to|be equal to|tally with|reconcile with|reconcile to|add up to|"
    "sum to|amount to|tie to|tie out to|tie out with|balance to|=|==|come to|sum up to|total to|be_consistent_with"
)
DIFFERS = "differ from|!=|<>|deviate from"
PRECEDES = "precede|come before|predate|lie before|happen before|occur before|fall before|take place before"
FOLLOWS = "follow|come after|postdate|lie after|happen after|occur after|fall after|take place after"

# ---- what a value can be ---------------------------------------------------------------------------------------
MISSING = (
    "missing|null|absent|nan|na|n / a|none|not available|not given|not set|unset|not filled|unfilled|"
    "not filled in|not populated|unpopulated|not provided|not present|not specified|unspecified|not recorded|"
    "unrecorded|not known|without a value|without value|without any value|undefined|not defined|not supplied|"
    "not stated|not entered|left out|omitted|not there|not assigned|unassigned|lacking|not filled out|"
    "non existent|nonexistent|not on file|nil|void of a value|not documented|undocumented"
)
EMPTY = "empty|left empty|empty string|an empty string|the empty string"
BLANK = (
    "blank|only blanks|only spaces|just blanks|just spaces|nothing but spaces|left blank|only whitespace|"
    "whitespace only"
)
PRESENT = (
    "present|given|filled|filled in|set|populated|provided|specified|available|known|recorded|stated|supplied|"
    "not null|non null|nonnull|entered|not missing|non missing|there|filled out|assigned|on file|not absent|"
    "noted|documented|not na|not nan|indicated|registered|captured|not none|in place|defined|used|applied|"
    "complete|named|on record|mentioned|declared"
)
PRESENT_PLAINLY = (
    "present|filled|filled in|populated|available|known|recorded|stated|not null|non null|not missing|non missing|"
    "specified|provided|entered|there"
)
MANDATORY = (
    "mandatory|required|compulsory|obligatory|a must|a mandatory field|a required field|needed|necessary|"
    "not optional|a mandatory column|a required column|mandatory field|required field|obligated|"
    "a compulsory field|indispensable"
)
NONEMPTY = "not empty|non empty|nonempty|not left empty|not blank|non blank|nonblank|not left blank"
UNIQUE = (
    "unique|distinct|all different|all distinct|different|non duplicated|not duplicated|non repeating|all unique|"
    "free of duplicates|unambiguous"
)
DUPLICATED = (
    "duplicated|duplicate|repeated|a duplicate|duplicates|not unique|non unique|nonunique|reused|doubled|"
    "used twice|ambiguous"
)
REPEATS = (
    "repeat|be repeated|occur twice|appear twice|occur more than once|appear more than once|be used twice|"
    "be used more than once|be present twice|be present more than once|occur several times|appear several times|"
    "be reused|show up twice|exist twice|be listed twice|be listed more than once|be assigned twice|be shared|"
    "exist more than once|be duplicated|be assigned more than once|be there twice|occur multiple times|"
    "appear multiple times|show up more than once|occur repeatedly|be recorded twice|be recorded more than once|"
    "be seen twice|occur/appear/exist/show_up/be_listed/be_used/be_there twice_or_more|"
    "occur/appear/exist/show_up/be_listed/be_used at_least_twice|occur/appear/exist two_or_more times|"
    "be given_away/given_out/given/issued/handed_out/sold/taken/allotted/allocated twice/more_than_once|"
    "occur/appear/exist/show_up/be_there/be_found/turn_up/be_listed a_second_time|occur/appear/show_up again"
)
APPEARS_ONCE = (
    "occur only once|appear only once|occur at most once|appear at most once|occur once|appear once|"
    "be used only once|be used at most once|occur no more than once|appear no more than once|exist only once|"
    "be present only once|be listed only once|be used once|occur exactly once|appear exactly once|"
    "exist at most once|appear just once|occur just once|exist once|be assigned only once|be registered once|"
    "be registered only once|be registered at most once|be given only once|be given at most once|be issued only once|"
    "be used exactly once|be assigned exactly once|be used just once|"
    "be issued exactly once|be listed once|be issued at most once|be listed at most once|be entered only once|"
    "be recorded only once"
)
POSITIVE = (
    "positive|strictly positive|> 0|a positive number|a positive value|a positive amount|positive number|"
    "positive values|positive numbers"
)
NEGATIVE = (
    "negative|strictly negative|below zero|a negative number|a negative value|negative number|negative values|"
    "negative numbers"
)
POSITIVE_WHOLE = "a positive integer|positive integers|a positive whole number|positive whole numbers|a positive int"
NOT_NEGATIVE_WHOLE = (
    "a non negative integer|non negative integers|a nonnegative integer|a non negative whole number|"
    "non negative whole numbers"
)
NOT_NEGATIVE = (
    "non negative|nonnegative|not negative|zero or positive|positive or zero|zero or more|a non negative number|"
    "zero or above|zero or greater|zero or higher"
)
NOT_POSITIVE = (
    "non positive|nonpositive|not positive|zero or negative|negative or zero|zero or less|zero or below|zero or lower"
)
ZERO = "zero|nil_value"
NOT_ZERO = "non zero|nonzero|not zero|different from zero|other than zero|not equal to zero"
IN_FUTURE = (
    "in the future|future|a future date|future dates|in future|a future timestamp|in the future time|"
    "future dated|a date in the future|dates in the future|[a/any] date/day/time [that/which] be [still/yet] to come|"
    "[a/any] date/day/time still/yet to come|still/yet to come|[a/any] date/day that/which lie in the future|"
    "[a/any] date/day that/which be in the future|in_the days/time to come"
)
IN_PAST = "in the past|past|a past date|past dates|in past|already past|a date in the past|dates in the past"
UPPER = (
    "in/written_in block capitals/letters|[all] in caps|in all caps|all capitals|block capitals|capitals only|"
    "in capitals only|[entirely/fully/completely/wholly/all] in upper case|entirely/fully/completely upper case|"
    "[entirely/fully/completely/all] in uppercase|[entirely/fully/completely] in capitals|all in capital letters|"
    "[entirely/fully/completely] in capital letters|entirely/fully/completely uppercase|"
    "in upper/capital case/letters|in uppercase|upper case|uppercase|all caps|all upper case|"
    "written in capitals|in capitals|all uppercase|upper cased|uppercased|written in upper case|"
    "in capital letters|written in uppercase|in/written_in upper/capital case/letters only|upper case only|"
    "only upper case|uppercase only|written only in upper/capital case/letters|only in upper/capital case/letters"
)
LOWER = (
    "[entirely/fully/completely/all] in lower case|entirely/fully/completely lower case|all in lowercase|"
    "[entirely/fully/completely/all] in lowercase|in small letters only|[all] in small letters|all small letters|"
    "in lower/small case/letters|in lowercase|lower case|lowercase|all lower case|all lowercase|lower cased|"
    "lowercased|written in lower case|written in lowercase|in/written_in lower/small case/letters only|lower case only|"
    "only lower case|lowercase only|written only in lower/small case/letters|only in lower/small case/letters"
)
TRIMMED = (
    "trimmed|stripped|free of leading and trailing spaces|free of surrounding spaces|"
    "free of leading or trailing spaces|without leading or trailing spaces|without leading and trailing spaces"
)
WHOLE = (
    "a whole number|an integer|integer|whole|whole numbers|integers|an integral number|a whole amount|integral|"
    "an integer number|integer numbers|an integer value|integer values"
)
NUMERIC = (
    "a number|numeric|numerical|a numeric value|numbers|a decimal number|a decimal|parsable as a number|"
    "a valid number|numeric values|valid numbers|a figure|figures|a numerical value|numerical values|a proper number|"
    "a real number|convertible to a numeric value|only numbers|numbers only|numeric only|parsable to/into a number|"
    "parseable/readable/convertible/interpretable as/to/into a number"
)
# The last word of the names of codes, which are made of digits, and of quantities, which are numbers.
CODE_NOUNS = (
    "no|nr|num|number|code|id|phone|telephone|fax|mobile|zip|postcode|plz|barcode|ean|isbn|issn|iban|bic|pin|account|"
    "reference|ref|extension|serial|sku|chip"
)
QUANTITY_NOUNS = (
    "value|amount|price|fee|cost|total|rate|score|size|weight|length|width|height|volume|count|quantity|qty|age|"
    "result|measurement|temperature|limit|capacity|percentage|percent|share|salary|budget|duration|distance"
)
A_DATE = "a date|a valid date|dates|valid dates|a real date|a parsable date|parsable as a date|a valid calendar date"
A_BOOLEAN = "a boolean|boolean|true or false|a truth value|a boolean value|either true or false|booleans"
TRUE_WORDS = "true|yes"
FALSE_WORDS = "false|no"

# ---- relations between rows and tables -------------------------------------------------------------------------
EXISTS_IN = (
    "exist|be [also] present/found/listed/contained/defined|occur|appear|be known|be registered|be recorded|"
    "be included|be available|be in existence|be there|be stored|be declared|be catalogued|show up|"
    "be|be part of|have a match|be a member of|be on record|be on file|be held|be looked up|be traced|be resolved|"
    "be located|be matched|be found again|have an entry|have a row|have a record|have its counterpart"
)
REFERS_TO = (
    "reference|refer to|point to|belong to|correspond to|be linked to|be associated with|link to|be tied to|"
    "be related to|be attached to|map to|resolve to|be made by|be placed by|relate to|match|be a reference to|"
    "be owned by|be connected to|be a foreign key to|be mapped to|come from|be from|be for|be issued to|"
    "match to|be recorded for|be allocated to|be booked on|belong with|"
    "identify|be made for|be attributed to|be of|be bound to|be traceable to|concern|take place at/in|be held at/in|"
    "happen at/in|be located at/in"
)
EXISTING = (
    "existing|known|valid|real|actual|registered|recorded|present|listed|existent|defined|matching|corresponding|such"
)
HAVE = (
    "provide for|grant|guarantee|entail|"
    "have|offer|send|place|make|submit|generate|issue|produce|attend|file|book|post|log|accept|handle|process|serve|"
    "support|ship|teach|treat|carry|contain|include|hold|bear|come with|show|possess|feature|be provided with|"
    "be given|be assigned|fund|finance|sponsor|provide|specify|state|own|be accompanied by|get|receive|"
    "be equipped with|mention|"
    "comprise|deliver|yield|supply|give us|tell us|leave us|provide us with|supply us with|hand in|come along with|"
    "end up with|go with|name"
)
NEEDS = "need|require|demand|call for|necessitate|must have"
LACK = (
    "lack|miss|be missing|be lacking|omit|be without|come without|"
    "exist/occur/appear/go/do/stand/stay/turn_up/end_up/be_left/be_there without|"
    "be stored/recorded/saved/kept/entered/registered/created/accepted/present/listed/added/put_in/taken_in without"
)
WITHOUT = "without|lacking|missing|that lack|with no|having no"
DANGLING = "orphan|orphaned|dangling|unmatched|orphans|broken"
ALTERNATIVE_ROW = "row|record|entry|tuple"
ALTERNATIVE_COLUMN = "column|field|attribute|value|entry|variable"

# ---- modality --------------------------------------------------------------------------------------------------
MUST = (
    "must|should|shall|has to|have to|need to|be to|ought to|will|be required to|be expected to|be supposed to|"
    "be obliged to|be obligated to|be meant to|be bound to|be mandated to|got to|must necessarily|are to"
)
MUST_ONLY = (
    "may only|can only|must only|should only|shall only|be only allowed to|be allowed only to|be allowed to only|"
    "will only|could only|only"
)
MAY = "may|can|could|might|be allowed to|be permitted to|be free to"
NEED_NOT = (
    "need not|do not have to|do not need to|be not required to|be not obliged to|not need to|be not necessarily|"
    "not necessarily"
)
FORBIDDEN_TO = (
    "be forbidden to|be prohibited from|be forbidden from|be not allowed to|be not permitted to|"
    "be not supposed to|be disallowed from|be never allowed to|be not expected to|be barred from|"
    "be never permitted to|be not meant to|be not authorised to|be not authorized to|be banned from"
)
ADVERBS = (
    "always|also|all|each|ever|still|strictly|actually|really|consistently|at all times|in all cases|indeed|"
    "in fact|already|themselves|itself|himself|"
    "necessarily|currently|then|therefore|thus|under all circumstances|"
    "without exception|by definition|clearly"
)
_WANTS = "want/need/require/expect/demand/ask_for/insist_on"
SOMEBODY_WANTS = (
    f"finance/legal/compliance/accounting/controlling/marketing/management/procurement/audit {_WANTS}|"
    f"the/our auditors/auditor/regulator/law/business/management/lawyers/accountants/bank/tax_office {_WANTS}"
)
CEREMONY = (
    "ensure|ensure that|make sure|make sure that|check|check that|check whether|verify|verify that|validate|"
    "validate that|assert|assert that|confirm|confirm that|please ensure that|please check that|"
    "please verify that|please make sure that|rule :|we expect that|we require that|we require|"
    "it is required that|it must hold that|it should hold that|require that|require|guarantee that|note that|"
    "it must be ensured that|it has to be ensured that|it must be true that|it must be the case that|"
    "it is mandatory that|expect|expect that|it is important that|business rule :|data rule :|check :|test that|"
    "see to it that|we need to ensure that|we want|please|please check|please ensure|it shall be ensured that|"
    f"it is expected that|we expect|the rule is that|require :|constraint :|{SOMEBODY_WANTS}|"
    f"{SOMEBODY_WANTS.replace('|', ' that|')} that"
)
FORBID_THAT = (
    "it is not allowed that|it is forbidden that|it must not happen that|it must never happen that|"
    "it should not happen that|it should never happen that|it can not be that|it is an error if|"
    "it is an error when|it is a violation if|it is a violation when|it may not happen that|"
    "it is impossible that|it is not permitted that|it is wrong if|it is prohibited that|it must not be that|"
    "it is invalid if|it should not be possible that|it is not acceptable that|it must never occur that|"
    "it must not occur that|it is unacceptable that|it is not possible that|it can not happen that|"
    "it is a breach if|it must not be possible that|it should be impossible that|it must be impossible that|"
    "it can never be that|it can never happen that|it must never be that|it is never allowed that|"
    "it shall not/never occur/happen/be that|it must not/never arise that|it may not/never occur that|"
    "we must never see that|it is an issue if|it is a problem if|it is an issue when|it is a problem when"
)
FLAG = (
    "flag|report|reject|find|list|show|raise|identify|detect|highlight|mark|spot|alert on|raise an error for|"
    "raise an alert for|return|get|give me|show me|warn about|complain about|exclude|catch|fail|fail on|error on|"
    "look for|quarantine|raise a flag for|select|warn on|disallow|forbid|prohibit|refuse|deny|raise an issue for|"
    "display|call out|point out|tell me about|print|throw an error for"
)
# What stands in for "flag", and for "not allowed", where auditors write.
ASKED_FOR = (
    f"{FLAG}|"
    "pull|pull up|pull out|extract|retrieve|fetch|enumerate|hunt for|search for|give us|show us|"
    "tell us about|send me|let me see|let us see|i/we want/need/would_like/have to see|"
    "i/we want/need a/the list of|i/we would like a/the list of|give/show/send/get me/us a/the list of|"
    "create/make/produce/return/print/provide a/the list of|list me|list out|single out|pick out|dig out|"
    "bring up|get me|get us|find me|find us|find out|report to me|report me|track down|look up|"
    "report back|please flag/report/find/list/show/identify|please give me|please show me|make a list of|"
    "i be looking for|i be interested in|let me have|let me know about|draw up a list of|"
    "compile a list of|scan for|filter out|filter for|locate"
)
BAD = (
    "not allowed|not permitted|forbidden|invalid|an error|error|a violation|errors|violations|prohibited|"
    "not acceptable|unacceptable|wrong|illegal|not valid|disallowed|not accepted|an anomaly|anomalies|incorrect|"
    "inadmissible|not legal|suspicious|not admissible|suspect|impossible|not possible|not ok|not okay|"
    "not tolerated|a data error|data errors|a data quality issue|faulty|implausible|strange|"
    "unusual|nonsense|not plausible|not valid data|bad data|mistakes|a mistake|erroneous|not correct|"
    "not right|nonsensical|not sensible|inconsistent|an issue|a problem|a breach|"
    "banned_from_the_data|in breach|typos|a typo|typing errors|data entry errors|a data entry error|"
    "not trustworthy|worthless|useless|not normal|abnormal|garbage|rubbish|a typing error|a mistake for sure|"
    "an input error|a wrong entry|wrong entries|"
    "out of scope|no longer allowed|not allowed any more|not credible|unrealistic|not realistic|"
    "out of the question|taboo|a no go|a red flag|questionable|dubious|not reasonable|unreasonable|"
    "meaningless|pointless"
)
NOT_ACCEPTED = (
    f"{BAD}|"
    "a finding|an audit finding|findings|a deviation|a nonconformity|a non conformity|a non compliance|"
    "non compliant|not compliant|noncompliant|an irregularity|irregularities|irregular|a defect|defects|"
    "defective|a violation of the rules|a rule violation|to be avoided|unlawful|improper|unauthorised|"
    "unauthorized|intolerable|not permissible|impermissible|not allowable|not admitted|ruled out|excluded|"
    "banned|not to be accepted|not to be tolerated|an exception to be reported|reportable|objectionable|"
    "deficient|a deficiency|a material finding|a breach of policy|a breach of the rules|"
    "strictly forbidden|strictly prohibited"
)
BE_BAD = (
    "must not exist|should not exist|may not exist|can not exist|must not occur|should not occur|may not occur|"
    "can not occur|must never occur|should never occur|must be flagged|should be flagged|have to be flagged|"
    "must be rejected|should be rejected|must be reported|should be reported|be to be rejected|be to be flagged|"
    "must not happen|should not happen|can not happen|must never happen|must not be present|"
    "should not be present|should never happen|never happen|never occur|do not exist|must not appear|"
    "should not appear|be to be reported|shall not occur|shall not exist|shall be rejected|shall be flagged|"
    "must never exist|should never exist|must not be there|should not be there|must not be allowed|"
    "should not be allowed|must raise an error|should raise an error|will be rejected|may never occur|"
    "can never occur|get rejected|get flagged|have to be rejected|must not be accepted|should not be accepted|"
    "be to be listed/removed/deleted/corrected/checked/investigated|must/should be listed/corrected/sorted_out|"
    "be to be refused|must be refused|should/must have been deleted/removed/purged/archived/cleaned_up/erased/dropped|"
    "should/must be deleted/removed/purged/archived/cleaned_up/erased/investigated/looked_at/looked_into/reviewed|"
    "need to be deleted/removed/purged/archived/investigated/reviewed/checked|must/should be flagged/reported please|"
    "should/must be looked at|should/must be reviewed|have to be looked at|"
    "have to be reviewed|should/must be investigated|deserve a look|need a look|should/must be listed|"
    "should/must be shown|shall not be accepted/tolerated/permitted/allowed/present/there/found|"
    "shall never occur/exist|must not be permitted/tolerated/found|may not be accepted/tolerated/permitted/found|"
    "can not be accepted/tolerated|"
    "shall be prohibited/reported/raised/listed/corrected/treated_as_findings/treated_as_a_finding|"
    "be to be raised/raised_as_a_finding/treated_as_a_finding/treated_as_findings/avoided|"
    "should not be accepted/tolerated/permitted/found|be to be considered a finding|must be treated as findings|"
    "must be raised as a finding|can not/never be right/correct/true|can hardly be right/correct/true|"
    "must/should/have_to/need_to be chased/chased_up/followed_up/dealt_with"
)
NOTHING = "nothing|nobody|no one|no row|no record|no entry|no value|none|no_body"
NO = "no|not a single|not one|none of|not any|zero|no single"
EVERY = (
    "every|each|all|any|each and every|every single|all of|each of|all the|any given|each single|all of the|"
    "each one of|the whole|every one of|a given|every individual|each individual"
)
ARTICLE = "a|an|the|this|that|these|those|some_one"
POSSESSIVE = (
    "its|their|his|her|his or her|the respective|the corresponding|the associated|the related|the linked|"
    "the matching|the referenced|the relevant|the chosen|the selected|the assigned|the underlying|"
    "the concerned|our|your|"
    "the given|the same row 's"
)

# ---- clauses ---------------------------------------------------------------------------------------------------
IF = (
    "if|when|whenever|where|in case|given that|provided that|provided|as soon as|once|as long as|so long as|"
    "in the event that|while|in cases where|in the case that|assuming|assuming that|every time|in which case"
)
ONLY_IF = "only if|only when|only where|only in case|only once|only after|only as long as|only for|only provided that"
UNLESS = "unless|except if|except when|except where|except in case|other than when|save when|except"
FOR = "for|in|among|amongst|within|in the case of|in case of|with|concerning|on|regarding|as for|of"
RELATIVE = "that|which|who"
UNKNOWN = (
    "unknown|nonexistent|non existent|non existing|nonexisting|undefined|unregistered|unlisted|inexistent|not existing"
)
IGNORED_MISSING = (
    "be ignored|be allowed|be permitted|be ok|be okay|be fine|be accepted|be acceptable|be tolerated|"
    "can be ignored|may be ignored|do not count|should be ignored|be not checked|be skipped|be excluded|"
    "are to be ignored|be disregarded|may be missing|do not matter|may be skipped|be left out|pass|be exempt|"
    "be valid|be not considered|be not a problem|be no problem|be not an issue|be not judged|be not flagged|"
    "need not be checked|may be present|may occur"
)
IF_GIVEN = (
    "if present|when present|if given|when given|if any|where present|if set|when set|if provided|when provided|"
    "if not null|if available|when available|where available|if specified|if filled|if filled in|when filled|"
    "when not null|if known|when known|if supplied|where given|unless missing|unless null|unless empty|"
    "where provided|if not missing|when specified|if populated|when populated|if recorded|when recorded|"
    "where known|if it is given|if it is present|when it is present|when it is given|if it is set|"
    "where applicable|if applicable|if it exists|if one is given|if not empty|when not empty|if non null|"
    "when non null|where not null|where recorded|whenever present|whenever given|when filled in|where set|"
    "when supplied|whenever it is present|if there is one|if it is filled|if existing|if stated|"
    "unless it is missing|unless it is null|if it is not null|if it is not missing|when it is not null|"
    "if filled out|if entered|when entered|once set|once known"
)

# ---- numbers and time ------------------------------------------------------------------------------------------
NUMBER_WORDS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
MULTIPLIERS = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
SUFFIXES = {"k": 1_000, "m": 1_000_000, "bn": 1_000_000_000}
TIME_UNITS = {
    "second": "seconds",
    "sec": "seconds",
    "minute": "minutes",
    "min": "minutes",
    "hour": "hours",
    "hr": "hours",
    "h": "hours",
    "day": "days",
    "calendar day": "days",
    "night": "days",
    "week": "weeks",
    "month": "months",
    "calendar month": "months",
    "year": "years",
    "yr": "years",
    "calendar year": "years",
}
WEEKDAYS = {
    "monday": 1,
    "tuesday": 2,
    "wednesday": 3,
    "thursday": 4,
    "friday": 5,
    "saturday": 6,
    "sunday": 7,
    "mondays": 1,
    "tuesdays": 2,
    "wednesdays": 3,
    "thursdays": 4,
    "fridays": 5,
    "saturdays": 6,
    "sundays": 7,
}
MONTH_NAMES = {
    "january": 1,
    "february": 2,
    "march": 3,
    "april": 4,
    "may": 5,
    "june": 6,
    "july": 7,
    "august": 8,
    "september": 9,
    "october": 10,
    "november": 11,
    "december": 12,
}
DATE_PARTS = {
    "date": "date",
    "day": "date",
    "calendar day": "date",
    "calendar date": "date",
    "year": "year",
    "calendar year": "year",
    "quarter": "quarter",
    "calendar quarter": "quarter",
    "month": "month",
    "calendar month": "month",
    "week": "week",
    "calendar week": "week",
    "weekday": "weekday",
    "day of the week": "weekday",
    "hour": "hour",
    "minute": "minute",
}

# ---- statistics ------------------------------------------------------------------------------------------------
STATISTICS: dict[str, Statistic] = {
    "sum": "sum",
    "total": "sum",
    "sum total": "sum",
    "total sum": "sum",
    "total amount": "sum",
    "average": "mean",
    "mean": "mean",
    "avg": "mean",
    "arithmetic mean": "mean",
    "mean value": "mean",
    "average value": "mean",
    "median": "median",
    "median value": "median",
    "minimum": "min",
    "min": "min",
    "smallest": "min",
    "lowest": "min",
    "minimum value": "min",
    "earliest": "min",
    "oldest": "min",
    "least": "min",
    "first": "min",
    "maximum": "max",
    "max": "max",
    "largest": "max",
    "highest": "max",
    "greatest": "max",
    "biggest": "max",
    "maximum value": "max",
    "latest": "max",
    "most recent": "max",
    "newest": "max",
    "last": "max",
    "standard deviation": "std",
    "std": "std",
    "stddev": "std",
}

# ---- names -----------------------------------------------------------------------------------------------------
# Verbs that name a column: "weigh less than 50 kg" is about the weight.
COLUMN_VERBS = {
    "weigh": ("weight",),
    "last": ("duration", "length"),
    "cost": ("price", "cost", "unit price", "fee", "amount", "charge", "monthly price", "total"),
    "pay": ("paid", "amount paid", "payment"),
    "earn": ("salary", "wage", "income", "pay", "base pay", "compensation"),
    "measure": ("height", "length", "size"),
}
# A comparison that names what it compares: "younger than 13" is about an age.
COMPARATIVES = {
    "younger": ("<", ("age",)),
    "older": (">", ("age",)),
    "cheaper": ("<", ("price", "cost", "unit price", "amount")),
    "heavier": (">", ("weight",)),
    "lighter": ("<", ("weight",)),
    "taller": (">", ("height", "size")),
    "smaller": ("<", ("height", "size")),
    "bigger": (">", ("size", "height")),
    "larger": (">", ("size", "area")),
    "shorter": ("<", ("height", "duration", "length")),
    "longer": (">", ("duration", "length")),
    "warmer": (">", ("temperature",)),
    "hotter": (">", ("temperature",)),
    "colder": ("<", ("temperature",)),
    "cooler": ("<", ("temperature",)),
    "faster": (">", ("speed",)),
    "slower": ("<", ("speed",)),
    "pricier": (">", ("price",)),
    "more expensive": (">", ("price", "cost", "unit price")),
    "less expensive": ("<", ("price", "cost", "unit price")),
}
AGE_WORDS = "year old|years old|year of age|years of age"
# Words that cannot be a value without quotes, since they mean something in the language.
RESERVED_VALUES = frozenset(
    [
        # Words that stand for values without being one: "EUR or similar".
        "similar",
        "equivalent",
        "comparable",
        "alike",
        "suchlike",
        "something",
        "anything",
        "whatever",
        "etc",
        "missing",
        "null",
        "empty",
        "blank",
        "none",
        "nan",
        "unknown",
        "absent",
        "present",
        "unique",
        "valid",
        "invalid",
        "positive",
        "negative",
        "zero",
        "other",
        "same",
        "different",
        "not",
        "no",
        "any",
        "all",
        "each",
        "every",
        "either",
        "neither",
        "must",
        "should",
        "may",
        "can",
        "only",
        "if",
        "when",
        "unless",
        "where",
        "and",
        "or",
        "than",
        "the",
        "a",
        "an",
        "of",
        "in",
        "on",
        "to",
        "is",
        "are",
        "be",
        "been",
        "it",
        "its",
        "future",
        "past",
        "today",
        "now",
        "tomorrow",
        "yesterday",
        "true",
        "false",
        "given",
        "set",
        "known",
        "existing",
        "duplicate",
        "duplicated",
        "distinct",
        "mandatory",
        "required",
        "optional",
        "numeric",
        "integer",
        "number",
        "date",
        "text",
        "string",
        "boolean",
        "correct",
        "right",
        "wrong",
        "ok",
        "okay",
        "good",
        "bad",
        "reasonable",
        "plausible",
        "consistent",
        "complete",
        "accurate",
        "sensible",
        "recent",
        "high",
        "low",
        "large",
        "small",
        "big",
        "long",
        "short",
        "else",
        "nothing",
        "something",
        "anything",
        "everything",
        "there",
        "them",
        "they",
        "at",
        "least",
        "most",
        "more",
        "less",
        "greater",
        "fewer",
        "within",
        "between",
        "per",
        "by",
        "with",
        "without",
        "for",
        "from",
    ]
)


def _words_of(content: object) -> set[str]:
    if isinstance(content, str):
        return {
            word
            for part in content.replace("|", " ").replace("/", " ").replace("_", " ").split()
            for word in (part.strip("[]"),)
            if word.isalpha()
        }
    if isinstance(content, dict):
        return {word for key in content for word in _words_of(key)}
    return set()


# Every word that has a meaning in the language: none of them is taken for a value without quotes.
VOCABULARY = frozenset(
    RESERVED_VALUES.union(*(_words_of(content) for name, content in list(globals().items()) if name.isupper()))
)
