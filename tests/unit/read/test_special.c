// Columns that hold sets and texts, and those of which only the presence counts: what features they
// give, by examples and against naive code written only for these tests.
#include "read_support.h"
#include "seed.h"
#include "words_support.h"

static job special_job(const char *ending) {
    static const hcbr_split split = {"tags", "|"};
    static const char *const texts[] = {"body"}, *const presence[] = {"seen"};
    job j = job_make(ending, true);

    j.options.split = &split;
    j.options.text = texts;
    j.options.presence = presence;
    j.options.split_count = j.options.text_count = j.options.presence_count = 1;
    j.options.words = test_words;
    return j;
}

static void special__csv_gives_parts_words_and_bare_keys(void **state) {
    (void)state;
    job j = special_job(".csv");

    expect(&j,
           "label,tags,body,seen,n\n"
           "a,x|y,The cat the,now,1\n"
           "b,|z||?|,\"one, \"\"two\"\"\",,2\n"
           "c,NA,NA,NA,NA\n"
           "d,,...,0,\n",
           "1@2 a tags=x tags=y seen n=1 body:the=2 body:cat=1\n"
           "2@3 b tags=z n=2 body:one=1 body:two=1\n"
           "3@4 c\n"
           "4@5 d seen\n");
}

static void special__jsonl_goes_by_dotted_paths(void **state) {
    (void)state;
    static const hcbr_split split = {"a.tags", ", "};
    static const char *const texts[] = {"a.body", "features"}, *const presence[] = {"seen"};
    job j = special_job(".jsonl");

    j.options.split = &split;
    j.options.text = texts;
    j.options.text_count = 2;
    j.options.presence = presence;
    expect(&j,
           "{\"seen\":[1,2],\"a\":{\"body\":[\"x y\",\"y\\u0020z\"],\"tags\":\"p, "
           "q,r\"},\"label\":1}\n"
           "{\"label\":2,\"features\":[\"p q\",\"p\"],\"tags\":\"x|y\",\"seen\":null,\"body\":7}\n"
           "{\"label\":3,\"seen\":{\"in\":1},\"a\":{\"body\":12,\"tags\":true}}\n",
           "1@1 1 seen seen a.tags=p a.tags=q,r a.body:x=1 a.body:y=2 a.body:z=1\n"
           "2@2 2 tags=x|y body=7 features:p=2 features:q=1\n"
           "3@3 3 seen.in=1 a.tags=true a.body:12=1\n");
}

static void special__sequences_stay_within_a_text(void **state) {
    (void)state;
    job j = special_job(".jsonl");

    j.options.ngrams = 3;
    expect(&j, "{\"label\":1,\"body\":[\"a b a b\",\"c\"]}\n",
           "1@1 1 body:a=2 body:b=2 body:a b=2 body:b a=1 body:a b a=1 body:b a b=1 body:c=1\n"
           "warning 0:0 no case has the key 'tags' (option split)\n"
           "warning 0:0 no case has the key 'seen' (option presence)\n");
}

static void special__texts_need_no_function(void **state) {
    (void)state;
    job j = special_job(".csv");

    j.options.words = NULL;
    expect(&j,
           "label,tags,body,seen\n"
           "a,x,Don\xE2\x80\x99t STRASSE stra\xC3\x9F\x65 don't \xEF\xAC\x81x,1\n",
           "1@2 a tags=x seen body:don't=2 body:strasse=2 body:fix=1\n");
    j = job_make(".txt", true);
    expect(&j, "a\t\xC3\x84 a\xCC\x88\n", "1@1 a \xC3\xA4=2\n");
}

static void special__texts_come_in_the_order_of_options(void **state) {
    (void)state;
    static const char *const texts[] = {"u", "t"};
    job j = job_make(".csv", true);

    j.options.text = texts;
    j.options.text_count = 2;
    j.options.words = test_words;
    expect(&j, "t,label,u,v\nx y,1,z,2\n", "1@2 1 v=2 u:z=1 t:x=1 t:y=1\n");
    j.ending = ".jsonl";
    expect(&j, "{\"t\":\"x y\",\"v\":2,\"u\":\"z\",\"label\":1}\n",
           "1@1 1 v=2 u:z=1 t:x=1 t:y=1\n");
}

static void special__columns_have_one_use(void **state) {
    (void)state;
    static const char *const two[] = {"x", "x"};
    static const hcbr_split split = {"x", ";"};
    job j = special_job(".csv");

    expect(&j, "label,tags,body\n",
           "EDATA 1:1 found columns 'label', 'tags', 'body', expected 'seen' (option presence)\n");
    j.options.label = "body";
    expect(
        &j, "",
        "EUSAGE found 'body' for both option text and option label, expected it in one of them\n");
    j.options.label = NULL;
    j.options.id = "tags";
    expect(&j, "",
           "EUSAGE found 'tags' for both option split and option id, expected it in one of them\n");
    j.options.id = NULL;
    j.options.ignore = two;
    j.options.ignore_count = 1;
    j.options.split = &split;
    expect(
        &j, "",
        "EUSAGE found 'x' for both option split and option ignore, expected it in one of them\n");
    j.options.ignore_count = 0;
    j.options.text = two;
    j.options.text_count = 2;
    expect(&j, "",
           "EUSAGE found 'x' for both option split and option text, expected it in one of them\n");
    j.options.split_count = 0;
    expect(&j, "", "EUSAGE found 'x' twice in option text, expected it once\n");
}

static void special__options_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const hcbr_split empty = {"x", ""}, broken = {"x", "\xC3"}, nameless = {"", "|"};
    job j = special_job(".csv");

    j.options.split = &empty;
    expect(&j, "", "EUSAGE found the separator '' for 'x', expected text (option split)\n");
    j.options.split = &broken;
    expect(&j, "", "EUSAGE found the separator '\\xc3' for 'x', expected text (option split)\n");
    j.options.split = &nameless;
    expect(&j, "", "EUSAGE found the column '', expected a name (option split)\n");
    j = special_job(".csv");
    j.options.ngrams = 17;
    expect(&j, "", "EUSAGE found sequences of 17 words, expected 1 to 16 (option ngrams)\n");
    j.options.ngrams = 1;
    j.options.min_count = 0;
    expect(&j, "",
           "EUSAGE found a least number of 0 cases, expected 1 or more (option min_count)\n");
    j = special_job(".svm");
    expect(
        &j, "1 1:1\n",
        "EUSAGE found option split for libsvm, which has no columns, expected csv, tsv or jsonl\n");
}

/* ---- random ---------------------------------------------------------------------------------- */

typedef struct counted {
    char word[64];
    unsigned count;
} counted;

/** Words and sequences of a text, slowly: all of them in order of their ends, then counted. */
static void naive_words(text *out, const char *column, const char *value, unsigned ngrams) {
    char words[40][24]; // a value has fewer than 20 bytes
    counted all[200];
    size_t count = 0, kinds = 0;

    for (const char *at = value; *at != '\0';) {
        size_t length = 0;

        while (test_word_byte(at[length]) && at[length] != '\0')
            length++;
        if (length > 0) {
            assert_true(length < sizeof words[0]);
            for (size_t i = 0; i < length; i++)
                words[count][i] = (char)tolower((unsigned char)at[i]);
            words[count++][length] = '\0';
        }
        at += length > 0 ? length : 1;
    }
    for (size_t last = 0; last < count; last++)
        for (size_t n = 1; n <= ngrams && n <= last + 1; n++) {
            char gram[64] = "";
            size_t k;

            for (size_t i = last + 1 - n; i <= last; i++) {
                strcat(gram, words[i]);
                strcat(gram, i < last ? " " : "");
            }
            for (k = 0; k < kinds && strcmp(all[k].word, gram) != 0;)
                k++;
            if (k == kinds) {
                strcpy(all[kinds].word, gram);
                all[kinds++].count = 0;
            }
            all[k].count++;
        }
    for (size_t k = 0; k < kinds; k++)
        text_print(out, " %s:%s=%u", column, all[k].word, all[k].count);
}

/** Parts of a set, slowly. */
static void naive_parts(text *out, const char *column, const char *value, const char *separator) {
    char part[64] = "";

    for (const char *at = value;; at++) {
        bool cut = strncmp(at, separator, strlen(separator)) == 0;

        if ((cut || *at == '\0') && part[0] != '\0' && strcmp(part, "?") != 0)
            text_print(out, " %s=%s", column, part);
        if (*at == '\0')
            break;
        if (cut) {
            part[0] = '\0';
            at += strlen(separator) - 1;
        } else {
            strncat(part, at, 1);
        }
    }
}

static void draw_value(uint64_t *seed, char value[64], const char *alphabet, size_t most) {
    size_t length = draw(seed, most);

    for (size_t i = 0; i < length; i++)
        value[i] = alphabet[draw(seed, strlen(alphabet))];
    value[length] = '\0';
}

static void special__agrees_with_naive_code(void **state) {
    (void)state;
    static const char *const separators[] = {"|", "||", ", ", "ab"};
    uint64_t seed = test_seed_fresh();

    for (int round = 0; round < 600; round++) {
        hcbr_split split = {"s", separators[draw(&seed, 4)]};
        static const char *const texts[] = {"t"}, *const presence[] = {"p"};
        text csv = {NULL, 0, 0}, json = {NULL, 0, 0}, wanted = {NULL, 0, 0}, out = {NULL, 0, 0};
        text wanted_json = {NULL, 0, 0};
        job j = job_make(".csv", true);

        j.options.split = &split;
        j.options.text = texts;
        j.options.presence = presence;
        j.options.split_count = j.options.text_count = j.options.presence_count = 1;
        j.options.words = test_words;
        j.options.ngrams = 1 + (uint32_t)draw(&seed, 4);
        j.packets = draw(&seed, 3) * 7;
        j.options.format = HCBR_FORMAT_CSV;
        text_print(&csv, "t,s,label,p\n");
        for (unsigned row = 1; row <= 5; row++) {
            char s[64], t[64], p[64];

            draw_value(&seed, s, "ab|?, ", 12);
            draw_value(&seed, t, "aAb. ", 20);
            draw_value(&seed, p, "x", 2);
            text_print(&csv, "\"%s\",\"%s\",l,%s\n", t, s, p);
            text_print(&json, "{\"p\":\"%s\",\"label\":\"l\",\"t\":\"%s\",\"s\":\"%s\"}\n", p, t,
                       s);
            text_print(&wanted, "%u@%u l", row, row + 1);
            text_print(&wanted_json, "%u@%u l%s", row, row, p[0] != '\0' ? " p" : "");
            if (strcmp(s, "?") != 0 && s[0] != '\0') {
                naive_parts(&wanted, "s", s, split.separator);
                naive_parts(&wanted_json, "s", s, split.separator);
            }
            text_print(&wanted, "%s", p[0] != '\0' ? " p" : "");
            naive_words(&wanted, "t", t, j.options.ngrams);
            naive_words(&wanted_json, "t", t, j.options.ngrams);
            text_print(&wanted, "\n");
            text_print(&wanted_json, "\n");
        }
        read_bytes(&out, csv.at, csv.length, &j);
        assert_string_equal(out.at, wanted.at);
        text_free(&out);
        j.options.format = HCBR_FORMAT_JSONL;
        read_bytes(&out, json.at, json.length, &j);
        assert_string_equal(out.at, wanted_json.at);
        text_free(&out);
        text_free(&csv);
        text_free(&json);
        text_free(&wanted);
        text_free(&wanted_json);
    }
}

/** A long case, then short ones: the table that grew serves them all. */
static void special__many_words_and_few(void **state) {
    (void)state;
    job j = job_make(".txt", true);
    text data = {NULL, 0, 0}, wanted = {NULL, 0, 0}, out = {NULL, 0, 0};

    j.options.words = test_words;
    for (int row = 1; row <= 3; row++) {
        text_print(&data, "l\t");
        text_print(&wanted, "%d@%d l", row, row);
        for (int i = 0; i < (row == 2 ? 30000 : 3); i++) {
            text_print(&data, "a word of the number %d ", i);
            if (i == 0)
                text_print(&wanted, " a=%d word=%d of=%d the=%d number=%d", row == 2 ? 30000 : 3,
                           row == 2 ? 30000 : 3, row == 2 ? 30000 : 3, row == 2 ? 30000 : 3,
                           row == 2 ? 30000 : 3);
            text_print(&wanted, " %d=1", i);
        }
        text_print(&data, "\n");
        text_print(&wanted, "\n");
    }
    read_bytes(&out, data.at, data.length, &j);
    assert_string_equal(out.at, wanted.at);
    text_free(&data);
    text_free(&wanted);
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special__csv_gives_parts_words_and_bare_keys),
        cmocka_unit_test(special__jsonl_goes_by_dotted_paths),
        cmocka_unit_test(special__sequences_stay_within_a_text),
        cmocka_unit_test(special__texts_need_no_function),
        cmocka_unit_test(special__texts_come_in_the_order_of_options),
        cmocka_unit_test(special__columns_have_one_use),
        cmocka_unit_test(special__options_that_make_no_sense_are_refused),
        cmocka_unit_test(special__agrees_with_naive_code),
        cmocka_unit_test(special__many_words_and_few),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
