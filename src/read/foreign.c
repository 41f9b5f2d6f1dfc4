/*
 * Files without lines of text: their kind, by the first bytes, with advice.
 *
 * Invariant: no readable text begins with the bytes of one of them.
 */
#include "read/parse.h"

/** Whether the file begins with these letters, in any case. */
static bool begins(const char *bytes, size_t size, const char *lower) {
    size_t length = strlen(lower);
    for (size_t i = 0; i < length; i++) {
        char c = i < size ? bytes[i] : '\0';
        if ((c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c) != lower[i])
            return false;
    }
    return true;
}

const char *hcbr_i_foreign(const char *bytes, size_t size) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *what;
    } known[] = {
        {"PK\x03\x04", 4,
         "a zip file or a spreadsheet (xlsx, ods), expected text: save the sheet as csv, or read "
         "it "
         "with pandas.read_excel and give the table to the Python package hcbr"},
        {"\xD0\xCF\x11\xE0", 4,
         "a spreadsheet (xls), expected text: save it as csv, or read it with pandas.read_excel "
         "and "
         "give the table to the Python package hcbr"},
        {"PAR1", 4,
         "a Parquet file, expected text: read it with pyarrow or pandas.read_parquet and give the "
         "table to the Python package hcbr"},
        {"ARROW1", 6,
         "an Arrow or Feather file, expected text: read it with pyarrow or pandas.read_feather and "
         "give the table to the Python package hcbr"},
        {"\x89HDF", 4, "an HDF5 file, expected text: save the table as csv"},
        {"SQLite format 3", 15,
         "a SQLite file in a pipe, expected a file: name it instead of standard input"},
        {"BZh9", 4, "a bzip2 file, expected text, gzip or zstd: expand it with bunzip2"},
        {"\xFD"
         "7zXZ",
         5, "an xz file, expected text, gzip or zstd: expand it with unxz"},
        {"%PDF-", 5, "a PDF file, expected text: copy its table into a csv file"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (size >= known[i].size && memcmp(bytes, known[i].bytes, known[i].size) == 0)
            return known[i].what;
    if (begins(bytes, size, "<!doctype html") || begins(bytes, size, "<html"))
        return "a web page, expected text: load the file itself, or save its table as csv";
    return NULL;
}
