/* SPDX-License-Identifier: MIT
 *
 * See second.h.  What node.h says of results that C does not have is what SMT-LIB says of them.  Terms are written as trees
 * (NODE_MOST bounds them), nodes of one bit as bit-vectors.
 */
#include "second.h"

#include <assert.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static VM_SHARED struct {
	bool looked;
	void *library;
	void *(*mk_config)(void);
	void (*del_config)(void *);
	void *(*mk_context)(void *);
	void (*del_context)(void *);
	const char *(*eval)(void *, const char *);
	void (*set_error_handler)(void *, void (*)(void *, int));
} z3;

static bool find(void *function, const char *name)
{
	void *there = dlsym(z3.library, name);
	memcpy(function, &there, sizeof there);
	return there != NULL;
}

static bool is_there(void)
{
	const char *path = getenv("BITSPIN_Z3");
	if (z3.looked)
		return z3.library != NULL;
	z3.looked = true;
	z3.library = dlopen(path ? path : "libz3.so.4", RTLD_NOW | RTLD_LOCAL);
	if (path && !*path)
		z3.library = NULL; /* dlopen() takes "" for the program itself */
	if (z3.library &&
	    !(find(&z3.mk_config, "Z3_mk_config") && find(&z3.del_config, "Z3_del_config") &&
	      find(&z3.mk_context, "Z3_mk_context") && find(&z3.del_context, "Z3_del_context") &&
	      find(&z3.eval, "Z3_eval_smtlib2_string") && find(&z3.set_error_handler, "Z3_set_error_handler")))
		z3.library = NULL;
	return z3.library != NULL;
}

/* ---- the question as text -------------------------------------------------------------------------------------------- */

static VM_OWN struct {
	char *text;
	uint32_t length, capacity;
} out;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	enum { LINE = 128 };
	va_list rest;
	out.text = vm_grow(out.text, &out.capacity, (uint64_t)out.length + LINE, 1);
	va_start(rest, format);
	int length = vsnprintf(out.text + out.length, LINE, format, rest);
	va_end(rest);
	assert(length >= 0 && length < LINE);
	out.length += (uint32_t)length;
}

static const char *name_of(enum node_op op)
{
	switch (op) {
	case NODE_ADD: return "bvadd";
	case NODE_MUL: return "bvmul";
	case NODE_AND: return "bvand";
	case NODE_OR: return "bvor";
	case NODE_XOR: return "bvxor";
	case NODE_UDIV: return "bvudiv";
	case NODE_UREM: return "bvurem";
	case NODE_SDIV: return "bvsdiv";
	case NODE_SREM: return "bvsrem";
	case NODE_SHL: return "bvshl";
	case NODE_LSHR: return "bvlshr";
	case NODE_ASHR: return "bvashr";
	case NODE_EQ: return "=";
	case NODE_ULT: return "bvult";
	case NODE_SLT: return "bvslt";
	default: return NULL;
	}
}

static void write_node(uint32_t number);

static void write_operands(const struct node *n)
{
	const uint32_t operands[] = { n->a, n->b, n->c };
	for (unsigned i = 0; i < 3 && operands[i]; i++) {
		put(" ");
		write_node(operands[i]);
	}
	put(")");
}

/* Write whether a product needs more bits than its operands have: it is made with twice as many. */
static void write_overflow(const struct node *n)
{
	unsigned width = vm_node_width(n->a);
	const char *extend = n->op == NODE_SMULO ? "sign" : "zero";
	put("(let ((p (bvmul");
	for (unsigned i = 0; i < 2; i++) {
		put(" ((_ %s_extend %u) ", extend, width);
		write_node(i ? n->b : n->a);
		put(")");
	}
	put("))) (ite (= p ((_ %s_extend %u) ((_ extract %u 0) p))) #b0 #b1))", extend, width, width - 1);
}

static void write_node(uint32_t number)
{
	const struct node n = *vm_node(number);
	switch ((enum node_op)n.op) {
	case NODE_CONSTANT: put("(_ bv%" PRIu64 " %u)", n.value, (unsigned)n.width); return;
	case NODE_SYMBOL: put("s%" PRIu64, n.value); return;
	case NODE_UMULO:
	case NODE_SMULO: write_overflow(&n); return;
	case NODE_EQ:
	case NODE_ULT:
	case NODE_SLT:
		put("(ite (%s", name_of((enum node_op)n.op));
		write_operands(&n);
		put(" #b1 #b0)");
		return;
	case NODE_ITE:
		put("(ite (= #b1 ");
		write_node(n.a);
		put(") ");
		write_node(n.b);
		put(" ");
		write_node(n.c);
		put(")");
		return;
	case NODE_EXTRACT: put("((_ extract %u %u)", n.low + n.width - 1u, (unsigned)n.low); break;
	case NODE_ZEXT: put("((_ zero_extend %u)", n.width - vm_node_width(n.a)); break;
	case NODE_SEXT: put("((_ sign_extend %u)", n.width - vm_node_width(n.a)); break;
	default: put("(%s", name_of((enum node_op)n.op)); break;
	}
	write_operands(&n);
}

/* Declare the symbols of a node that are not in `known` yet, which has a byte for each: its width. */
static void declare(uint32_t number, uint8_t *known)
{
	const struct node n = *vm_node(number);
	const uint32_t operands[] = { n.a, n.b, n.c };
	if (n.op == NODE_SYMBOL && !known[n.value]) {
		put("(declare-const s%" PRIu64 " (_ BitVec %u))\n", n.value, (unsigned)n.width);
		known[n.value] = n.width;
	}
	for (unsigned i = 0; i < 3 && operands[i]; i++)
		declare(operands[i], known);
}

static void write_question(const uint32_t *conditions, uint32_t count, uint32_t effort, uint8_t *known)
{
	out.length = 0;
	put("(set-option :rlimit %" PRIu32 ")\n(set-logic QF_BV)\n", effort);
	for (uint32_t i = 0; i < count; i++)
		declare(conditions[i], known);
	for (uint32_t i = 0; i < count; i++) {
		put("(assert (= #b1 ");
		write_node(conditions[i]);
		put("))\n");
	}
	put("(check-sat)\n");
}

/* ---- the answer ------------------------------------------------------------------------------------------------------ */

/* Read the value of one symbol, as #x2a or #b101010.  Return whether there was one. */
static bool read_value(void *context, uint64_t symbol, uint64_t *value)
{
	out.length = 0;
	put("(get-value (s%" PRIu64 "))", symbol);
	const char *text = z3.eval(context, out.text), *digits = text ? strchr(text, '#') : NULL;
	char *end;
	if (!digits || (digits[1] != 'x' && digits[1] != 'b'))
		return false;
	*value = strtoull(digits + 2, &end, digits[1] == 'x' ? 16 : 2);
	return end > digits + 2 && *end == ')';
}

static void go_on(void *context, int error)
{
	(void)context, (void)error; /* the answer is no answer then, which is looked at */
}

enum vm_answer vm_second_opinion(const uint32_t *conditions, uint32_t count, uint32_t effort, uint64_t *values)
{
	if (!is_there())
		return ANSWER_UNKNOWN;
	uint64_t symbols = vm_node_symbol_limit();
	uint8_t *known = vm_scratch(symbols + 1);
	memset(known, 0, symbols + 1);
	write_question(conditions, count, effort, known);
	void *config = z3.mk_config(), *context = z3.mk_context(config);
	z3.del_config(config);
	z3.set_error_handler(context, go_on);
	const char *text = z3.eval(context, out.text);
	enum vm_answer answer = !text          ? ANSWER_UNKNOWN :
		strncmp(text, "unsat", 5) == 0 ? ANSWER_NO :
		strncmp(text, "sat", 3) == 0   ? ANSWER_YES :
						 ANSWER_UNKNOWN;
	for (uint64_t s = 0; s < symbols && answer == ANSWER_YES; s++)
		if (known[s] && !read_value(context, s, &values[s]))
			answer = ANSWER_UNKNOWN;
	z3.del_context(context);
	return answer;
}
