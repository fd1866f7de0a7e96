/* SPDX-License-Identifier: MIT
 *
 * Files that users name for bitspin to write.  A file that is there is the user's.  It is replaced only if its content shows that
 * bitspin wrote it (form.def), as a whole, through a file beside it.  Nothing else in the command writes to a path that a user has
 * named.
 */
#ifndef BITSPIN_TARGET_H
#define BITSPIN_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#define TARGET_PICTURE "<!-- drawn by bitspin -->" /* at the end of an SVG, which other programs draw */

enum form {
#define FORM(name, what, begins, has) FORM_##name,
#include "form.def"
};

/* Return why nothing may be written to `path`, malloc'ed; NULL if it may.  Nothing is opened for writing, and nothing is made. */
char *target_refusal(const char *path, enum form form);
/* Does the name end as that of a source, an object or a library does? */
bool target_is_source(const char *path);
/* Do both paths name the same file?  If one does not exist, the names are compared. */
bool target_is_same(const char *a, const char *b);
bool target_is_descriptor(const char *path, int fd); /* is `path` another name of this descriptor, such as /dev/stdout? */
bool target_goes_to(const char *path, int fd);       /* is `path` the plain file that this descriptor is open on? */
/* Write a file.  If that fails, say so on standard error, leave nothing there, and return false. */
bool target_write(const char *path, enum form form, const char *bytes, size_t size);
void target_remove(const char *path, enum form form); /* remove what an earlier run has written there */
/* printed.c: is the file as bitspin left it when it wrote what a program had printed? */
bool target_was_printed(const char *path);
/* Remember that bitspin has written these bytes to the file. */
void target_note_printed(const char *path, const char *bytes, size_t size);
/* Return the path with symbolic links followed, also to files that do not exist, malloc'ed. */
char *target_of(const char *path);
/* Open a new file beside `path` for writing, with the permissions that `path` has or would get.  Return the descriptor; < 0: errno
 * says why there is none. */
int target_open_beside(const char *path, char **name);

#endif
