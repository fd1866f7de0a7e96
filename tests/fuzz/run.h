/* SPDX-License-Identifier: MIT
 *
 * What the fuzzers share: running an image for some steps, and giving libFuzzer bytes as a file.
 */
#ifndef BITSPIN_FUZZ_RUN_H
#define BITSPIN_FUZZ_RUN_H

#include <stdio.h>

/* Run the image loaded in vm_this in a process of its own, along the first thread that can go on, for some steps or a moment; a
 * signal other than the one for its time ends this process too. */
void run_apart(void);

/* A file without a name that holds the bytes: its descriptor, and in `path` how to open it. */
int file_of(const void *bytes, size_t size, char path[64]);

/* Where output goes that nobody reads. */
FILE *nowhere(void);

#endif
