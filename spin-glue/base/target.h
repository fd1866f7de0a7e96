/* SPDX-License-Identifier: MIT
 *
 * Files that users name for us to write.  What is there is theirs: it is replaced only where it can be told that we wrote it
 * (form.def), as a whole, through a file beside it.  Nothing else in the command writes to a path that a user has named.
 */
#ifndef BITSPIN_TARGET_H
#define BITSPIN_TARGET_H

#include "base.h"

#define TARGET_PICTURE "<!-- drawn by bitspin -->" /* at the end of an SVG, which other programs draw */

enum form {
#define FORM(name, what, begins, has) FORM_##name,
#include "form.def"
};

/* Why nothing may be written there, malloc'ed; NULL: it may.  Nothing is opened for writing, and nothing is made. */
char *target_refusal(const char *path, enum form form);
/* Does the name end as that of a source, an object or a library does? */
bool target_is_source(const char *path);
/* Are both the same file, by whatever name?  Of one that is not there, the names are compared. */
bool target_is_same(const char *a, const char *b);
bool target_is_descriptor(const char *path, int fd); /* another name of this descriptor, such as /dev/stdout? */
bool target_goes_to(const char *path, int fd);       /* is it the plain file that this descriptor is open on? */
/* False: it cannot be, which has been said on standard error; then nothing is left there. */
bool target_write(const char *path, enum form form, const char *bytes, size_t size);
void target_remove(const char *path, enum form form); /* what an earlier run has written there */
char *target_of(const char *path); /* the file itself: symbolic links are followed, also to what is not there; malloc'ed */
/* A new file beside this one, open for writing, with the permissions that one has or would get; < 0: errno says why. */
int target_open_beside(const char *path, char **name);

#endif
