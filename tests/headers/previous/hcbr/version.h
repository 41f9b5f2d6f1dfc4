/**
 * @file version.h
 * Version of these headers. That of the library in use is told by hcbr_version() and
 * hcbr_version_number().
 */
#ifndef HCBR_VERSION_H
#define HCBR_VERSION_H

#define HCBR_VERSION_MAJOR 0
#define HCBR_VERSION_MINOR 1
#define HCBR_VERSION_PATCH 0

/** All of it as one number that grows with each version, 1002003 for 1.2.3. */
#define HCBR_VERSION_NUMBER                                                                        \
    (HCBR_VERSION_MAJOR * 1000000 + HCBR_VERSION_MINOR * 1000 + HCBR_VERSION_PATCH)

/** As text, "MAJOR.MINOR.PATCH". */
#define HCBR_VERSION "0.1.0"

#endif
