/*
 * The words of reasons, in text and on pages: one table. A translation is another one like it.
 *
 * Invariant: every word is there; {0}, {1}, ... stand for names and numbers.
 */
#include "render/render.h"

#include <hcbr/words.h>

static const char *const ENGLISH[HCBR_WORD_END] = {
    [HCBR_WORD_TITLE] = "Reasons for decisions",
    [HCBR_WORD_SKIP_TO] = "Cases on this page",
    [HCBR_WORD_INDEX_TITLE] = "Reasons for decisions: all cases",
    [HCBR_WORD_TO_INDEX] = "All cases",
    [HCBR_WORD_MODEL] = "Model",
    [HCBR_WORD_DATA] = "Data",
    [HCBR_WORD_FINGERPRINT] = "Fingerprint of the past cases",
    [HCBR_WORD_VERSION] = "Written by",
    [HCBR_WORD_DATE] = "Date",
    [HCBR_WORD_PAST_CASES] = "Past cases",
    [HCBR_WORD_HELD_OUT] = "On held-out cases",
    [HCBR_WORD_HELD_OUT_IS] =
        "{0} of {1} right ({2}); where the model was {3} sure on average, it was right {4} of"
        " the time",
    [HCBR_WORD_HELD_OUT_RIGHT] = "{0} of {1} right ({2})",
    [HCBR_WORD_HELD_OUT_NOT] = "not measured (hcbr evaluate does it)",
    [HCBR_WORD_HIDDEN] = "Columns kept off this page",
    [HCBR_WORD_ORIGIN] = "Where this page comes from",
    [HCBR_WORD_ABOUT_SUPPORT] =
        "The model adds up evidence for each answer: its support. The lead is the support of "
        "{0} minus that of {1}; above 0, {0} wins. Each line below is a part of the lead, for"
        " {0} (+) or against it (\xE2\x88\x92), and the last line is their sum.",
    [HCBR_WORD_ABOUT_SUPPORT_ONE] =
        "The model adds up evidence for {0}: its support. Each line below is a part of it, "
        "and the last line is their sum.",
    [HCBR_WORD_ABOUT_PARTS] =
        "By column, by combination and by past case the parts of a lead add up to it exactly,"
        " listed or not. They say where the evidence came from, not what would happen without"
        " it.",
    [HCBR_WORD_ABOUT_DIVIDED] =
        "What a combination of columns adds is divided equally over its columns.",
    [HCBR_WORD_CASE] = "Case {0}",
    [HCBR_WORD_CASE_ID] = "Case {0}: {1}",
    [HCBR_WORD_ANSWER_SURE] = "The answer is {0}, with a probability of {1}.",
    [HCBR_WORD_ANSWER] = "The answer is {0}.",
    [HCBR_WORD_NO_ANSWER] = "There is no answer.",
    [HCBR_WORD_NO_ANSWER_SURE] = "There is no answer. The most probable would be {0}, with {1}.",
    [HCBR_WORD_NO_ANSWER_WHY] = "There is no answer: {0}.",
    [HCBR_WORD_NEXT] = "Next comes {0} ({1}).",
    [HCBR_WORD_DATA_AGREES] = "The data says the same.",
    [HCBR_WORD_DATA_SAYS] = "The data says {0}.",
    [HCBR_WORD_HOW_OFTEN] =
        "How often is that right? Of {0} held-out past cases whose answer had a probability "
        "of {1} to {2}, {3} were right ({4}).",
    [HCBR_WORD_HOW_OFTEN_ALL] =
        "How often is that right? Of all {0} held-out past cases, {1} were right ({2}).",
    [HCBR_WORD_HOW_OFTEN_NOT] =
        "How often such an answer is right was not measured on held-out cases.",
    [HCBR_WORD_TURNED] = "The largest support is for {0}, {1}: the answer is {2}.",
    [HCBR_WORD_TURNED_NOT] = "The largest support is for {0}, {1}: there is no answer.",
    [HCBR_WORD_BY_RULE] = "This answer comes from the rule, not from the support: {0}.",
    [HCBR_WORD_THRESHOLD] = "Threshold: {0} is answered only from a probability of {1} on.",
    [HCBR_WORD_THRESHOLD_SUPPORT] =
        "Threshold (eta): {0} is answered only from a support of {1} on.",
    [HCBR_WORD_THRESHOLD_CUT] =
        "Threshold: {0} is answered if its score is above {1}, {2} if it is not above {3}.",
    [HCBR_WORD_THRESHOLD_COST] =
        "The answer with the least expected cost is given, not always the most probable one.",
    [HCBR_WORD_KNOWN] = "{0} of {1} values are known from past cases.",
    [HCBR_WORD_NEVER_SEEN] = "Never seen before: ",
    [HCBR_WORD_AND_MORE] = ", and {0} more",
    [HCBR_WORD_NOTHING] = "Nothing in this case weighed, so there are no reasons.",
    [HCBR_WORD_COLUMNS] = "Columns for and against {0}",
    [HCBR_WORD_COLUMNS_OVER] = "Columns for {0} and against it (for {1})",
    [HCBR_WORD_COLUMN] = "Column",
    [HCBR_WORD_VALUE] = "Value",
    [HCBR_WORD_ADDS] = "Adds",
    [HCBR_WORD_FROM_TO] = "From left (against) to right (for)",
    [HCBR_WORD_START] = "Start: how frequent the answers are",
    [HCBR_WORD_MORE_COLUMNS] = "{0} more columns",
    [HCBR_WORD_ONE_MORE_COLUMN] = "1 more column",
    [HCBR_WORD_HIDDEN_COLUMNS] = "Hidden columns",
    [HCBR_WORD_LEAD] = "Lead of {0} over {1}",
    [HCBR_WORD_LEAD_ONE] = "Lead of {0}",
    [HCBR_WORD_FOR] = "for",
    [HCBR_WORD_AGAINST] = "against",
    [HCBR_WORD_COMBINATIONS] = "Combinations that matter beyond single columns",
    [HCBR_WORD_COMBINATION] = "Combination",
    [HCBR_WORD_SINGLE] = "Single values",
    [HCBR_WORD_GROUPS_OTHER] = "Everything else ({0})",
    [HCBR_WORD_NO_COMBINATIONS] = "None of the strongest reasons is a combination.",
    [HCBR_WORD_BIAS] = "Start, not from past cases",
    [HCBR_WORD_BEHIND] = "Past cases behind it",
    [HCBR_WORD_GROUPS_SAME] =
        "A group is a set of features that always occur together in past cases.",
    [HCBR_WORD_WORDS] = "Words that weighed",
    [HCBR_WORD_WORD] = "Word",
    [HCBR_WORD_TEXT_OF] = "The {0}, with the words that weighed",
    [HCBR_WORD_MARKS] = "Underlined with + : for {0}. Dotted with \xE2\x88\x92 : against it.",
    [HCBR_WORD_WORDS_ABSENT] = "Words that it does not have: {0} together.",
    [HCBR_WORD_SUPPORTS] = "Support and probability of each answer",
    [HCBR_WORD_LABEL] = "Answer",
    [HCBR_WORD_SUPPORT] = "Support",
    [HCBR_WORD_PROBABILITY] = "Probability",
    [HCBR_WORD_ALL_VALUES] = "All values of this case",
    [HCBR_WORD_ANALOGIES] = "Past cases for {0}",
    [HCBR_WORD_COUNTERS] = "Past cases against {0}",
    [HCBR_WORD_OF_PAST] =
        "{0} past cases speak for {1}, {2} against it. Those shown add {3} to the lead, the "
        "other {4} together {5}, the start {6}: in all {7}.",
    [HCBR_WORD_PAST_CASE] = "Past case",
    [HCBR_WORD_ITS_LABEL] = "Its answer",
    [HCBR_WORD_HELD_AS] = "When held out",
    [HCBR_WORD_HELD_RIGHT] = "right, {0}",
    [HCBR_WORD_HELD_WRONG] = "wrong: {0}, {1}",
    [HCBR_WORD_HELD_RIGHT_ONLY] = "right",
    [HCBR_WORD_HELD_WRONG_ONLY] = "wrong: {0}",
    [HCBR_WORD_HELD_UNKNOWN] = "not known",
    [HCBR_WORD_NONE] = "none",
    [HCBR_WORD_HERE] = "Here",
    [HCBR_WORD_THERE] = "There",
    [HCBR_WORD_IN_BOTH] = "in both",
    [HCBR_WORD_EACH_VALUE] = "What each value moves",
    [HCBR_WORD_AND] = " and ",
    [HCBR_WORD_PRESENT] = "has it",
    [HCBR_WORD_BESIDE] = "Side by side",
    [HCBR_WORD_THIS_CASE] = "This case",
    [HCBR_WORD_THAT_CASE] = "Past case",
    [HCBR_WORD_ALIKE] = "Alike",
    [HCBR_WORD_MOVES] = "Moves the lead by",
    [HCBR_WORD_SAME] = "= same",
    [HCBR_WORD_NEAR] = "\xE2\x89\x88 near",
    [HCBR_WORD_DIFFERENT] = "\xE2\x89\xA0 different",
    [HCBR_WORD_ONLY_HERE] = "only here",
    [HCBR_WORD_ONLY_THERE] = "only there",
    [HCBR_WORD_ALL_COLUMNS] = "All {0} columns",
    [HCBR_WORD_LEADS] =
        "The lead is {0} here and {1} there; what neither case has moves it by {2}.",
    [HCBR_WORD_VERSUS_ADDS] = "That case adds {0} to the lead here.",
    [HCBR_WORD_VERSUS_EMPTY] =
        "That case is empty: it shares nothing with this one and has no lead of its own.",
    [HCBR_WORD_BOTH] = "both: {0}",
    [HCBR_WORD_ONLY] = "only here: {0}",
    [HCBR_WORD_ONLY_PAST] = "only there: {0}",
    [HCBR_WORD_NOT_THERE] = "\xE2\x80\x93",
    [HCBR_WORD_APART] = "What tells it apart: {0}.",
    [HCBR_WORD_APART_NOTHING] =
        "The columns do not tell it apart: where they differ, nothing moves the lead towards "
        "this answer.",
    [HCBR_WORD_ALIKE_NOTHING] = "No whole column that speaks for this answer is alike.",
    [HCBR_WORD_ALIKE_IN] = "Most alike in: {0}.",
    [HCBR_WORD_CITE] = "Row {0}",
    [HCBR_WORD_CITE_ID] = "{0}, row {1}",
    [HCBR_WORD_CITE_FILE] = ", {0}",
    [HCBR_WORD_CASES_NOT] = "Past cases are not shown: {0}.",
    [HCBR_WORD_NEEDS_FULL] =
        "To see past cases with their names and values, train with option keep_cases full.",
    [HCBR_WORD_OTHERS] = "Past cases without a part in the lead: {0}",
    [HCBR_WORD_OTHERS_CAPTION] = "What each adds to the support of the answers",
    [HCBR_WORD_FEATURES] = "(features)",
    [HCBR_WORD_HIDDEN_VALUE] = "(hidden)",
    [HCBR_WORD_ROW] = "Row",
    [HCBR_WORD_CASES] = "{0} cases",
    [HCBR_WORD_PAGE] = "Page",
};

const char *hcbr_word_get(hcbr_word word) {
    return (unsigned)word < HCBR_WORD_END ? ENGLISH[word] : "";
}
