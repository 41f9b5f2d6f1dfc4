/*
 * Bytes through the real reader, from standard input: once as a file in memory, once through a pipe
 * that gives them in small pieces or into a small buffer that has to grow.
 *
 * What must hold: both ways give the same cases, notices and error; every name, label and id is
 * text; a failure says why and where; a row is a case or skipped and reported, never lost (records
 * are counted here once more, by a few simple lines). With columns of sets and texts, words have
 * counts and the labels may come from a file of their own.
 */
#define _GNU_SOURCE // memfd_create(), pipes of packets
#include "fuzz.h"

#include "read/read.h"
#include "read/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_IN_PIPE 4096 /* bytes: one packet each, 16 packets */

/** How an input asks to be read. */
typedef struct plan {
    hcbr_read_options options;
    bool labelled;
    unsigned pieces, fault;
    const char *ignore[2];
    hcbr_split split[2];
    const char *texts[2], *presence[2];
} plan;

/** Bytes to be compared. */
typedef struct record {
    char *bytes;
    size_t size, capacity;
} record;

/** Everything that came out of a reader. Notices may come before or after cases of their block. */
typedef struct transcript {
    record rows, notices;
    uint64_t cases, skipped, warnings;
    hcbr_status status;
    hcbr_error err;
} transcript;

static void note(record *r, const void *bytes, size_t size) {
    if (r->size + size > r->capacity) {
        r->capacity = (r->size + size) * 2;
        r->bytes = realloc(r->bytes, r->capacity);
        FUZZ_CHECK(r->bytes != NULL);
    }
    if (size > 0)
        memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
}

static void note_text(record *r, const char *text, size_t length) {
    uint64_t size = text == NULL ? UINT64_MAX : length;
    note(r, &size, sizeof size);
    if (text != NULL)
        note(r, text, length);
}

static bool same(const record *a, const record *b) {
    return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

static void on_notice(void *context, hcbr_notice kind, const hcbr_error *where) {
    transcript *t = context;
    FUZZ_CHECK(where->status == HCBR_OK && where->message[0] != 0);
    t->warnings += kind == HCBR_WARNING && where->line > 0; // else of keys that no case has
    note(&t->notices, &where->line, sizeof where->line);
    note(&t->notices, &where->column, sizeof where->column);
    note_text(&t->notices, where->message, strlen(where->message));
}

/* ---- the plan ------------------------------------------------------------------------------- */

static void choose_missing(hcbr_read_options *options, unsigned choice) {
    static const char *const few[] = {"-", "none", ""};
    static const char *const odd[] = {"a value that means nothing", "x", "1"};
    static const char *const none[] = {NULL};
    const char *const *const lists[] = {NULL, none, few, odd};
    const size_t counts[] = {0, 0, 3, 3};
    options->na = lists[choice];
    options->na_count = counts[choice];
}

/** Words: what stands between blanks, signs and capitals apart. */
static int cut_words(void *context, const char *text, size_t length, hcbr_word_fn *add, void *to) {
    size_t start = 0;
    (void)context;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && (unsigned char)text[i] > '/')
            continue;
        int code = i > start ? add(to, text + start, i - start) : 0;
        if (code != 0)
            return code;
        start = i + 1;
    }
    return 0;
}

/** A path to a file of labels, of which most are good. */
static const char *give_labels(unsigned count) {
    static int file = -1;
    static char path[40];
    char labels[256];
    size_t size = 0;
    if (file < 0) {
        file = memfd_create("labels", MFD_CLOEXEC);
        FUZZ_CHECK(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    for (unsigned i = 0; i < count; i++)
        size += (size_t)snprintf(labels + size, sizeof labels - size, i == 5 ? "x y\r\n" : " %u\n",
                                 i % 3);
    FUZZ_CHECK(pwrite(file, labels, size, 0) == (ssize_t)size);
    FUZZ_CHECK(ftruncate(file, (off_t)size) == 0);
    return path;
}

/** Columns of sets, texts and presence; labels elsewhere. */
static void choose_columns(plan *p, fuzz_input *in) {
    static const char *const names[] = {"a", "b", "a.b", "features", "1", "label", "", "id"};
    static const char *const separators[] = {"|", ";;", " ", "\xC3\xA9"};
    unsigned columns = fuzz_choice(in), words = fuzz_choice(in);
    hcbr_read_options *o = &p->options;
    p->split[0] = (hcbr_split){names[columns & 7], separators[words & 3]};
    p->texts[0] = names[columns >> 3 & 7];
    p->presence[0] = names[(columns + 3) & 7];
    o->split = p->split;
    o->text = p->texts;
    o->presence = p->presence;
    o->split_count = words >> 2 & 1;
    o->text_count = (words >> 3 & 1) ^ 1;
    o->presence_count = words >> 4 & 1;
    o->ngrams = 1 + (columns & 3);
    if ((o->format == HCBR_FORMAT_TEXT || o->format == HCBR_FORMAT_CASES) && !(words & 4))
        o->split_count = o->text_count = o->presence_count = 0; // they would be refused
    if (words & 32)
        o->outcomes = give_labels(1 + columns % 13);
}

static void make_plan(plan *p, hcbr_format format, fuzz_input *in) {
    static const char *const labels[] = {NULL, "y", "1", "a.b"};
    static const char *const ignored[][2] = {{NULL, NULL}, {"c", NULL}, {"3", "a"}, {"", "7"}};
    static const size_t longest[] = {0, 300, 40, 8};
    static const char delimiters[] = "\0,;|\t :.a\x01{1\"\n\x7F#";
    unsigned flags = fuzz_choice(in), more = fuzz_choice(in), columns = fuzz_choice(in);
    hcbr_read_options *o = &p->options;
    hcbr_read_options_init(o);
    o->format = more & 16 ? HCBR_FORMAT_AUTO : format;
    p->labelled = !(flags & 1);
    o->no_header = (flags & 2) != 0;
    o->bad_rows = flags & 4 ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
    o->label = labels[flags >> 3 & 3];
    if (format == HCBR_FORMAT_CASES && o->label != NULL)
        o->label = flags & 8 ? "last" : "none";
    o->id = !(flags & 32) ? NULL : o->no_header ? "2" : "id";
    choose_missing(o, more & 3);
    if (longest[more >> 2 & 3] != 0)
        o->max_line = longest[more >> 2 & 3];
    if (more & 32)
        o->max_depth = 3;
    o->delimiter = delimiters[columns & 15];
    memcpy(p->ignore, ignored[columns >> 4], sizeof p->ignore);
    o->ignore = p->ignore;
    o->ignore_count = (p->ignore[0] != NULL) + (size_t)(p->ignore[1] != NULL);
    o->words = cut_words;
    o->hash_key = 7; // every run the same
    o->strict = 1;   // what is guessed has a target of its own
    p->pieces = fuzz_choice(in);
    p->fault = fuzz_choice(in);
}

/* ---- standard input ------------------------------------------------------------------------- */

static bool is_file; // standard input is the file in memory

void fuzz_give_file(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        FUZZ_CHECK(file >= 0);
    }
    FUZZ_CHECK(is_file || dup2(file, STDIN_FILENO) == STDIN_FILENO);
    is_file = true;
    FUZZ_CHECK(pwrite(file, data, size, 0) == (ssize_t)size);
    FUZZ_CHECK(ftruncate(file, (off_t)size) == 0); // after writing: pages are kept
    FUZZ_CHECK(lseek(file, 0, SEEK_SET) == 0);
}

/** At most 8 packets, each of which is one read: a head, small pieces, the rest. */
static void give_pieces(const uint8_t *data, size_t size, unsigned choice) {
    static const size_t lengths[] = {1, 2, 3, 5, 8, 13, 21, 64};
    size_t done = 0, piece = (size_t)(choice >> 4) * 9;
    int ends[2];
    FUZZ_CHECK(pipe2(ends, O_DIRECT | O_CLOEXEC) == 0);
    for (int i = 0; done < size; i++) {
        if (i == 7 || piece > size - done)
            piece = size - done;
        FUZZ_CHECK(write(ends[1], data + done, piece) == (ssize_t)piece);
        done += piece;
        piece = lengths[choice >> 1 & 7];
    }
    FUZZ_CHECK(close(ends[1]) == 0);
    FUZZ_CHECK(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    FUZZ_CHECK(close(ends[0]) == 0);
    is_file = false;
}

/* ---- output ---------------------------------------------------------------------------------- */

/** A feature of libsvm: digits without needless zeros, a finite number in its shortest form. */
static void check_pair(const char *key, size_t key_length, const char *value, size_t length) {
    char text[HCBR_NUMBER_SIZE];
    double number;
    FUZZ_CHECK(key_length > 0 && (key[0] != '0' || key_length == 1));
    for (size_t i = 0; i < key_length; i++)
        FUZZ_CHECK(key[i] >= '0' && key[i] <= '9');
    FUZZ_CHECK(value != NULL && hcbr_number_parse(&number, value, length));
    FUZZ_CHECK(hcbr_number_format(text, number) == length && memcmp(text, value, length) == 0);
    FUZZ_CHECK(number != 0 || length == 1); // minus zero is zero
}

static void check_name(record *r, const plan *p, const hcbr_i_block *block, hcbr_i_name name) {
    char text[HCBR_I_NAME_TEXT];
    const char *key = text, *value;
    size_t key_length, value_length;
    if (hcbr_i_name_is_long(name)) {
        FUZZ_CHECK(name.lo < block->long_count);
        const hcbr_i_long_name *l = &block->longs[name.lo];
        key = l->key;
        key_length = l->key_length;
        value = l->value;
        value_length = l->value_length;
        FUZZ_CHECK(key_length + value_length > HCBR_I_SHORT);
    } else {
        bool bare;
        hcbr_i_name_unpack(name, text, &key_length, &bare, &value_length);
        FUZZ_CHECK(key_length + value_length <= HCBR_I_SHORT);
        value = bare ? NULL : text + key_length;
        hcbr_i_name again = hcbr_i_name_pack(text, key_length, value, value_length);
        FUZZ_CHECK(again.lo == name.lo && again.hi == name.hi);
    }
    fuzz_check_text(key, key_length);
    if (value != NULL)
        fuzz_check_text(value, value_length);
    if (p->options.format == HCBR_FORMAT_LIBSVM)
        check_pair(key, key_length, value, value_length);
    note_text(r, key, key_length);
    note_text(r, value, value_length);
}

static void check_case(record *r, const plan *p, const hcbr_i_block *block, size_t c, uint64_t *row,
                       uint64_t *line) {
    const hcbr_i_raw_case *x = &block->cases[c];
    FUZZ_CHECK(x->row > *row && x->line > *line);
    FUZZ_CHECK(p->options.bad_rows == HCBR_BAD_ROWS_SKIP || x->row == *row + 1);
    FUZZ_CHECK(x->first <= block->name_count && x->count <= block->name_count - x->first);
    FUZZ_CHECK(!p->labelled || x->label.at != NULL);
    *row = x->row;
    *line = x->line;
    note(r, &x->row, sizeof x->row);
    note(r, &x->line, sizeof x->line);
    for (int i = 0; i < 2; i++) {
        const hcbr_i_text *text = i == 0 ? &x->label : &x->id;
        FUZZ_CHECK(text->at == NULL || i == 1 || text->length > 0);
        if (text->at != NULL)
            fuzz_check_text(text->at, text->length);
        note_text(r, text->at, text->length);
    }
    for (size_t n = x->first; n < x->first + x->count; n++) {
        const hcbr_i_block *from = block;
        size_t place = n;
        if (block->coded) {
            place = block->numbers[n] & ~HCBR_I_OTHER;
            from = block->numbers[n] < HCBR_I_OTHER ? &block->values->names : block;
            FUZZ_CHECK(place < (from == block ? block->other_count : from->name_count));
        }
        check_name(r, p, from, from->names[place]);
    }
}

/** Read all of standard input, into coded blocks or others. */
static void read_all(transcript *t, plan *p, bool coded) {
    static const char *const paths[] = {"-"};
    hcbr_i_reader *reader;
    const hcbr_i_block *block;
    uint64_t row = 0, line = 0, serial;
    size_t columns;
    t->rows.size = t->notices.size = 0;
    t->cases = t->skipped = t->warnings = 0;
    p->options.notify = on_notice;
    p->options.notify_context = t;
    t->status = hcbr_i_reader_create(&reader, paths, 1, &p->options, p->labelled, &t->err);
    FUZZ_CHECK((t->status == HCBR_OK) == (reader != NULL));
    if (reader == NULL)
        return;
    if (coded)
        hcbr_i_reader_set_coded(reader);
    while ((t->status = hcbr_i_reader_next(reader, &block, &t->err)) == HCBR_OK && block != NULL) {
        FUZZ_CHECK(block->case_count > 0);
        for (size_t c = 0; c < block->case_count; c++)
            check_case(&t->rows, p, block, c, &row, &line);
        t->cases += block->case_count;
    }
    const hcbr_i_text *names = hcbr_i_reader_columns(reader, &columns, &serial);
    for (size_t i = 0; i < columns; i++)
        fuzz_check_text(names[i].at, names[i].length);
    t->skipped = hcbr_i_reader_skipped(reader);
    FUZZ_CHECK(hcbr_i_reader_label_name(reader) != NULL);
    FUZZ_CHECK(row <= t->cases + t->skipped);
    FUZZ_CHECK(t->warnings == t->skipped);
    FUZZ_CHECK(p->options.bad_rows == HCBR_BAD_ROWS_SKIP || t->skipped == 0);
    if (t->status != HCBR_OK)
        FUZZ_CHECK(hcbr_i_reader_next(reader, &block, NULL) == t->status && block == NULL);
    hcbr_i_reader_free(reader);
}

/* ---- input ----------------------------------------------------------------------------------- */

/** Records of csv: not empty, ended by a newline that does not stand in quotes. */
static uint64_t count_records(const char *at, const char *end, char delimiter) {
    uint64_t count = 0;
    while (at < end) {
        bool empty = *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] == '\n'));
        bool start = true, quotes = false, bad = false;
        count += !empty;
        for (; at < end && (quotes || *at != '\n'); at++) {
            if (quotes && *at == '"' && at + 1 < end && at[1] == '"')
                at++;
            else if (quotes)
                quotes = *at != '"';
            else if (*at == '"' && start)
                quotes = !bad;
            else if (*at == '"' || (!start && at[-1] == '"' && *at != delimiter))
                bad = true;
            start = *at == delimiter && !quotes && !bad;
        }
        at += at < end;
    }
    return count;
}

/** Lines that are not blank; those that are comments if asked for. */
static uint64_t count_lines(const char *at, const char *end, bool comments) {
    uint64_t count = 0;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL)
            newline = end;
        while (at < newline && (*at == ' ' || *at == '\t' || (*at == '\r' && !comments)))
            at++;
        count += at < newline && (!comments || *at == '#');
        at = newline + 1;
    }
    return count;
}

/** A run without failure: each row is a case or was skipped; compressed rows are not counted. */
static void check_rows(const transcript *t, const plan *p, const char *text, size_t size) {
    if (hcbr_i_packing_of(text, size) != HCBR_I_PLAIN)
        return;
    hcbr_format format = p->options.format;
    const char *end = text + size;
    char delimiter = format == HCBR_FORMAT_TSV ? '\t' : ',';
    uint64_t seen = t->cases + t->skipped;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    if (p->options.delimiter != 0)
        delimiter = (char)p->options.delimiter;
    switch (format) {
    case HCBR_FORMAT_JSONL:
        FUZZ_CHECK(seen == count_lines(text, end, false));
        break;
    case HCBR_FORMAT_LIBSVM: // a comment that is no text is skipped too
        FUZZ_CHECK(seen <= count_lines(text, end, false));
        FUZZ_CHECK(seen >= count_lines(text, end, false) - count_lines(text, end, true));
        break;
    case HCBR_FORMAT_CSV:
    case HCBR_FORMAT_TSV:
        if (count_records(text, end, delimiter) > 0) // new cases may have no header, either
            seen += !p->options.no_header;
        FUZZ_CHECK(seen == count_records(text, end, delimiter));
        break;
    case HCBR_FORMAT_TEXT:
    case HCBR_FORMAT_CASES: // where labels are elsewhere a line of blanks is a row
        FUZZ_CHECK(seen >= count_lines(text, end, false));
        break;
    case HCBR_FORMAT_AUTO:
        break;
    }
}

/** The place of an error lies in the text, unless that is compressed. */
static void check_place(const hcbr_error *err, const char *text, size_t size) {
    const char *end = text + size;
    if (err->line == 0 || strcmp(err->file, "<stdin>") != 0 ||
        hcbr_i_packing_of(text, size) != HCBR_I_PLAIN)
        return;
    for (uint64_t line = 1; line < err->line; line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        FUZZ_CHECK(newline != NULL);
        text = newline + 1;
    }
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    FUZZ_CHECK(err->column <= (uint64_t)((newline != NULL ? newline : end) - text) + 1);
}

static bool is_damage(const transcript *t) {
    return t->status != HCBR_OK && strstr(t->err.message, "of the compressed data") != NULL;
}

static void read_twice(hcbr_format format, fuzz_input in, bool columns) {
    static transcript whole, pieces;
    plan p;
    make_plan(&p, format, &in);
    if (columns)
        choose_columns(&p, &in);
    fuzz_give_file(in.at, in.left);
    hcbr_i_reader_buffer = 8192; // holds the whole input
    fuzz_arm(p.fault);
    read_all(&whole, &p, p.pieces % 2 == 0);
    bool failed = fuzz_disarm();
    if (whole.status != HCBR_OK) {
        fuzz_check_error(whole.status, &whole.err);
        FUZZ_CHECK(whole.status == HCBR_EDATA || whole.status == HCBR_EUSAGE || failed);
        check_place(&whole.err, (const char *)in.at, in.left);
    } else {
        check_rows(&whole, &p, (const char *)in.at, in.left);
    }
    if (!failed && p.labelled && p.pieces > 28 && p.pieces < 36 && whole.status != HCBR_EUSAGE)
        fuzz_encode(&p.options);
    if (failed || p.pieces < 36 || in.left > MOST_IN_PIPE)
        return;
    if (p.pieces % 2 == 1 || p.options.format == HCBR_FORMAT_AUTO) {
        give_pieces(in.at, in.left, p.pieces);
    } else { // a packet must fit into the buffer, and the format is seen in the first one only
        FUZZ_CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
        hcbr_i_reader_buffer = 3 + p.pieces;
    }
    read_all(&pieces, &p, p.pieces % 2 == 1);
    // Damaged compressed data fails either way; how soon, and so whether something else is wrong
    // before it, depends on how much of it there was to look at.
    if (is_damage(&whole) || is_damage(&pieces)) {
        FUZZ_CHECK(pieces.status != HCBR_OK && whole.status != HCBR_OK);
        return;
    }
    FUZZ_CHECK(pieces.status == whole.status);
    FUZZ_CHECK(same(&pieces.rows, &whole.rows));
    // A row without a label from elsewhere is found when it is handed out: later ones may have been
    // parsed, and complained of, or not.
    if (whole.status != HCBR_EDATA || strcmp(whole.err.file, "<stdin>") == 0)
        FUZZ_CHECK(same(&pieces.notices, &whole.notices) && pieces.skipped == whole.skipped);
    if (whole.status != HCBR_OK)
        FUZZ_CHECK(pieces.err.line == whole.err.line && pieces.err.column == whole.err.column &&
                   strcmp(pieces.err.message, whole.err.message) == 0);
}

void fuzz_read(hcbr_format format, const uint8_t *data, size_t size) {
    read_twice(format, (fuzz_input){data, size}, false);
}

void fuzz_read_columns(hcbr_format format, const uint8_t *data, size_t size) {
    read_twice(format, (fuzz_input){data, size}, true);
}
