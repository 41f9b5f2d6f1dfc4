/*
 * The program hcbr: finds the command and runs it.
 */
#include "commands.h"
#include "files.h"
#include "term.h"

#include <hcbr/text.h>

#include <malloc.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static const example TRAIN_EXAMPLES[] = {
    {"Build a model from a table whose column class holds the label:",
     "hcbr train votes.csv --label class -o votes.hcbr",
     "label: column 'class', 2 labels\n"
     "cases     435, 1 of them empty\n"
     "features  32\n"
     "labels    democrat 267, republican 168\n"
     "...\n"
     "model     votes.hcbr, ..."},
    {"The paper's model: three passes over the cases in the order of another seed, with two "
     "threads:",
     "hcbr train votes.csv --model plain --passes 3 --seed 7 -j 2 -q -o votes.hcbr", NULL},
    {"Give a label only if it is twice as probable as the other one:",
     "hcbr train votes.csv --eta-share democrat=0.67,republican=0.67 -q -o sure.hcbr", NULL},
    {"See how the data will be read, without training:", "hcbr train votes.csv --explain-input",
     "..."},
    {"Read from a pipe, and leave two columns out:",
     "cat votes.csv | hcbr train - --ignore crime,immigration -q -o votes.hcbr", NULL},
    {NULL, NULL, NULL}};

static const example PREDICT_EXAMPLES[] = {
    {"First train a model:", "hcbr train votes.csv -q -o votes.hcbr", NULL},
    {"Decide the rows of a table:", "hcbr predict votes.hcbr votes.csv", "..."},
    {"Count the answers:", "hcbr predict -q votes.hcbr votes.csv | cut -f 2 | sort | uniq -c",
     "    ... democrat\n"
     "    ... republican"},
    {"Write a file of JSON Lines:", "hcbr predict votes.hcbr votes.csv --json -q -o answers.jsonl",
     NULL},
    {"Write the table with the answers beside it, likely republicans first:",
     "hcbr predict votes.hcbr votes.csv --add-columns --sort republican -q -o o.csv", NULL},
    {"Answer line by line in a pipe:",
     "cat votes.csv | hcbr predict votes.hcbr - --format csv | head -n 3", "..."},
    {"Give no label whose probability is below 0.9:",
     "hcbr predict votes.hcbr votes.csv --eta democrat=0.9,republican=0.9", "..."},
    {"Decide one case, given on the command line:",
     "hcbr predict votes.hcbr --case physician-fee-freeze=n --case crime=y", "..."},
    {NULL, NULL, NULL}};

static const example EVALUATE_EXAMPLES[] = {
    {"How well are cases decided that the model has not seen?", "hcbr evaluate votes.csv", "..."},
    {"The same ten times over, with two threads, for a program:",
     "hcbr evaluate votes.csv --repeats 10 -j 2 --json", "..."},
    {"Keep the folds and every held-out decision:",
     "hcbr evaluate votes.csv --folds 5 --folds-out folds.txt --predictions answers.jsonl", "..."},
    {"Other options on the same folds:",
     "hcbr evaluate votes.csv --folds-file folds.txt --model plain --passes 3 --scope all", "..."},
    {"A tenth of the cases held out, and figures about the label democrat:",
     "hcbr evaluate votes.csv --holdout 0.1 --positive democrat", "..."},
    {"Train on one file and test on another:", "hcbr evaluate votes.csv --test votes.csv", "..."},
    {"Train a model and keep it:", "hcbr train votes.csv -q -o votes.hcbr", NULL},
    {"Later, how well does it decide newly labelled cases?", "hcbr evaluate votes.hcbr votes.csv",
     "..."},
    {NULL, NULL, NULL}};

static const example REPORT_EXAMPLES[] = {
    {"Can a model of these data be trusted?", "hcbr report votes.csv --folds 3 -q -o report.html",
     NULL},
    {"The same without the curves that take long:",
     "hcbr report votes.csv --quick -q -o report.html", NULL},
    {"Train a model and keep it:", "hcbr train votes.csv -q -o votes.hcbr", NULL},
    {"The model, and new data that it meets:", "hcbr report votes.hcbr votes.csv -q -o report.html",
     NULL},
    {"Keep a result:", "hcbr study passes votes.csv --passes 3 --json -q > passes.json", NULL},
    {"Results that were printed before:", "hcbr report passes.json -q -o report.html", NULL},
    {NULL, NULL, NULL}};

static const example DRIFT_EXAMPLES[] = {
    {"Train a model and keep it:", "hcbr train votes.csv -q -o votes.hcbr", NULL},
    {"Do its own cases look like themselves?", "hcbr drift votes.hcbr votes.csv",
     "drift     0, not above the limit of 0.1: the data look like those of training\n..."},
    {"Stop a script if new cases differ much; print nothing else:",
     "hcbr drift votes.hcbr votes.csv --limit 0.2 -q > drift.txt", NULL},
    {"For a program:", "hcbr drift votes.hcbr votes.csv --json", "..."},
    {NULL, NULL, NULL}};

static const example STUDY_EXAMPLES[] = {
    {"Would more cases help?", "hcbr study curve votes.csv",
     "label: column 'class', 2 labels\nWith all training cases the accuracy is ...\n..."},
    {"The same with two threads, for a program:", "hcbr study curve votes.csv -j 2 --json", "..."},
    {"How much more accurate are fewer answers?", "hcbr study pareto votes.csv", "..."},
    {"Do more training passes help?", "hcbr study passes votes.csv --passes 5", "..."},
    {"How much of new cases is known, and what is the best that can be hoped for?",
     "hcbr study cover votes.csv", "..."},
    {"Are all features of use?", "hcbr study prune votes.csv", "..."},
    {"Are there better strengths than those that training finds?",
     "hcbr study space votes.csv --generations 10", "..."},
    {NULL, NULL, NULL}};

static const example INSPECT_EXAMPLES[] = {
    {"First train a model:", "hcbr train votes.csv -q -o votes.hcbr", NULL},
    {"Show what it holds, with three features and conjunctions of each label:",
     "hcbr inspect votes.hcbr --top 3", "..."},
    {"One atom in full, with past cases that have it:",
     "hcbr inspect votes.hcbr --atom crime=y --top 2", "atom 7: 1 feature in 248 cases\n..."},
    {"One past case in full:", "hcbr inspect votes.hcbr --case 12", "  row 12: republican\n..."},
    {"The same for a program:", "hcbr inspect votes.hcbr --json", "..."},
    {NULL, NULL, NULL}};

static const example EXPLAIN_EXAMPLES[] = {
    {"First train a model; it keeps the cases it was built from:",
     "hcbr train votes.csv -q -o votes.hcbr", NULL},
    {"Why does the third row get its answer?", "hcbr explain votes.hcbr votes.csv --rows 3",
     "row 3: democrat...\n..."},
    {"How does it differ from a past case, the one of row 12?",
     "hcbr explain votes.hcbr votes.csv --rows 3 --versus 12", "row 3: democrat...\n..."},
    {"What would change the answer, if the vote on crime stays as it is?",
     "hcbr explain votes.hcbr votes.csv --rows 3 --top 3 --flip --fixed crime",
     "row 3: democrat...\n..."},
    {"Which missing vote could matter most?",
     "hcbr explain votes.hcbr votes.csv --rows 3 --top 3 --ask", "row 3: democrat...\n..."},
    {"A page to print or mail, with the first five rows:",
     "hcbr explain votes.hcbr votes.csv --rows 1-5 --flip --html reasons.html -q", NULL},
    {"Every past case and its influence, for a program:",
     "hcbr explain votes.hcbr votes.csv --rows 1-10 --all --json", "..."},
    {"Two votes are known. Which should be asked for next?",
     "hcbr explain votes.hcbr --case crime=y --case immigration=n --top 3 --ask",
     "row 1: ...\n..."},
    {NULL, NULL, NULL}};

static const example CONVERT_EXAMPLES[] = {
    {"The cases of a table as JSON Lines:", "hcbr convert votes.csv -o votes.jsonl",
     "cases     435, 1 of them empty\n"
     "features  32 of 16 keys\n"
     "labels    2\n"
     "written   votes.jsonl"},
    {"For programs that read LIBSVM; a second file has the names of the ids and labels:",
     "hcbr convert -q votes.csv -o votes.libsvm && head -n 4 votes.libsvm.names", "..."},
    {"Train from that file; the model is the same as from the table:",
     "hcbr train -q votes.libsvm --names votes.libsvm.names -o votes.hcbr", NULL},
    {"Into a pipe:", "hcbr convert votes.csv --to csv -o - 2>/dev/null | head -n 1", "class,..."},
    {NULL, NULL, NULL}};

static const example AUDIT_EXAMPLES[] = {
    {"What should you know about the data before training?", "hcbr audit votes.csv",
     "label: column 'class', 2 labels\ncases     435, 1 of them empty\n..."},
    {"A column that repeats the label is found, and the exit status is 1:",
     "sed 's/^\\([a-z]*\\),/\\1,x\\1,/' votes.csv > leak.csv; hcbr audit leak.csv -q > found.txt "
     "|| "
     "grep -c SERIOUS found.txt",
     "..."},
    {"The same for a program:", "hcbr audit votes.csv --json", "..."},
    {NULL, NULL, NULL}};

static const example TUNE_EXAMPLES[] = {
    {"Choose thresholds for the largest Matthews coefficient:",
     "hcbr tune votes.csv --metric mcc -o votes.hcbr",
     "label: column 'class', 2 labels\ncases     435, 1 of them empty\n..."},
    {"A missed republican is ten times as bad as a false one:",
     "hcbr tune votes.csv --positive republican --cost fp=1,fn=10 -q -o careful.hcbr", NULL},
    {"Answer only where at most one answer in ten is wrong:",
     "hcbr tune votes.csv --max-error 0.1 -q -o sure.hcbr", NULL},
    {NULL, NULL, NULL}};

const struct command command_table[] = {
    {.name = "train",
     .bit = HCBR_FOR_TRAIN,
     .run = cmd_train,
     .prints = PRINTS_BESIDE,
     .synopsis = "[options] DATA... -o MODEL",
     .least = 1,
     .most = SIZE_MAX,
     .operand = "DATA",
     .summary = "build a model from labelled cases",
     .description =
         "Build a model from labelled cases. DATA is one or more files, or - for standard input. "
         "Features that occur in exactly the same cases form an atom. A rich model, the default, "
         "also finds ordered tests of numbers (age<=37.5), conjunctions of tests and neighbouring "
         "cases. It weights them all on held-out cases and gives probabilities. With --model "
         "plain each atom gets a strength for every label, which training passes then correct. "
         "This is much faster, and meant for very large data.\n\nThe model stores the options for "
         "reading, except --format, --bad-rows and the limits, and the options for deciding. "
         "predict uses them unless it is given others.",
     .output = "Nothing on standard output, or with --json one object (schema hcbr.train/1). A "
               "summary goes to standard error: cases, features, atoms, labels with their cases, "
               "wrong decisions in each pass, size of the model.",
     .examples = TRAIN_EXAMPLES},
    {.name = "tune",
     .bit = HCBR_FOR_TUNE,
     .run = cmd_tune,
     .prints = PRINTS_BESIDE,
     .synopsis = "[options] DATA... -o MODEL",
     .least = 1,
     .most = SIZE_MAX,
     .operand = "DATA",
     .summary = "build a model with thresholds for a measure, costs or a risk",
     .description =
         "Build a model as train does, and choose the thresholds of its answers on held-out "
         "cases. They are chosen for the largest accuracy or another measure (--metric), for the "
         "least cost (--cost), or so that the share of wrong answers stays within a limit, with "
         "unknown as the answer elsewhere (--max-error). With two labels the answer never changes "
         "back as the probability rises. With --cost a model that has probabilities (rich, or "
         "calibrated) gives the label of least expected cost, or unknown if that has a price and "
         "costs less. The number of passes and the scope can be chosen too. Each held-out case is "
         "decided by a model of the other --folds; in a rich model, by the fold model that was "
         "trained "
         "without it.\n\nThen the whole procedure is repeated --folds times, each time without "
         "one part of the cases (equal rows, or the rows of a --group, are in one part), and the "
         "resulting model decides that part. The figures printed "
         "are about these decisions: no case took part in a choice that it is judged by. The "
         "model stores the rule and the reason for it.",
     .output =
         "The model, a summary on standard error, and with --json one object (schema "
         "hcbr.tune/1). If no thresholds keep the error below --max-error, nothing is written and "
         "the exit status is 1.",
     .examples = TUNE_EXAMPLES},
    {.name = "predict",
     .bit = HCBR_FOR_PREDICT,
     .run = cmd_predict,
     .prints = PRINTS_INSTEAD,
     .synopsis = "[options] MODEL (DATA... | --case COL=VALUE...)",
     .least = 2,
     .most = SIZE_MAX,
     .operand = "MODEL",
     .summary = "decide new cases with a model",
     .description =
         "Decide new cases with a model. DATA is one or more files, or - for standard input. "
         "Standard input is answered line by line as it arrives. Labels in the data are never "
         "used to decide; if there are any, the share of right answers is printed at the "
         "end.\n\nThe options stored in the model are used for reading and deciding, unless "
         "others are given here.\n\nInstead of DATA, one case can be given feature by feature: "
         "--case age=39 --case job=clerk. The column ends at the first equals sign; a word "
         "without one is a bare feature. A column that is given again has several values. The "
         "values are read like those of a file: missing values, sets and texts are recognised, "
         "and the label is not a feature.",
     .output =
         "A line for each row, with five fields separated by tabs. First: the number of the row, "
         "or its id if there is an id column. Second: the label, or unknown if no label is given "
         "(a label of that name is shown in quotes, \"unknown\"). Third: the probability of the "
         "label; from a model without probabilities (plain, not calibrated) its lead, which is "
         "its support minus that of the best other label; empty if undecided. Fourth: how many "
         "features are known, as known/all. Fifth: the unseen features, or why there is no "
         "decision, or that nothing is known. In these fields \\t, \\n, \\r, \\\\ and \\xNN stand "
         "for the bytes of characters that would break a line, control a terminal or change the "
         "direction of text.\n\n--to csv and --to tsv write a table with a header: id (row if "
         "there is no id column), label, and for every label L the column p(L) with its "
         "probability, also where the label is unknown. From a model without probabilities the "
         "columns are support(L). With --to jsonl, or --json, each line is an object (schema "
         "hcbr.predict/1).\n\n--add-columns writes all columns of DATA as they stand there, then "
         "label and p(L) (jsonl: schema hcbr.predict.columns/1). A name that DATA has already gets "
         "_2 behind it, or the next number that is free: label_2. DATA must be csv, tsv, jsonl or "
         "SQLite. A command that reads such data again for a model leaves out what was added, and "
         "says so. If the columns are known only at the end (a table from jsonl, or from several "
         "files), the rows are written then.\n\n--sort LABEL writes the rows by the probability of "
         "LABEL, the largest first; from a model without probabilities, by the lead of LABEL. Rows "
         "with the same are in the order of DATA.",
     .examples = PREDICT_EXAMPLES},
    {.name = "explain",
     .bit = HCBR_FOR_EXPLAIN,
     .run = cmd_explain,
     .prints = PRINTS_INSTEAD,
     .synopsis = "[options] MODEL (DATA... | --case COL=VALUE...)",
     .least = 2,
     .most = SIZE_MAX,
     .operand = "MODEL",
     .summary = "show the reasons for decisions",
     .description =
         "Decide cases as predict does and show why: the groups of features (atoms) that counted, "
         "what each of them adds to the lead of the answer over the best other label, the past "
         "cases that speak most for the answer, and those that speak most against it. The reasons "
         "are for the answer that is given. If a threshold or another part of the rule gave an "
         "answer other than the label with the largest support, the output says so. If there is "
         "no answer, the reasons are for the label with the largest support.\n\nAll support of a "
         "case comes from past cases, so the influences of all past cases add up to the support "
         "exactly. They show where the support comes from, not what would happen if a past case "
         "were left out. A model trained with --keep-cases none shows groups of features only; "
         "one with anonymous cases names them by their row. The groups of a rich model are its "
         "features and conjunctions of tests, such as age<=37.5 & job=clerk. The part of its "
         "support that does not come from past cases is the bias.\n\n--versus compares each case "
         "with one past case. It lists what the features of the two add to the lead; the "
         "differences add up to the difference of the leads.\n\n--flip looks for the fewest "
         "changes that change the answer. A change removes a feature, adds one that training has "
         "seen, or replaces the only value of a key by another. Every result is checked by "
         "deciding the changed case. The number of changes is the smallest possible if it is at "
         "most 3, or if the largest support alone decides, unless the output says otherwise; in a "
         "rich model, if all smaller sets of changes could be tried, which the output says. The "
         "search ends after --flip-limit steps, which do not depend on the machine. If it ends "
         "without a result, there may still be one; the output says how far it looked.\n\n--ask "
         "takes the keys for which a case has no value, and shows what their values would "
         "do.\n\nInstead of DATA, one case can be given feature by feature with --case, as for "
         "predict.",
     .output =
         "Text, or with --json one object on a line for each row (schema hcbr.explain/1). A case "
         "without a decision is unknown; a label of that name is shown in quotes, \"unknown\". "
         "With -v the past cases that count most in each group are shown too. --html writes a "
         "self-contained page, without scripts and without styles or fonts from elsewhere; all "
         "text of the data is escaped.",
     .examples = EXPLAIN_EXAMPLES},
    {.name = "convert",
     .bit = HCBR_FOR_CONVERT,
     .run = cmd_convert,
     .prints = PRINTS_BESIDE,
     .synopsis = "[options] DATA... -o OUT",
     .least = 1,
     .most = SIZE_MAX,
     .operand = "DATA",
     .summary = "write cases in another format",
     .description =
         "Read labelled cases as train does and write them in another format, so that other "
         "programs can be run on exactly the same cases. DATA is one or more files, or - for "
         "standard input. If the result is read again with the options that the summary names, it "
         "gives the same model, byte for byte; only the count of skipped rows is lost. With "
         "--ignore, "
         "--split, --text, --presence, --join or --bins their work is done in OUT, while a model "
         "of "
         "DATA remembers them: the cases are the same, the models differ, and the summary says so."
         "\n\njsonl "
         "can hold every case. csv and tsv can hold cases with one value for each key: a key "
         "without a value, a second value of a key and a value that means missing are errors. "
         "libsvm and cases hold an id for each feature, from 1 on. A file of names says what the "
         "ids mean, and the labels unless all labels are numbers.",
     .output =
         "Nothing on standard output, except the data with -o -, or with --json one object "
         "(schema hcbr.convert/1). A summary goes to standard error: cases, features, labels, the "
         "files written, and the options to read them with.\n\nA line of a file of names holds "
         "fields separated by tabs: feature, its id, its key and, unless it is a bare key, its "
         "value; label, its form in the data, and its text; case, its row and its id; label_name "
         "and the column or key of the label. \\t, \\n, \\r, \\\\ and \\xNN stand for the bytes "
         "of characters that would break a line or control a terminal.",
     .examples = CONVERT_EXAMPLES},
    {.name = "audit",
     .bit = HCBR_FOR_AUDIT,
     .run = cmd_audit,
     .prints = PRINTS_ALWAYS,
     .synopsis = "[options] DATA...",
     .least = 1,
     .most = SIZE_MAX,
     .operand = "DATA",
     .summary = "look for problems in the data, before training",
     .description =
         "Read labelled cases as train does and look for what makes a model wrong, or too good to "
         "be true: groups of features or columns that give the label away, columns in which "
         "nearly every case has a value of its own (ids, or raw numbers), identical cases with "
         "different labels, held-out cases that share little with the others, empty cases, rare "
         "labels, cases sorted by label, duplicates, features that every case has or only "
         "one.\n\nIdentical cases with different labels limit the accuracy of any rule that sees "
         "only these features; the limit is printed. A group of features gives a label away if "
         "99.5 % of the cases with it have the label and 95 % of the cases of the label have it. "
         "A column does if the most frequent label of each value is right in 99.5 % of the cases. "
         "This can be real, or the column was filled in after the answer was known.",
     .output =
         "Figures, then the findings, serious ones first, each with rows of the data. The exit "
         "status is 1 if something serious was found: only one label, a group or column that "
         "gives labels away, a column of ids, contradictions that cost more than 1 case in 100, "
         "less than half of the features of held-out cases known, more than 1 held-out case in 10 "
         "without a known feature, more than 1 case in 10 empty. With --json one object (schema "
         "hcbr.audit/1).",
     .examples = AUDIT_EXAMPLES},
    {.name = "evaluate",
     .bit = HCBR_FOR_EVALUATE,
     .run = cmd_evaluate,
     .prints = PRINTS_ALWAYS,
     .synopsis = "[options] [MODEL] DATA...",
     .least = 1,
     .most = SIZE_MAX,
     .operand = "DATA",
     .summary = "say how well unseen cases are decided",
     .description =
         "Say how well cases are decided that the model has not seen. The cases are dealt to "
         "folds, each with its share of every label; each fold is decided by a model that is built "
         "from the other folds, as train would build it from those rows alone. Nothing of a "
         "held-out case takes part in building the model that decides it: a feature that only "
         "held-out cases have is unseen.\n\n"
         "Instead of folds, one part can be held out (--holdout), another file can be decided "
         "(--test), the past can decide the future (--past-only), or folds can be given "
         "(--folds-file). With --group, cases that belong together are held out together.\n\n"
         "If a model stands before the data, nothing is trained: the model decides the data, which "
         "have labels, and the figures are those of its answers. A label that it does not know "
         "cannot be decided; cases without a label are left out.\n\n"
         "A label that a training part lacks cannot be decided there: its cases count as wrong. A "
         "fall-back label that it lacks counts as unknown. A metric that does not exist (0/0, such "
         "as the recall of a label that no held-out case of a fold has) is left out of the mean "
         "over the folds.",
     .output =
         "Text, or with --json one object (schema hcbr.evaluate/1, see docs/JSON.md). "
         "Each metric is given with its mean and standard deviation over the folds, an interval of "
         "95 %, and its value for a model that always gives the most frequent label of its "
         "training cases. An undecided case counts as wrong. Folds share their training cases, so "
         "an interval from their spread alone would promise too much: accuracy and other shares of "
         "cases have Wilson's interval for the pooled decisions of one repeat, all others "
         "Student's interval with the correction of Nadeau and Bengio.\n\n"
         "Recall, specificity, precision, npv and f1 are those of the positive label; with more "
         "than two labels, and none named, they are means over the labels, and a table shows each "
         "of them. AUC (area under the ROC curve) and pr_auc (area under precision by recall) use "
         "the support of a label minus the best other one. Held-out cases "
         "with exactly the features of a training case are counted as copies, and the accuracy on "
         "the others is given. Undecided cases are counted under unknown; a label of that name is "
         "shown in quotes, \"unknown\". -v adds a line for each fold.",
     .examples = EVALUATE_EXAMPLES},
    {.name = "report",
     .bit = HCBR_FOR_REPORT,
     .run = cmd_report,
     .prints = PRINTS_INSTEAD,
     .synopsis = "[options] (DATA... | MODEL [DATA...] | RESULT...)",
     .least = 1,
     .most = SIZE_MAX,
     .operand = "DATA",
     .summary = "write a page of HTML: can the model be trusted?",
     .description =
         "Write one page that says in a few sentences whether to trust a model, and shows on what "
         "this rests.\n\n"
         "From DATA: models are built from them as evaluate does, and decide held-out cases. The "
         "page shows the confusion matrix, all measures, how far probabilities hold, the support "
         "of right and wrong answers, the decision plane, ROC, precision by recall and lift, a "
         "learning curve, the frontier of fewer and surer answers, the importance of columns, the "
         "strongest groups, typical and contested cases, how the columns were taken, what an audit "
         "finds, time and memory. The learning curve is drawn three times for up to 1000 cases, "
         "once for more.\n\n"
         "From a MODEL: what it rests on; with new DATA also their drift and, if they have labels, "
         "how well they are decided.\n\n"
         "From RESULTs: files that evaluate, tune, train, study, drift, audit or inspect printed "
         "with --json, in any number. Of two of the same kind the last one is shown.",
     .output =
         "A page of HTML without scripts, which loads nothing: light or dark as the reader likes, "
         "to be printed, with a table under every chart. The JSON it was made from is in it: the "
         "text of each pre element of the class result is one object. All text of the data is "
         "escaped. With --json the results alone, an object on each line.",
     .examples = REPORT_EXAMPLES},
    {.name = "drift",
     .bit = HCBR_FOR_DRIFT,
     .run = cmd_drift,
     .prints = PRINTS_ALWAYS,
     .synopsis = "[options] MODEL DATA...",
     .least = 2,
     .most = SIZE_MAX,
     .operand = "MODEL",
     .summary = "say whether new cases still look like those of training",
     .description =
         "Compare new cases with those that a model was built from: the values of each column, the "
         "answers, how sure the model is of them, and the labels if the data have any. What is new "
         "and what is gone is named, columns and values. Labels are not needed.\n\n"
         "The shift of a column is the least share of the cases whose value would have to change "
         "for the two to be alike: half the sum of the absolute differences of the shares of its "
         "values. Values that fewer than five training cases have count as one, together with new "
         "ones; numbers are compared by tenths. Small data shift by chance. What chance explains "
         "is subtracted, and the rest is the drift: without any change, no figure of a run is "
         "above 0 in about 19 of 20 runs. The training cases themselves have no drift.\n\n"
         "A column that no new case has is gone, which is drift; a new column is not, since the "
         "model does not use it. A model trained with --keep-cases none does not know how numbers, "
         "answers and scores were.\n\n"
         "A model is surer of the cases it was built from than of new ones. So the scores can "
         "shift "
         "though nothing else does, and they do not count for the limit.",
     .output =
         "The largest drift and a verdict, then the columns, those that changed most first. The "
         "exit status is 1 if the largest drift is above --limit. With --json one object (schema "
         "hcbr.drift/1, see docs/JSON.md).",
     .examples = DRIFT_EXAMPLES},
    {.name = "study",
     .bit = HCBR_FOR_STUDY,
     .run = cmd_study,
     .prints = PRINTS_ALWAYS,
     .synopsis = "[options] KIND DATA...",
     .least = 1,
     .most = SIZE_MAX,
     .operand = "KIND",
     .summary = "experiment with models of the data",
     .description =
         "Run an experiment of the paper on labelled cases, which are read as train reads them. "
         "KIND says which one; docs/STUDY.md explains each of them.\n\n"
         "curve: accuracy and MCC by the number of training cases, on these cases and on a "
         "held-out tenth.\n\n"
         "pareto: accuracy against the share of held-out cases that are answered, as the least "
         "support or the least share rises; and the frontier, the thresholds that no other one "
         "beats in both.\n\n"
         "passes: errors after each training pass.\n\n"
         "cover: how much of held-out cases the others cover, and the accuracy that cannot be "
         "exceeded because of contradictions and of what is not covered.\n\n"
         "space: how much better other strengths could be, found by the evolution strategy of the "
         "paper and by a convex solver, on training and on held-out cases; two labels.\n\n"
         "reach: support that also comes from the atoms of cases that share features with a case, "
         "and of their neighbours, beside plain and rich models; two labels.\n\n"
         "prune: accuracy, size and time of models that keep a share of the features, those that "
         "tell the labels apart most; and of train --prune.\n\n"
         "time: seconds to build a model of made-up cases, as their number and size grow, with the "
         "exponents; no DATA.",
     .output =
         "A sentence that says what was found, then tables. Long ones are shown in part; with "
         "--json one object has all (schema hcbr.study/1, see docs/JSON.md).",
     .examples = STUDY_EXAMPLES},
    {.name = "inspect",
     .bit = HCBR_FOR_INSPECT,
     .run = cmd_inspect,
     .prints = PRINTS_ALWAYS,
     .synopsis = "[options] MODEL",
     .least = 1,
     .most = 1,
     .operand = "MODEL",
     .summary = "show what a model holds",
     .description =
         "Show what a model holds: counts, labels, options, the fingerprint of its cases, wrong "
         "decisions in each training pass, the atoms that speak most for each label, and the past "
         "cases that contribute most to the strengths. The case base is also shown as a "
         "hypergraph: how many features and atoms a case has, how many atoms there are by size "
         "and by number of cases, and how much of a case also occurs in other cases.\n\nThe "
         "contribution of a past case is its share of the strengths of its atoms before training "
         "(all strengths of a label add up to 1), and what training moved because of it. In a "
         "rich model it is what the case adds to the support of a case equal to it. A model "
         "trained with --keep-cases none cannot show past cases; one with anonymous cases names "
         "them by their row.\n\nFor a rich model the features (a range of a number is one) and "
         "the conjunctions of tests that speak most for each label are shown, with what they add "
         "to the lead of the label in a case that has them. Leaves of trees with the same tests "
         "are one group. Groups are sorted by their average over the past cases of the label: "
         "what they add times the share of these cases that have them. Without past cases it is "
         "not known which cases have a conjunction; then conjunctions are sorted by what they add."
         "\n\nThe importance of a column is what it adds to the lead of a decision, its absolute "
         "value averaged over past cases: all of them, or at most 1000 evenly spaced ones if the "
         "model keeps more. It is not known of a model trained with --keep-cases none.",
     .output =
         "Text, or with --json one object (schema hcbr.inspect/1). An atom is shown with its "
         "features, joined by &, its strength for the label, its lead (that strength minus the "
         "largest of the other labels) and the number of cases of each label that have it. A "
         "group of a rich model is shown with its tests, what it adds, the average of that, and "
         "the number of past cases of each label that have it.",
     .examples = INSPECT_EXAMPLES},
};
const size_t command_count = sizeof command_table / sizeof command_table[0];

/* hcbr --print-man NAME: for the build, and so not in the help. */
static int print_man(const char *name) {
    const struct command *command = name ? command_find(name) : NULL;
    if (!command && (!name || strcmp(name, "hcbr") != 0))
        return say_usage(NULL, "--print-man needs hcbr or the name of a command");
    return man_print(command);
}

/* The first command that has an option of this name; NULL: none. */
static const struct command *command_of_option(const char *name) {
    for (size_t i = 0; i < opt_count; i++)
        for (size_t c = 0; opt_table[i].name && strcmp(opt_table[i].name, name) == 0; c++)
            if (c == command_count)
                return NULL;
            else if (opt_table[i].commands & command_table[c].bit)
                return &command_table[c];
    return NULL;
}

static int no_option(const char *name) {
    static const char *const HERE[] = {"--version", "--help"};
    const char *near = NULL;
    unsigned least = HCBR_TEXT_FAR;
    for (size_t i = 0; i < sizeof HERE / sizeof *HERE; i++)
        if (hcbr_text_near(name, strlen(name), HERE[i], strlen(HERE[i]), &least))
            near = HERE[i];
    if (near)
        return say_usage(NULL, "there is no option %s here; did you mean %s?", name, near);
    return say_usage(NULL, "there is no option %s here; a command comes first", name);
}

static int no_command(const char *name) {
    const char *near = command_suggest(name);
    const struct command *has = command_of_option(name);
    if (name[0] == '-')
        return no_option(name);
    if (has)
        return say_usage(NULL, "there is no command %s, but an option: hcbr %s --%s", name,
                         has->name, name);
    if (near)
        return say_usage(NULL, "there is no command %s; did you mean %s?", name, near);
    return say_usage(NULL, "there is no command %s", name[0] ? name : "''");
}

static bool asks_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* hcbr help [COMMAND]: the same as --help. */
static int help(int count, char **words) {
    const char *name = count > 0 ? words[0] : "help";
    bool program = strcmp(name, "help") == 0 || asks_help(name);
    const struct command *command = command_find(name);
    if (!program && !command)
        return no_command(name);
    if (count > 1 && !asks_help(words[1]))
        return say_usage(NULL, "one argument too many: %s", words[1]);
    if (program)
        help_program(stdout);
    else
        help_command(command);
    return EXIT_DONE;
}

static int run(int argc, char **argv) {
    const struct command *command = command_find(argv[1]);
    args given;
    int code = EXIT_DONE;
    if (!command)
        return no_command(argv[1]);
    if (!args_parse(&given, command, argc - 2, argv + 2, &code))
        return code;
    if ((code = files_check(&given, NULL, 0)) == EXIT_DONE)
        code = command->run(&given);
    args_clear(&given);
    return code;
}

/* Whether standard output is a pipe whose reader is gone. */
static bool is_unread(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

/* Help and version go through stdio; a full disk must be noticed there too, but a reader may stop
 * when it has enough. */
static int finish(int code) {
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE && !is_unread()) {
        fprintf(stderr, "hcbr: standard output could not be written\n");
        return EXIT_IO;
    }
    return code;
}

int main(int argc, char **argv) {
    /* Large blocks come from the system and go back to it; fresh ones are zero at no cost. */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    stop_watch();
    opt_fill();
    if (argc < 2) {
        help_program(stderr);
        return EXIT_USAGE;
    }
    if (asks_help(argv[1]))
        return finish(help(0, NULL));
    if (strcmp(argv[1], "help") == 0)
        return finish(help(argc - 2, argv + 2));
    if (strcmp(argv[1], "--version") == 0) {
        printf("hcbr %s\n", hcbr_version());
        return finish(EXIT_DONE);
    }
    if (strcmp(argv[1], "--print-man") == 0)
        return finish(print_man(argc > 2 ? argv[2] : NULL));
    if (strcmp(argv[1], "--print-options") == 0) // for tools/options
        return finish(man_print_options());
    if (strcmp(argv[1], "--print-completion") == 0) // as --print-man
        return finish(complete_print(argc > 2 ? argv[2] : ""));
    if (strcmp(argv[1], "--print-columns") == 0) // for the completions
        return finish(complete_columns(NULL, argc - 2, argv + 2));
    if (strcmp(argv[1], "--print-list") == 0 && argc > 2)
        return finish(complete_columns(argv[2], argc - 3, argv + 3));
    return finish(run(argc, argv));
}
