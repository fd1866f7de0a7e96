/* SPDX-License-Identifier: MIT
 *
 * What a program can say to bitspin.  `bitspin check` finds this header by itself; in an ordinary build the functions do
 * nothing (choices take their first value), so that one source serves both.
 */
#ifndef BITSPIN_H
#define BITSPIN_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __BITSPIN__

_Noreturn void bitspin_error(const char *message); /* reaching this is a violation */
void bitspin_assert(int condition);
void bitspin_assume(int condition);    /* paths where it is 0 are not explored */
int bitspin_choose(int low, int high); /* any value from low to high */
_Bool bitspin_nondet_bool(void);
int bitspin_nondet_int(void);
unsigned bitspin_nondet_unsigned(void);
long bitspin_nondet_long(void);
_Bool bitspin_any_bool(void); /* any value of the type: all of them count for the verdict */
char bitspin_any_char(void);
unsigned char bitspin_any_uchar(void);
short bitspin_any_short(void);
unsigned short bitspin_any_ushort(void);
int bitspin_any_int(void);
unsigned bitspin_any_unsigned(void);
long bitspin_any_long(void);
unsigned long bitspin_any_ulong(void);
void bitspin_atomic_begin(void); /* no other thread runs until bitspin_atomic_end() */
void bitspin_atomic_end(void);
void bitspin_yield(void);                                 /* a scheduling point */
void bitspin_label(const char *name);                     /* a place that formulas can speak of: at(name) */
void bitspin_progress(void);                              /* a cycle that passes here makes progress */
void bitspin_view(const void *start, unsigned long size); /* in an --abstract function: these bytes are part of the view */

/* bitspin linearize: from here on, the running thread is in an operation, until it ends with this result. */
#ifdef __BITSPIN_LINEARIZE__
extern unsigned long __bitspin_operations[];
extern const unsigned __bitspin_table[];
void __bitspin_operation_begin(void *, const void *, unsigned long, const char *);
void __bitspin_operation_end(void *, const void *, unsigned long, const char *, unsigned long, unsigned long, unsigned long,
			     unsigned long, unsigned long, unsigned long);
#define bitspin_operation_begin(call) __bitspin_operation_begin(__bitspin_operations, __bitspin_table, -1UL, call)
#define bitspin_operation_end(result) \
	__bitspin_operation_end(__bitspin_operations, __bitspin_table, -1UL, "an operation", 1, (unsigned long)(long)(result), 0, \
				0, 0, 0)
#else
static inline void bitspin_operation_begin(const char *call)
{
	(void)call;
}
static inline void bitspin_operation_end(long result)
{
	(void)result;
}
#endif

#else

/* clang-format off */
static inline void bitspin_error(const char *message) { (void)message; }
static inline void bitspin_assert(int condition) { (void)condition; }
static inline void bitspin_assume(int condition) { (void)condition; }
static inline int bitspin_choose(int low, int high) { (void)high; return low; }
static inline _Bool bitspin_nondet_bool(void) { return 0; }
static inline int bitspin_nondet_int(void) { return 0; }
static inline unsigned bitspin_nondet_unsigned(void) { return 0; }
static inline long bitspin_nondet_long(void) { return 0; }
static inline _Bool bitspin_any_bool(void) { return 0; }
static inline char bitspin_any_char(void) { return 0; }
static inline unsigned char bitspin_any_uchar(void) { return 0; }
static inline short bitspin_any_short(void) { return 0; }
static inline unsigned short bitspin_any_ushort(void) { return 0; }
static inline int bitspin_any_int(void) { return 0; }
static inline unsigned bitspin_any_unsigned(void) { return 0; }
static inline long bitspin_any_long(void) { return 0; }
static inline unsigned long bitspin_any_ulong(void) { return 0; }
static inline void bitspin_atomic_begin(void) { }
static inline void bitspin_atomic_end(void) { }
static inline void bitspin_yield(void) { }
static inline void bitspin_label(const char *name) { (void)name; }
static inline void bitspin_progress(void) { }
static inline void bitspin_operation_begin(const char *call) { (void)call; }
static inline void bitspin_operation_end(long result) { (void)result; }
static inline void bitspin_view(const void *start, unsigned long size) { (void)start; (void)size; }
/* clang-format on */

#endif

#ifdef __cplusplus
}
#endif

#endif
