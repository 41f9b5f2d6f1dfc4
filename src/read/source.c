/*
 * Sources of bytes: a file, standard input or an input of the caller, expanded if compressed.
 *
 * The first bytes show the compression, and no more bytes are awaited than needed: the answer to
 * the first line of a pipe needs only that line. Only a regular file is expanded by a separate
 * thread: reading it never blocks, so the thread can always be stopped.
 */
#include "read/encoding.h"

#define HEAD ((size_t)64 << 10) /* bytes read at once while their kind is unknown */
#define STEP ((size_t)4 << 10)  /* and where a file is loaded */
#define AHEAD_AFTER ((uint64_t)1 << 20)
#ifdef HCBR_FAULTS
uint64_t hcbr_i_source_ahead = AHEAD_AFTER;
#else
#define hcbr_i_source_ahead AHEAD_AFTER
#endif

struct hcbr_i_source {
    hcbr_i_file *file; /* NULL: input is the caller's */
    hcbr_input input;
    uint32_t max_expand, max_window;
    hcbr_i_packing packing; /* UNDECIDED until the first bytes were read */
    hcbr_i_expander *expander;
    hcbr_i_ahead *ahead;
    bool alone; /* no thread could be started */
    char *head; /* bytes read to find out, NULL if they went to the reader at once */
    size_t begin, end;
    uint64_t position;
    hcbr_i_decoder decoder;
    char name[];
};

hcbr_status hcbr_i_source_open(hcbr_i_source **out, const char *path,
                               const hcbr_read_options *options, hcbr_error *err) {
    hcbr_input input = {.format = HCBR_FORMAT_AUTO};
    hcbr_i_file *file = NULL;
    hcbr_i_source *s;
    const char *name = path;
    hcbr_status st = HCBR_OK;
    *out = NULL;
    if (options->open != NULL)
        st = options->open(options->open_context, path, &input, err);
    if (st == HCBR_OK && input.read == NULL && strcmp(path, "-") != 0)
        st = hcbr_i_folder_open(&input, path, options, err);
    if (st == HCBR_OK && input.read == NULL && (st = hcbr_i_file_open(&file, path, err)) == HCBR_OK)
        name = hcbr_i_file_name(file);
    if (st != HCBR_OK)
        return st;
    s = hcbr_i_alloc_zero(1, sizeof *s + strlen(name) + 1);
    if (s == NULL) {
        hcbr_i_file_close(file);
        if (input.read != NULL && input.close != NULL)
            input.close(input.context);
        return hcbr_i_no_memory(err);
    }
    s->file = file;
    s->input = input;
    s->max_expand = options->max_expand;
    s->max_window = options->max_window;
    s->packing = HCBR_I_UNDECIDED;
    memcpy(s->name, name, strlen(name) + 1);
    // Bytes with a given format were made by the opener: they are UTF-8.
    hcbr_i_decoder_init(&s->decoder, input.format != HCBR_FORMAT_AUTO ? "UTF-8" : options->encoding,
                        options->strict != 0);
    *out = s;
    return HCBR_OK;
}

void hcbr_i_source_close(hcbr_i_source *source) {
    if (source == NULL)
        return;
    hcbr_i_ahead_free(source->ahead);
    hcbr_i_expander_free(source->expander);
    if (source->input.read != NULL && source->input.close != NULL)
        source->input.close(source->input.context);
    hcbr_i_file_close(source->file);
    hcbr_i_free(source->head);
    hcbr_i_decoder_clear(&source->decoder);
    hcbr_i_free(source);
}

/** Bytes as they are in the file. */
static hcbr_status read_raw(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    hcbr_i_source *s = context;
    hcbr_error reason = {.status = HCBR_OK};
    *got = 0;
    if (s->file != NULL)
        return hcbr_i_file_read(s->file, to, room, got, err);
    hcbr_status st = s->input.read(s->input.context, to, room, got, &reason);
    if (st == HCBR_OK)
        return HCBR_OK;
    *got = 0;
    if (reason.message[0] == '\0')
        return hcbr_i_fail_at(err, st, s->name, 0, 0, "cannot read");
    reason.status = st;
    if (err != NULL)
        *err = reason;
    return st;
}

/* ---- the first bytes ------------------------------------------------------------------------- */

/** Keep the bytes and read on until their kind is known; all of them are kept. */
static hcbr_status read_head(hcbr_i_source *s, const char *bytes, size_t size, hcbr_error *err) {
    size_t got = 1;
    hcbr_status st;
    s->head = hcbr_i_alloc(HEAD > size ? HEAD : size, 1);
    if (s->head == NULL)
        return hcbr_i_no_memory(err);
    memcpy(s->head, bytes, size);
    s->end = size;
    while (s->packing == HCBR_I_UNDECIDED && got > 0) {
        if ((st = read_raw(s, s->head + s->end, HEAD - s->end, &got, err)) != HCBR_OK)
            return st;
        s->end += got;
        s->packing = hcbr_i_packing_of(s->head, s->end);
    }
    if (s->packing == HCBR_I_UNDECIDED) // it ended before
        s->packing = HCBR_I_PLAIN;
    if (s->packing == HCBR_I_PLAIN)
        return HCBR_OK;
    hcbr_read_options limits = {.max_expand = s->max_expand, .max_window = s->max_window};
    st = hcbr_i_expander_create(&s->expander, s->packing, read_raw, s,
                                (hcbr_i_text){s->head, s->end}, s->name, &limits, err);
    hcbr_i_free(s->head);
    s->head = NULL;
    s->begin = s->end = 0;
    return st;
}

/** The first read: plain bytes go to the reader at once, others where they are expanded. */
static hcbr_status read_first(hcbr_i_source *s, char *to, size_t room, size_t *got,
                              hcbr_error *err) {
    hcbr_status st = read_raw(s, to, room, got, err);
    size_t size = *got;
    if (st != HCBR_OK)
        return st;
    s->packing = size == 0 ? HCBR_I_PLAIN : hcbr_i_packing_of(to, size);
    if (s->packing == HCBR_I_PLAIN) {
        s->position = size;
        return HCBR_OK;
    }
    *got = 0;
    return read_head(s, to, size, err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_expanded(hcbr_i_source *s, char *to, size_t room, size_t *got,
                                 hcbr_error *err) {
    if (s->ahead == NULL && !s->alone && hcbr_i_source_size(s) > 0 &&
        hcbr_i_expander_made(s->expander) >= hcbr_i_source_ahead) {
        s->ahead = hcbr_i_ahead_create(s->expander);
        s->alone = s->ahead == NULL;
    }
    if (s->ahead != NULL)
        return hcbr_i_ahead_read(s->ahead, to, room, got, &s->position, err);
    hcbr_status st = hcbr_i_expander_read(s->expander, to, room, got, err);
    s->position = hcbr_i_expander_used(s->expander);
    return st;
}

/** Bytes as they are in the file, expanded. */
static hcbr_status read_bytes(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    hcbr_i_source *s = context;
    hcbr_status st;
    *got = 0;
    if (s->packing == HCBR_I_UNDECIDED) {
        if ((st = read_first(s, to, room, got, err)) != HCBR_OK || *got > 0)
            return st;
        // Here it is at its end, or its bytes are kept.
        if (s->head == NULL && s->expander == NULL)
            return HCBR_OK;
    }
    if (s->expander != NULL)
        return read_expanded(s, to, room, got, err);
    if (s->begin < s->end) {
        *got = s->end - s->begin < room ? s->end - s->begin : room;
        memcpy(to, s->head + s->begin, *got);
        s->begin += *got;
        st = HCBR_OK;
    } else {
        st = read_raw(s, to, room, got, err);
    }
    s->position += *got;
    return st;
}

hcbr_status hcbr_i_source_read(hcbr_i_source *source, char *to, size_t room, size_t *got,
                               hcbr_error *err) {
    return hcbr_i_decoder_read(&source->decoder, read_bytes, source, to, room, got, err);
}

void hcbr_i_source_set_live(hcbr_i_source *source) {
    source->decoder.is_live = hcbr_i_source_size(source) == 0;
}

/* ---- properties ------------------------------------------------------------------------------ */

const char *hcbr_i_source_name(const hcbr_i_source *source) {
    return source->name;
}

hcbr_format hcbr_i_source_format(const hcbr_i_source *source) {
    return source->input.format;
}

bool hcbr_i_source_is_ours(const hcbr_i_source *source) {
    return source->file != NULL;
}

uint64_t hcbr_i_source_size(const hcbr_i_source *source) {
    return source->file != NULL ? hcbr_i_file_size(source->file) : 0;
}

uint64_t hcbr_i_source_position(const hcbr_i_source *source) {
    return source->position;
}

const char *hcbr_i_source_encoding(const hcbr_i_source *source) {
    return hcbr_i_decoder_encoding(&source->decoder);
}

bool hcbr_i_source_tell(hcbr_i_source *source, char text[HCBR_I_TOLD]) {
    return hcbr_i_decoder_tell(&source->decoder, text);
}

bool hcbr_i_source_tell_end(hcbr_i_source *source, char text[HCBR_I_TOLD]) {
    return hcbr_i_decoder_tell_end(&source->decoder, text);
}

hcbr_status hcbr_i_source_load(char **name, char **bytes, size_t *size, size_t most,
                               const char *path, const hcbr_read_options *options,
                               hcbr_error *err) {
    hcbr_i_source *source;
    char told[HCBR_I_TOLD];
    size_t capacity = 0, got = 1;
    *size = 0;
    hcbr_status st = hcbr_i_source_open(&source, path, options, err);
    if (st != HCBR_OK)
        return st;
    *name = hcbr_i_text_copy(hcbr_i_source_name(source), strlen(hcbr_i_source_name(source)));
    if (*name == NULL)
        st = hcbr_i_no_memory(err);
    while (st == HCBR_OK && got > 0 && *size <= most) {
        if (!hcbr_i_grow(bytes, &capacity, *size + STEP + 1, 1))
            st = hcbr_i_no_memory(err);
        else
            st = hcbr_i_source_read(source, *bytes + *size, capacity - *size - 1, &got, err);
        *size += st == HCBR_OK ? got : 0;
    }
    while (hcbr_i_source_tell(source, told) || hcbr_i_source_tell_end(source, told))
        hcbr_i_notify(options->notify, options->notify_context, HCBR_NOTE, *name, 0, 0, "%s", told);
    hcbr_i_source_close(source);
    return st;
}
