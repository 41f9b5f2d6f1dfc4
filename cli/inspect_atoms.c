/*
 * hcbr inspect of a rich model: the features and the conjunctions with the most support for each
 * label, and those of one atom. Tables are 80 columns wide; longer cells continue below, so that a
 * conjunction can be read to its end.
 */
#include "cell.h"
#include "inspect.h"

enum { LINE_WIDTH = 80, NUMBER_WIDTH = 11, TITLE_WIDTH = 16, INDENT = 2 };

static const char *const KINDS[] = {"features", "conjunctions"};

/* Atoms of a kind: of a label, or of an atom. */
static int rank(inspection *i, hcbr_atom_kind kind, hcbr_label label, uint32_t atom,
                hcbr_atom_ranking *to) {
    hcbr_error err = {0};
    hcbr_atom_options o;
    *to = (hcbr_atom_ranking){.size = sizeof *to};
    int code = inspect_explainer(i);
    if (code != EXIT_DONE)
        return code;
    hcbr_atom_options_init(&o);
    o.kind = kind;
    o.label = label;
    o.atom = atom;
    o.most = i->most;
    if (hcbr_explainer_rank_atoms(i->explainer, &o, to, &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    return EXIT_DONE;
}

/* Tests from number `from` on, as many as fit into the columns; returns the first that does not. */
static size_t add_tests(hcbr_cell *c, const inspection *i, const hcbr_ranked_atom *g, size_t from,
                        size_t columns) {
    size_t n = from;
    for (; n < g->feature_count; n++) {
        hcbr_cell before = *c;
        const char *join = n > from ? " & " : n > 0 ? "& " : "";
        if (hcbr_cell_add(c, join, strlen(join), columns) &&
            cell_add_shown(c, i->model, &g->features[n], columns))
            continue;
        *c = before;
        break;
    }
    return n;
}

static void put_blanks(out *o, size_t count) {
    while (count-- > 0)
        out_byte(o, ' ');
}

/* The part that did not fit into the first column. */
static void put_rest(const inspection *i, const hcbr_ranked_atom *g, size_t from) {
    out *o = i->out;
    char room[HCBR_SHOWN_SIZE];
    while (from < g->feature_count) {
        hcbr_cell line = {.used = 0};
        size_t next = add_tests(&line, i, g, from, LINE_WIDTH - INDENT);
        put_blanks(o, INDENT);
        if (next > from) {
            put_cell(o, &line, 0, false);
        } else { // longer than a line
            const hcbr_feature f = hcbr_shown_feature(i->model, &g->features[next++], room);
            out_string(o, from > 0 ? "& " : "");
            out_text(o, f.key, f.key_length);
            out_string(o, f.value ? "=" : "");
            out_text(o, f.value ? f.value : "", f.value_length);
        }
        out_row(o);
        from = next;
    }
}

/* The first column of a group; returns the length of the rest. */
static size_t put_atom(const inspection *i, const hcbr_ranked_atom *g, size_t width) {
    hcbr_cell first = {.used = 0};
    size_t next = add_tests(&first, i, g, 0, width - 1);
    if (next == 0) { // its beginning here, in full below
        cell_add_shown(&first, i->model, &g->features[0], width - 4);
        hcbr_cell_add(&first, "...", 3, width - 1);
    }
    put_cell(i->out, &first, width, false);
    return next;
}

/* Returns its mark: the caller ends the line. */
static size_t put_heading(inspection *i, const char *title, const char *name, size_t length,
                          size_t width) {
    hcbr_cell head = {.used = 0};
    out_row(i->out);
    const size_t mark = out_mark(i->out);
    hcbr_cell_add(&head, title, strlen(title), width - 1);
    hcbr_cell_add_cut(&head, name, length, width - 1);
    put_cell(i->out, &head, width, false);
    put_text(i->out, "adds", 4, NUMBER_WIDTH, true);
    put_text(i->out, "average", 7, NUMBER_WIDTH, true);
    return mark;
}

/* Digits for the column `adds`. */
static int decimals_of(const hcbr_atom_ranking *r) {
    double largest = 0;
    for (size_t n = 0; n < r->count; n++) {
        const hcbr_ranked_atom *g = &r->atoms[n];
        largest = g->lead > largest ? g->lead : largest;
    }
    return decimals_for(largest);
}

static void put_figures(inspection *i, const hcbr_ranked_atom *g, int adds, int average) {
    put_number(i->out, g->lead, adds, NUMBER_WIDTH);
    if (g->cases)
        put_number(i->out, g->average, average, NUMBER_WIDTH);
    else
        put_text(i->out, "-", 1, NUMBER_WIDTH, true);
}

static void put_more(inspection *i, const hcbr_atom_ranking *r, const char *none) {
    if (r->count == 0)
        out_string(i->out, none);
    if (r->count == 0 || r->count == r->all)
        return;
    put_blanks(i->out, INDENT);
    out_u64(i->out, r->all - r->count);
    out_string(i->out, " more (--top)\n");
}

static int put_strongest(inspection *i, hcbr_atom_kind kind, hcbr_label label) {
    hcbr_atom_ranking r;
    label_facts info = inspect_label(i, label);
    size_t width = LINE_WIDTH - NUMBER_WIDTH * (2 + inspect_counts_columns(i));
    int code = rank(i, kind, label, UINT32_MAX, &r);
    if (code != EXIT_DONE)
        return code;
    const size_t head =
        put_heading(i, kind == HCBR_ATOM_TESTS ? "conjunctions for " : "features for ", info.name,
                    info.name_length, width);
    inspect_counts_heading(i, NUMBER_WIDTH);
    out_row(i->out);
    out_style(i->out, head, OUT_BOLD);
    int adds = decimals_of(&r), average = r.count ? decimals_for(r.atoms->average) : 0;
    for (size_t n = 0; n < r.count; n++) {
        const hcbr_ranked_atom *g = &r.atoms[n];
        size_t next = put_atom(i, g, width);
        put_figures(i, g, adds, average);
        if (g->cases)
            inspect_counts_text(i, g->cases, label, NUMBER_WIDTH);
        out_row(i->out);
        put_rest(i, g, next);
    }
    put_more(i, &r, "(none speaks more for it than for another label)\n");
    return EXIT_DONE;
}

static void put_legend(inspection *i) {
    out_string(i->out,
               "\nadds: to the lead of the label over the next one, in a case that has the "
               "group\naverage: its mean over all past cases of the label; groups are sorted by "
               "it\n");
    if (i->info.keep == HCBR_KEEP_NONE)
        out_string(i->out, "no past cases are kept (--keep-cases none): conjunctions are sorted "
                           "by adds\n");
}

int inspect_atoms_text(inspection *i) {
    int code, kinds = 2;
    put_text(i->out, "groups", 6, TITLE_WIDTH, false);
    for (int kind = 0; kind < 2; kind++) {
        hcbr_atom_ranking r;
        code = rank(i, (hcbr_atom_kind)kind, HCBR_LABEL_UNKNOWN, UINT32_MAX, &r);
        if (code != EXIT_DONE)
            return code;
        out_string(i->out, kind > 0 ? ", " : "");
        if (!r.too_many) {
            out_u64(i->out, r.in_model);
            out_string(i->out, " ");
        }
        out_string(i->out, KINDS[kind]);
        out_string(i->out, r.too_many ? " not listed: too many with so many labels" : "");
        kinds -= r.too_many;
    }
    out_row(i->out);
    put_legend(i);
    for (uint32_t l = 0; l < i->info.labels && out_good(i->out); l++)
        for (int kind = 0; kind < kinds; kind++)
            if ((code = put_strongest(i, (hcbr_atom_kind)kind, (hcbr_label)l)) != EXIT_DONE)
                return code;
    return EXIT_DONE;
}

int inspect_atom_parts_text(inspection *i, uint32_t atom) {
    static const char *const titles[] = {"adds by itself", "adds in conjunctions"};
    size_t width = LINE_WIDTH - 4 * NUMBER_WIDTH;
    for (int kind = 0; kind < 2; kind++) {
        hcbr_atom_ranking r;
        int code = rank(i, (hcbr_atom_kind)kind, HCBR_LABEL_UNKNOWN, atom, &r);
        if (code != EXIT_DONE)
            return code;
        const size_t head = put_heading(i, titles[kind], "", 0, width);
        put_text(i->out, "for", 3, NUMBER_WIDTH, true);
        put_text(i->out, "cases", 5, NUMBER_WIDTH, true);
        out_row(i->out);
        out_style(i->out, head, OUT_BOLD);
        int adds = decimals_of(&r), average = r.count ? decimals_for(r.atoms->average) : 0;
        for (size_t n = 0; n < r.count; n++) {
            const hcbr_ranked_atom *g = &r.atoms[n];
            label_facts label = inspect_label(i, g->label);
            size_t next = put_atom(i, g, width);
            put_figures(i, g, adds, average);
            put_text(i->out, label.name, label.name_length, NUMBER_WIDTH, true);
            if (g->cases)
                put_count(i->out, g->case_count, NUMBER_WIDTH);
            out_row(i->out);
            put_rest(i, g, next);
        }
        put_more(i, &r, "(nothing)\n");
    }
    out_row(i->out);
    return EXIT_DONE;
}
