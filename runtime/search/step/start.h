/* SPDX-License-Identifier: MIT
 *
 * Opening and closing a VM.
 */
#ifndef BITSPIN_START_H
#define BITSPIN_START_H

#include <stddef.h>

/* Open the current VM on the image in a file: load the image, open the table, begin.  Return 0, or -1 if the image cannot be
 * loaded; then `error`, of `size` bytes, says why. */
int vm_open(const char *image, char *error, size_t size);

/* Open the VM that the process begins with, as its environment says (bitspin_vm.h), and have it report at exit.  Exit with 2 if
 * there is no image.  vm_open_again: close it and open it as it was in the beginning. */
void vm_start(void);
void vm_open_again(void);

/* Begin the program, after the image has been loaded and the table has been opened: resolve its functions, and store the state
 * before its first step (vm_this.initial) and the one that stands for paths that are cut. */
void vm_begin(void);

/* Close the current VM, so that another may be opened.  Free the table, the scratch memory and the image, but not what the rooms
 * have allocated for themselves, some kilobytes. */
void vm_close(void);

#endif
