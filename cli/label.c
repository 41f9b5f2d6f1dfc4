/*
 * Labels in text. The quoted ones are kept: there are as many as labels of such a name, one or two.
 */
#include "label.h"

#include "opt.h"
#include "term.h"

#include <hcbr/text.h>

#include <stdlib.h>
#include <string.h>

typedef struct quoted {
    struct quoted *next;
    size_t length;
    char text[];
} quoted;

static quoted *all;

const char *label_shown(const char *name, size_t *length) {
    if (!hcbr_text_is_unknown(name, *length))
        return name;
    quoted *q = all;
    while (q && q->length != *length + 2) // they differ only in the quotes
        q = q->next;
    if (!q) {
        if (!(q = malloc(sizeof *q + *length + 2)))
            exit(say_no_memory(NULL));
        q->length = *length + 2;
        q->text[0] = q->text[*length + 1] = '"';
        memcpy(q->text + 1, name, *length);
        q->next = all;
        all = q;
    }
    *length = q->length;
    return q->text;
}
