/*
 * A folder of texts with a folder for each label: its files as lines of the text format.
 *
 * Labels and files come in the order of their names. A file is one line: its label, a tab, and its
 * text with blanks in place of line ends and tabs. Invariant: files may be compressed or of any
 * encoding that is found, each by itself; one file is open at a time.
 */
#include "read/source.h"

#include <stdio.h>

#define SAID 3 /* encodings that are said of single files */

typedef struct folder {
    const hcbr_read_options *options;
    char *path;
    char **labels, **files; /* of the current label */
    size_t label_count, file_count, label, file;
    hcbr_i_source *source; /* of the current file */
    char *head;            /* its label, a tab and its first bytes, or the end of its line */
    size_t head_at, head_size;
    unsigned said;
} folder;

static void close_folder(void *context) {
    folder *f = context;
    hcbr_i_source_close(f->source);
    hcbr_i_folder_free(f->labels, f->label_count);
    hcbr_i_folder_free(f->files, f->file_count);
    hcbr_i_free(f->head);
    hcbr_i_free(f->path);
    hcbr_i_free(f);
}

/** A path of three parts. NULL: out of memory. */
static char *join_path(const char *a, const char *b, const char *c) {
    size_t room = strlen(a) + strlen(b) + strlen(c) + 3;
    char *path = hcbr_i_alloc(room, 1);
    if (path != NULL)
        snprintf(path, room, "%s/%s%s%s", a, b, c[0] != '\0' ? "/" : "", c);
    return path;
}

/** Line ends and tabs become blanks. */
static void make_line(char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '\t')
            bytes[i] = ' ';
}

/** Take the first bytes of the file, unless they are a byte order mark. */
static hcbr_status skip_mark(folder *f, hcbr_error *err) {
    char *first = f->head + f->head_size;
    size_t size = 0, got = 1;
    hcbr_status st = HCBR_OK;
    while (st == HCBR_OK && size < 3 && got > 0) {
        st = hcbr_i_source_read(f->source, first + size, 3 - size, &got, err);
        size += got;
    }
    if (size == 3 && memcmp(first, "\xEF\xBB\xBF", 3) == 0)
        size = 0;
    make_line(first, size);
    f->head_size += size;
    return st;
}

/** Open the next file; at the end f->source stays NULL. */
static hcbr_status open_next(folder *f, hcbr_error *err) {
    hcbr_read_options options = *f->options;
    const char *label;
    char *path;
    hcbr_status st = HCBR_OK;
    while (f->file == f->file_count && f->label < f->label_count) {
        hcbr_i_folder_free(f->files, f->file_count);
        f->files = NULL;
        f->file = f->file_count = 0;
        path = join_path(f->path, f->labels[f->label++], "");
        if (path == NULL)
            return hcbr_i_no_memory(err);
        st = hcbr_i_folder_list(&f->files, &f->file_count, path, false, err);
        hcbr_i_free(path);
        if (st != HCBR_OK)
            return st;
    }
    if (f->file == f->file_count)
        return HCBR_OK;
    label = f->labels[f->label - 1];
    path = join_path(f->path, label, f->files[f->file++]);
    f->head_size = strlen(label);
    f->head = hcbr_i_alloc(f->head_size + 4, 1); // with a tab and three bytes
    f->head_at = 0;
    if (path == NULL || f->head == NULL) {
        hcbr_i_free(path);
        return hcbr_i_no_memory(err);
    }
    memcpy(f->head, label, f->head_size);
    make_line(f->head, f->head_size);
    f->head[f->head_size++] = '\t';
    options.open = NULL;
    st = hcbr_i_source_open(&f->source, path, &options, err);
    hcbr_i_free(path);
    return st == HCBR_OK ? skip_mark(f, err) : st;
}

/** The file has ended: its line does, too. */
static hcbr_status end_file(folder *f, hcbr_error *err) {
    const hcbr_read_options *o = f->options;
    char told[HCBR_I_TOLD];
    while ((hcbr_i_source_tell(f->source, told) || hcbr_i_source_tell_end(f->source, told)) &&
           f->said++ < SAID)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_NOTE, hcbr_i_source_name(f->source), 0, 0,
                      "%s%s", told, f->said == SAID ? "; others are not said" : "");
    hcbr_i_source_close(f->source);
    f->source = NULL;
    f->head = hcbr_i_text_copy("\n", 1);
    f->head_at = 0;
    f->head_size = 1;
    return f->head != NULL ? HCBR_OK : hcbr_i_no_memory(err);
}

/** Pass the text before or after the file. */
static size_t give_head(folder *f, char *to, size_t room) {
    size_t left = f->head_size - f->head_at, n = left < room ? left : room;
    memcpy(to, f->head + f->head_at, n);
    f->head_at += n;
    if (n == left) {
        hcbr_i_free(f->head);
        f->head = NULL;
    }
    return n;
}

static hcbr_status read_folder(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    folder *f = context;
    hcbr_status st;
    for (*got = 0; *got == 0;) {
        if (f->head != NULL && (f->source != NULL || f->head[0] == '\n')) {
            *got = give_head(f, to, room);
            continue;
        }
        if (f->source == NULL) {
            if ((st = open_next(f, err)) != HCBR_OK || f->source == NULL)
                return st;
            continue;
        }
        if ((st = hcbr_i_source_read(f->source, to, room, got, err)) != HCBR_OK)
            return st;
        if (*got == 0 && (st = end_file(f, err)) != HCBR_OK)
            return st;
        make_line(to, *got);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_folder_open(hcbr_input *input, const char *path,
                               const hcbr_read_options *options, hcbr_error *err) {
    char **labels;
    size_t count;
    hcbr_status st = hcbr_i_folder_list(&labels, &count, path, true, err);
    if (st != HCBR_OK || count == 0) {
        hcbr_i_folder_free(labels, count);
        return st;
    }
    folder *f = hcbr_i_alloc_zero(1, sizeof *f);
    if (f == NULL || (f->path = hcbr_i_text_copy(path, strlen(path))) == NULL) {
        hcbr_i_folder_free(labels, count);
        hcbr_i_free(f);
        return hcbr_i_no_memory(err);
    }
    f->options = options;
    f->labels = labels;
    f->label_count = count;
    hcbr_i_notify(options->notify, options->notify_context, HCBR_NOTE, path, 0, 0,
                  "read as texts, with a folder for each of %zu label%s", count,
                  count == 1 ? "" : "s");
    *input = (hcbr_input){read_folder, close_folder, f, HCBR_FORMAT_TEXT};
    return HCBR_OK;
}
