/* SPDX-License-Identifier: MIT
 *
 * What a program writes to files (--fs-write): a disk in memory, part of the state, that lies over the files of --fs.
 *
 * The disk has a few nodes, each a file or directory with its name, or the note that a file of --fs is gone.  A file of --fs is
 * copied to a node before it is written to.  The real disk is never touched.  All functions are to be called in an atomic section.
 * They may be called only if __bitspin_fs_write is true: else the memory of the disk does not exist.
 */
#ifndef BITSPIN_DISK_H
#define BITSPIN_DISK_H

#include "library.h"

enum { NODES = 16, NODE_NAME = 100, NODE_BYTES = 16384 }; /* as in translator/symbols/provided.c */

enum node_kind { NODE_FREE, NODE_FILE, NODE_DIRECTORY, NODE_GONE, NODE_UNLINKED };

struct node {
	char name[NODE_NAME]; /* as those of --fs; of a NODE_UNLINKED, which is still open: empty */
	unsigned kind, size, refs; /* enum node_kind; bytes; descriptors */
};

extern const size_t __bitspin_fs_write;

/* The node of this name; NULL if there is none. */
struct node *__bitspin_node_of(const char *name);
struct node *__bitspin_node(size_t number);
size_t __bitspin_node_number(const struct node *node);
unsigned char *__bitspin_node_bytes(const struct node *node);

/* A new node, which is linked; the path ends if there is no room for it. */
struct node *__bitspin_new_node(const char *name, enum node_kind kind);

void __bitspin_node_resize(struct node *node, size_t size); /* what is added is zero; likewise */
void __bitspin_node_unlink(struct node *node, int hides);   /* hides: a file of --fs has its name */
void __bitspin_node_close(struct node *node);               /* one descriptor less */
int __bitspin_node_below(const char *name);                 /* is there one in the directory of this name? */

/* The system orders the calls that use names, by one place for all, and those that use a node. */
static inline void __bitspin_order_node(const struct node *node)
{
	__bitspin_order_after(node);
	__bitspin_order_before(node);
}

static inline void __bitspin_order_disk(void)
{
	__bitspin_order_node(__bitspin_node(0));
}

/* ---- files.c ---------------------------------------------------------------------------------------------------------- */

#define NODE ((size_t)1 << 31) /* number of a file: one of --fs, or from here on a node */

const char *__bitspin_plain_name(const char *path);
size_t __bitspin_find_file(const char *path);  /* 0: there is none */
int __bitspin_is_directory(const char *path);
size_t __bitspin_size_of(size_t file);
long __bitspin_file_of(int fd); /* -1: it is open for no file */
struct node *__bitspin_writable(size_t file); /* its node, made if it is a file of --fs */

/* ---- paths.c ---------------------------------------------------------------------------------------------------------- */

int __bitspin_no_new_name(const char *path); /* why nothing can be made there, an error number; 0: it can */
struct node *__bitspin_name_node(const char *path, enum node_kind kind);

#endif
