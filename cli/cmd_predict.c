/*
 * hcbr predict: decides cases as they are read, a line each.
 *
 * Decisions are written before the program waits for more input, so a pipe is answered line by
 * line. Rows are written without printf: writing must cost less than deciding.
 */
#include "commands.h"
#include "label.h"
#include "out.h"
#include "predict_write.h"
#include "settings.h"
#include "term.h"
#include "trained.h"

#include <stdlib.h>
#include <unistd.h>

enum { SHOWN_UNSEEN = 5 };

typedef struct label_name {
    const char *text;
    size_t length;
    const char *name; /* as label_shown() has it */
    size_t name_length;
    char shown[OUT_SHORT]; /* the name as out_text() writes it, between tabs */
    size_t shown_length;   /* 0: it is too long for that */
} label_name;

/* The number of a row as text: rows are consecutive, and counting is cheaper than dividing.
 */
typedef struct row_text {
    uint64_t row;
    char text[2 * OUT_SHORT]; /* the digits end in the middle */
    size_t length;
} row_text;

/* The counts of a case as text. */
typedef struct counts_text {
    uint64_t known, features;
    char text[2 * OUT_SHORT];
    size_t length; /* 0: none yet */
} counts_text;

typedef struct prediction {
    const args *given;
    term term;
    settings settings;
    hcbr_model *model;
    hcbr_decider *decider;
    hcbr_stream *stream;
    hcbr_read_options read;
    label_name *labels;
    row_text row;
    counts_text counts;
    out *out;
    answers answers;
    hcbr_writer *json; /* NULL: another form is wanted */
    bool direct;       /* somebody may be waiting for each line */
    uint64_t rows, undecided, labelled, labelled_undecided, right;
} prediction;

static void write_unseen(out *o, const hcbr_decision *d) {
    size_t shown = d->unseen_count < SHOWN_UNSEEN ? d->unseen_count : SHOWN_UNSEEN;
    for (size_t i = 0; i < shown; i++) {
        const hcbr_feature *f = &d->unseen[i];
        if (i > 0)
            out_bytes(o, ", ", 2);
        out_text(o, f->key, f->key_length);
        if (f->value) {
            out_byte(o, '=');
            out_text(o, f->value, f->value_length);
        }
    }
    if (shown < d->unseen_count) {
        out_bytes(o, " +", 2);
        out_u64(o, d->unseen_count - shown);
        out_bytes(o, " more", 5);
    }
}

/* Move on to a row. */
static void row_set(row_text *r, uint64_t row) {
    char *last = r->text + OUT_SHORT - 1;
    if (row == r->row + 1 && *last >= '0' && *last < '9') {
        ++*last;
        r->row = row;
        return;
    }
    char digits[OUT_SHORT];
    r->length = (size_t)(put_u64(digits, row) - digits);
    memcpy(r->text + OUT_SHORT - r->length, digits, r->length);
    r->row = row;
}

/* Known features of all: "3/4" between tabs. Most cases have as many as the one before. */
static void write_counts(prediction *p, const hcbr_decision *d) {
    counts_text *c = &p->counts;
    if (!c->length || d->known_count != c->known || d->feature_count != c->features) {
        char *at = put_u64(c->text + 1, d->known_count);
        c->text[0] = '\t';
        *at++ = '/';
        at = put_u64(at, d->feature_count);
        *at++ = '\t';
        c->length = (size_t)(at - c->text);
        c->known = d->known_count;
        c->features = d->feature_count;
    }
    if (c->length <= OUT_SHORT)
        out_short(p->answers.to, c->text, c->length);
    else
        out_bytes(p->answers.to, c->text, c->length);
}

static void write_text(prediction *p, const hcbr_decision *d) {
    out *o = p->answers.to;
    if (d->id) {
        out_text(o, d->id, d->id_length);
    } else {
        row_set(&p->row, d->row);
        out_short(o, p->row.text + OUT_SHORT - p->row.length, p->row.length);
    }
    if (d->label >= 0) {
        const label_name *label = &p->labels[d->label];
        if (label->shown_length) {
            out_short(o, label->shown, label->shown_length);
        } else {
            out_byte(o, '\t');
            out_text(o, label->name, label->name_length);
            out_byte(o, '\t');
        }
        out_rounded(o, d->probability          ? d->probability[d->label]
                       : d->label == d->winner ? d->lead
                                               : answers_lead(d, d->label));
    } else {
        out_bytes(o, "\tunknown\t", 9);
    }
    write_counts(p, d);
    if (d->label < 0 || d->known_count == 0)
        out_string(o, hcbr_reason_name(d->reason));
    else if (d->unseen_count)
        write_unseen(o, d);
    out_row(o);
}

/* Whether two texts of this length are equal. Labels are short: most are not worth a call. */
static inline bool is_same(const char *a, const char *b, size_t length) {
    if (length > 8)
        return memcmp(a, b, length) == 0;
    while (length > 0 && a[length - 1] == b[length - 1])
        length--;
    return length == 0;
}

static void count(prediction *p, const hcbr_decision *d) {
    p->rows++;
    p->undecided += d->label < 0;
    if (!d->given)
        return;
    p->labelled++;
    if (d->label < 0)
        p->labelled_undecided++;
    else if (d->given_length == p->labels[d->label].length &&
             is_same(d->given, p->labels[d->label].text, d->given_length))
        p->right++;
}

static int write_json(prediction *p, const hcbr_decision *d) {
    hcbr_error err = {0};
    return term_written(&p->term, p->answers.to,
                        hcbr_write_decision(p->json, HCBR_JSON, p->model, d, &err), &err);
}

/* Write the answer to a row in the form that is wanted. */
static inline int write_row(prediction *p, const hcbr_decision *d) {
    answers *a = &p->answers;
    int code = EXIT_DONE;
    if (answers_writes(a))
        return answers_row(a, p->stream, d);
    if (a->held)
        answers_begin(a);
    if (p->json)
        code = write_json(p, d);
    else
        write_text(p, d);
    return a->held && code == EXIT_DONE ? answers_done(a, d) : code;
}

static int decide_all(prediction *p) {
    hcbr_error err = {0};
    hcbr_decision d = {.size = sizeof d};
    int code = EXIT_DONE;
    while (out_good(p->out) && code == EXIT_DONE) {
        int more = 0;
        if (p->direct && hcbr_stream_must_read(p->stream)) {
            out_flush(p->out);
            if (!out_good(p->out))
                break;
        }
        if (hcbr_stream_next(p->stream, &d, &more, &err) != HCBR_OK) {
            out_flush(p->out); // rows before the bad one are good answers
            return term_fail(&p->term, &err);
        }
        if (!more)
            break;
        count(p, &d);
        code = write_row(p, &d);
    }
    return code == EXIT_DONE ? answers_end(&p->answers) : code;
}

static int load_labels(prediction *p) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(p->model, &info);
    p->labels = calloc((size_t)info.labels + 1, sizeof *p->labels);
    if (!p->labels)
        return say_no_memory("predict");
    for (uint32_t l = 0; l < info.labels; l++) {
        label_facts label = label_of(p->model, (hcbr_label)l);
        label_name *to = &p->labels[l];
        to->text = label.name;
        to->length = to->name_length = label.name_length;
        to->name = label_shown(to->text, &to->name_length);
        if (to->name_length + 2 > OUT_SHORT ||
            out_plain(to->name, to->name_length) < to->name_length)
            continue;
        to->shown[0] = to->shown[to->name_length + 1] = '\t';
        memcpy(to->shown + 1, to->name, to->name_length);
        to->shown_length = to->name_length + 2;
    }
    return EXIT_DONE;
}

static int prepare(prediction *p) {
    const args *given = p->given;
    hcbr_error err = {0};
    hcbr_rule rule;
    bool own;
    uint64_t threads = 1;
    int code = answers_read(&p->answers, given);
    if (code != EXIT_DONE)
        return code;
    p->settings.decides_only = true;
    code = settings_load(&p->settings, given, &p->term, &p->model, &p->read, &rule, &own);
    if (code != EXIT_DONE || (code = load_labels(p)) != EXIT_DONE ||
        (code = settings_number(given, "threads", 1, 1024, &threads)) != EXIT_DONE)
        return code;
    p->read.threads = p->answers.add_columns ? 1 : (uint32_t)threads; // they need the row as it is
    if ((code = answers_open(&p->answers, given, &p->term, p->model, &p->read,
                             p->settings.path_count)))
        return code;
    if (hcbr_decider_create(&p->decider, p->model, own ? &rule : NULL, &err) != HCBR_OK ||
        hcbr_stream_create(&p->stream, p->decider, p->settings.paths, p->settings.path_count,
                           &p->read, &err) != HCBR_OK)
        return term_fail(&p->term, &err);
    return EXIT_DONE;
}

/* Load past cases, which predicting does without, if a rate of right answers follows; memory of the
 * rows, which are read again, is released first. */
static void tell_of_training(prediction *p) {
    hcbr_model *whole;
    hcbr_stream_free(p->stream);
    hcbr_decider_free(p->decider);
    p->stream = NULL;
    p->decider = NULL;
    if (p->term.quiet || hcbr_model_load(&whole, p->given->operands[0], NULL) != HCBR_OK)
        return;
    trained_note(&p->term,
                 trained_count(whole, p->settings.paths, p->settings.path_count, &p->read));
    hcbr_model_free(whole);
}

static void say_summary(prediction *p) {
    uint64_t skipped = hcbr_stream_skipped_count(p->stream);
    uint64_t decided = p->labelled - p->labelled_undecided;
    term_finish(&p->term);
    term_skipped(&p->term, skipped);
    if (p->labelled) {
        tell_of_training(p);
        term_say(&p->term, "%llu labelled cases: %llu right, %llu wrong, %llu undecided",
                 (unsigned long long)p->labelled, (unsigned long long)p->right,
                 (unsigned long long)(decided - p->right),
                 (unsigned long long)p->labelled_undecided);
        if (decided == p->labelled || decided == 0)
            term_say(&p->term, "accuracy %.4f", (double)p->right / (double)p->labelled);
        else
            term_say(&p->term, "accuracy %.4f; on the decided %.4f",
                     (double)p->right / (double)p->labelled, (double)p->right / (double)decided);
    }
    if (p->term.verbose) {
        double seconds = p->term.stage_count ? p->term.stages[0].seconds : 0;
        term_say(&p->term, "%llu cases, %llu undecided, %.3f s", (unsigned long long)p->rows,
                 (unsigned long long)p->undecided, seconds);
    }
}

static int predict(prediction *p) {
    const char *path = args_get(p->given, "output");
    int code = prepare(p), error;
    if (code != EXIT_DONE)
        return code;
    if (!(p->out = malloc(sizeof *p->out)))
        return say_no_memory("predict");
    if ((error = out_open(p->out, path))) {
        free(p->out);
        p->out = NULL;
        return say_unwritable("predict", path, error);
    }
    p->direct = !p->out->temporary;
    answers_to(&p->answers, p->out);
    if (p->answers.form == ANSWER_JSONL && !p->answers.add_columns &&
        (code = out_writer(p->answers.to, "predict", &p->json)))
        return code;
    term_begin(&p->term, "read");
    if ((code = decide_all(p)) != EXIT_DONE)
        return code;
    bool closed = p->out->closed;
    if ((code = out_close(p->out, "predict")) == EXIT_DONE && !closed)
        say_summary(p);
    return code;
}

int cmd_predict(const args *given) {
    const char *path = args_get(given, "output");
    bool progress = (path && strcmp(path, "-") != 0) || !isatty(STDOUT_FILENO);
    prediction p = {.given = given};
    term_init(&p.term, "predict", args_has(given, "quiet"), args_has(given, "verbose"), progress);
    int code = predict(&p);
    term_finish(&p.term);
    if (p.out)
        out_discard(p.out);
    free(p.out);
    answers_clear(&p.answers);
    free(p.labels);
    hcbr_stream_free(p.stream);
    hcbr_decider_free(p.decider);
    hcbr_model_free(p.model);
    settings_clear(&p.settings);
    return code;
}
