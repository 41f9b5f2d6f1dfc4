/**
 * @file status.h
 * How functions of libhcbr report success and failure.
 *
 * A function that can fail returns an ::hcbr_status and, through its last parameter, the reason in
 * words. The library never prints, never exits and keeps no "last error" of its own.
 */
#ifndef HCBR_STATUS_H
#define HCBR_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define HCBR_API __attribute__((visibility("default")))
#define HCBR_MUST_CHECK __attribute__((warn_unused_result))
#else
#define HCBR_API
#define HCBR_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Structures that may grow. A structure that the caller declares and that may get fields in a later
 * version begins with its own size. Until version 1.0 the size must be exactly that of the library:
 * a program is compiled with the headers of the library it runs with.
 *
 * - Options are prepared by hcbr_..._init(&options), in C and C++ a macro for hcbr_init().
 * - For results the caller sets the size: hcbr_decision decision = {.size = sizeof decision}.
 * - Any other size is HCBR_EUSAGE; a function that returns no status then neither reads nor writes
 *   the structure.
 * - No such structure contains another. Structures without a size belong to arrays, to other
 *   structures or to the caller as a whole.
 */

/** A pointer and the size of its target: two arguments. */
#define HCBR_SIZED(pointer) (pointer), sizeof *(pointer)

/** Set a structure to its defaults; its type must be the one named. */
#define HCBR_INIT(type, structure)                                                                 \
    ((void)hcbr_init(1 ? (structure) : (type *)0, sizeof(type), #type))

/**
 * Set every field of a structure to its default, and its size.
 *
 * @param structure receives the defaults; NULL: only the size is asked for.
 * @param size      of the structure as the caller knows it. If it is not the library's, nothing but
 *                  the size is written, and calls that take the structure refuse it.
 * @param type      the name of its type, as in "hcbr_train_options".
 * @return the size that the library knows; 0: there are no defaults for this type.
 */
HCBR_API size_t hcbr_init(void *structure, size_t size, const char *type);

/** Outcome of a call. The values are pinned: their meaning never changes. */
typedef enum hcbr_status {
    HCBR_OK = 0,         /**< done */
    HCBR_EUSAGE = -1,    /**< an option or argument has an invalid value */
    HCBR_EDATA = -2,     /**< the data cannot be used; file, line and column say where */
    HCBR_EFORMAT = -3,   /**< not a model of this library, damaged, or of an unknown version */
    HCBR_EIO = -4,       /**< the operating system refused to open, read, write or rename */
    HCBR_ENOMEM = -5,    /**< out of memory */
    HCBR_ECANCELLED = -6 /**< the caller's progress function asked to stop */
} hcbr_status;

/** Why a call failed. The caller's storage; every field is set by a failure, none by success. */
typedef struct hcbr_error {
    hcbr_status status;
    uint64_t line;     /**< from 1; 0: no line */
    uint64_t column;   /**< from 1, in bytes; 0: no column */
    char file[512];    /**< name of the file as given, cut at the left if longer; or "" */
    char message[512]; /**< one line: what was found and what was expected. An invalid or helpful
                            option is named as "option NAME": option max_line, option join.name.
                            Text of the data is in single quotes */
} hcbr_error;

/**
 * The name of a status, for example "HCBR_EDATA".
 *
 * @return a static string, never NULL; "unknown status" for an invalid value.
 */
HCBR_API const char *hcbr_status_name(hcbr_status status);

/** How important a notice is. */
typedef enum hcbr_notice {
    HCBR_NOTE = 0,   /**< a choice made by the library, such as the recognised format */
    HCBR_WARNING = 1 /**< a fact about the data that a user should know */
} hcbr_notice;

/**
 * Receives notices during a call. Called on the thread of the call only.
 *
 * @param context as given with the function.
 * @param kind    note or warning.
 * @param where   file, line and column, if the notice has a place (status is HCBR_OK); the message
 *                is in where->message. Borrowed until the function returns.
 */
typedef void hcbr_notify_fn(void *context, hcbr_notice kind, const hcbr_error *where);

/**
 * Receives progress during a long call. Called on the thread of the call only.
 *
 * @param context as given with the function.
 * @param stage   a static string such as "read", "held out" or "train". The header of each call
 *                names its stages.
 * @param done    the part of the stage that is done; never decreases during a stage. Calls for many
 *                cases may go through their stages for each.
 * @param total   of the stage; 0 if unknown.
 * @return 0 to continue; any other value makes the call fail with HCBR_ECANCELLED, without partial
 *         results.
 */
typedef int hcbr_progress_fn(void *context, const char *stage, uint64_t done, uint64_t total);

/** Version of the library in use, "MAJOR.MINOR.PATCH". A static string. */
HCBR_API const char *hcbr_version(void);

/** The version as one number, 1002003 for 1.2.3: compare it with HCBR_VERSION_NUMBER
 *  (version.h). */
HCBR_API int hcbr_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
