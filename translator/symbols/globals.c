/* SPDX-License-Identifier: MIT
 *
 * The global variables of the image: each gets its number when it is first named, and so becomes reachable.
 */
#include "symbols.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- locations that plain accesses keep away from -------------------------------------------------------------------- */

/* Is `name` a function whose arguments are locks and the like, and which treats them as such? */
static bool is_lock_function(const char *name)
{
	static const char *const families[] = {
		"pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "mtx_",
		"cnd_",           "sem_wait",      "sem_post",        "sem_trywait",   "pthread_once",     "call_once",
	};
	if (strstr(name, "destroy"))
		return false;
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (begins(name, families[i]))
			return true;
	return false;
}

static bool is_only_atomic(const struct translation *t, LLVMValueRef address);

static bool is_atomic_use(const struct translation *t, LLVMValueRef user, LLVMValueRef address)
{
	LLVMValueRef called;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad: return order_of(t, user) != LLVMAtomicOrderingNotAtomic;
	case LLVMStore: return order_of(t, user) != LLVMAtomicOrderingNotAtomic && LLVMGetOperand(user, 0) != address;
	case LLVMAtomicRMW: return LLVMGetOperand(user, 1) != address;
	case LLVMAtomicCmpXchg: return LLVMGetOperand(user, 1) != address && LLVMGetOperand(user, 2) != address;
	case LLVMICmp: return true;
	case LLVMGetElementPtr:
	case LLVMBitCast: return is_only_atomic(t, user);
	case LLVMCall:
		called = LLVMGetCalledValue(user);
		return LLVMIsAFunction(called) && LLVMIsDeclaration(called) && is_lock_function(function_name(called));
	default: return false;
	}
}

/* Is the variable at `address` accessed by atomic instructions and as a lock only, so that no plain access can race with these? */
static bool is_only_atomic(const struct translation *t, LLVMValueRef address)
{
	for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		bool part = LLVMIsAConstantExpr(user) &&
			(LLVMGetConstOpcode(user) == LLVMGetElementPtr || LLVMGetConstOpcode(user) == LLVMBitCast);
		if (part ? !is_only_atomic(t, user) : !LLVMIsAInstruction(user) || !is_atomic_use(t, user, address))
			return false;
	}
	return true;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------- */

uint32_t global_index(struct translation *t, LLVMValueRef global)
{
	uint32_t index;
	if (map_get(t->globals, global, &index))
		return index;
	struct image_global g = { .tls = IMAGE_NONE, .location = location_of(t, global) };
	size_t length;
	const char *name = LLVMGetValueName2(global, &length);
	LLVMLinkage linkage = LLVMGetLinkage(global);
	if (!debug_global(t, global, &g.name, &g.type))
		g.name = builder_string(&t->builder, name, length);
	else if (strchr(name, '.') && !begins(name, ".str") && !isdigit(strchr(name, '.')[1]))
		/* FUNCTION.VARIABLE, as clang calls it; VARIABLE.NUMBER is one of several static variables of the linked files */
		g.function = builder_string(&t->builder, name, strcspn(name, "."));
	if (linkage == LLVMPrivateLinkage || begins(name, ".str")) {
		g.flags |= GLOBAL_INTERNAL;
		g.name = builder_string(&t->builder, "a string literal", 16);
	}
	if (LLVMIsGlobalConstant(global))
		g.flags |= GLOBAL_CONSTANT;
	if (LLVMIsThreadLocal(global)) {
		g.flags = (g.flags & ~(uint32_t)GLOBAL_CONSTANT) | GLOBAL_THREAD_LOCAL;
		g.tls = t->ntls++;
	}
	if (is_only_atomic(t, global))
		g.flags |= GLOBAL_ATOMIC;
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	g.size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(t->layout, type) : 0;
	g.align = LLVMGetAlignment(global);
	index = builder_add(&t->builder, IMAGE_GLOBALS, &g, 1);
	assert(index == t->nglobals && !map_get(t->globals, global, NULL));
	map_put(&t->globals, global, index);
	t->global_queue = xrealloc(t->global_queue, (t->nglobals + 1) * sizeof *t->global_queue);
	t->global_queue[t->nglobals++] = global;
	return index;
}

uint32_t make_global(struct translation *t, const char *name, const void *bytes, uint64_t size, uint32_t flags)
{
	struct image_global g = {
		.name = builder_string(&t->builder, name, strlen(name)),
		.flags = flags,
		.size = size,
		.align = 16,
		.tls = IMAGE_NONE,
		.data = builder_add(&t->builder, IMAGE_DATA, bytes, size),
	};
	uint32_t index = builder_add(&t->builder, IMAGE_GLOBALS, &g, 1);
	assert(index == t->nglobals);
	t->global_queue = xrealloc(t->global_queue, (t->nglobals + 1) * sizeof *t->global_queue);
	t->global_queue[t->nglobals++] = NULL;
	return index;
}

uint64_t make_constant(struct translation *t, const char *name, const void *bytes, uint64_t size)
{
	return image_global_address(make_global(t, name, bytes, size, GLOBAL_CONSTANT | GLOBAL_INTERNAL), 0);
}
