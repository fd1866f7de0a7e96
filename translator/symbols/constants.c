/* SPDX-License-Identifier: MIT
 *
 * Constants.  Every address of a global or function is known when the image is written, so every constant expression has
 * a value here.  Addresses of thread-local globals are not: of a place in one, the global and the distance are the value; any
 * other expression with one is computed where it is used (lower_constant()).
 */
#include "symbols.h"
#include "values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

/* ---- scalars ------------------------------------------------------------------------------------------------------- */

static wide mask(unsigned bits)
{
	return bits >= 128 ? ~(wide)0 : ((wide)1 << bits) - 1;
}

static __int128 sign_extend(wide value, unsigned bits)
{
	assert(bits >= 1 && bits <= 128);
	return (__int128)(value << (128 - bits)) >> (128 - bits);
}

static wide value_of(const struct constant *c)
{
	return c->low | (wide)c->high << 64;
}

static struct constant make(wide value, unsigned bits)
{
	value &= mask(bits);
	return (struct constant){ .low = (uint64_t)value, .high = (uint64_t)(value >> 64), .tls = IMAGE_NONE };
}

/* Write `constant` to `count` words, in two's complement.  LLVM-C gives at most 64 bits of an integer; the printed form has them
 * all. */
static void parse_integer(LLVMValueRef constant, uint64_t *words, unsigned count)
{
	char *text = LLVMPrintValueToString(constant), *p = strchr(text, ' ');
	bool negative = p && p[1] == '-';
	memset(words, 0, count * sizeof *words);
	assert(p && p[1 + negative] >= '0' && p[1 + negative] <= '9');
	for (p = p ? p + 1 + negative : text; *p >= '0' && *p <= '9'; p++) {
		wide carry = (wide)(*p - '0');
		for (unsigned i = 0; i < count; i++) {
			carry += (wide)words[i] * 10;
			words[i] = (uint64_t)carry;
			carry >>= 64;
		}
	}
	wide carry = 1;
	for (unsigned i = 0; negative && i < count; i++) {
		carry += ~words[i];
		words[i] = (uint64_t)carry;
		carry >>= 64;
	}
	LLVMDisposeMessage(text);
}

static struct constant integer(LLVMValueRef constant)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(constant));
	uint64_t words[2] = { 0, 0 };
	if (bits <= 64)
		words[0] = LLVMConstIntGetZExtValue(constant);
	else
		parse_integer(constant, words, 2);
	return make(words[0] | (wide)words[1] << 64, bits);
}

/* Return the value of an x86_fp80, which LLVM prints as 0xK and 20 hexadecimal digits, or of an fp128: 0xL, and 16 digits of the
 * low half before 16 of the high one. */
static struct constant extended(LLVMValueRef constant)
{
	char *text = LLVMPrintValueToString(constant), *p = strstr(text, "0xK"), first[17] = { 0 };
	struct constant c = { .tls = IMAGE_NONE };
	bool quad = !p;
	size_t digits = quad ? 16 : 4;
	p = quad ? strstr(text, "0xL") : p;
	assert(p && strspn(p + 3, "0123456789ABCDEFabcdef") == digits + 16);
	memcpy(first, p + 3, digits);
	c.high = strtoull(first, NULL, 16);
	c.low = strtoull(p + 3 + digits, NULL, 16);
	if (quad) {
		uint64_t low = c.high;
		c.high = c.low;
		c.low = low;
	}
	LLVMDisposeMessage(text);
	return c;
}

static struct constant real(LLVMValueRef constant)
{
	LLVMBool lossy;
	struct constant c = { .tls = IMAGE_NONE };
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(constant));
	if (kind == LLVMX86_FP80TypeKind || kind == LLVMFP128TypeKind)
		return extended(constant);
	double d = LLVMConstRealGetDouble(constant, &lossy);
	if (kind == LLVMFloatTypeKind) {
		float f = (float)d;
		memcpy(&c.low, &f, sizeof f);
	} else {
		memcpy(&c.low, &d, sizeof d);
	}
	return c;
}

/* ---- expressions --------------------------------------------------------------------------------------------------- */

static bool scalar(struct translation *t, LLVMValueRef constant, struct constant *out, LLVMValueRef where);

/* Put the bytes from the base that the indices of `gep` lead to into *offset.  Return false if one of them is not supported. */
static bool gep_offset(struct translation *t, LLVMValueRef gep, uint64_t *offset, LLVMValueRef where)
{
	LLVMTypeRef type;
	uint64_t bytes;
	*offset = 0;
	if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind)
		return false;
	for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
		struct constant number = { .low = 1, .tls = IMAGE_NONE };
		LLVMValueRef index = gep_index(t->layout, gep, i, &type, &bytes);
		unsigned bits = index ? bits_of_type(LLVMTypeOf(index)) : 64;
		if (index && !scalar(t, index, &number, where))
			return false;
		assert(number.tls == IMAGE_NONE && !number.computed); /* see is_place_of_thread() */
		*offset += (uint64_t)sign_extend(value_of(&number), bits) * bytes;
	}
	return true;
}

static bool compare(LLVMIntPredicate predicate, wide a, wide b, unsigned bits)
{
	__int128 sa = sign_extend(a, bits), sb = sign_extend(b, bits);
	switch (predicate) {
	case LLVMIntEQ: return a == b;
	case LLVMIntNE: return a != b;
	case LLVMIntUGT: return a > b;
	case LLVMIntUGE: return a >= b;
	case LLVMIntULT: return a < b;
	case LLVMIntULE: return a <= b;
	case LLVMIntSGT: return sa > sb;
	case LLVMIntSGE: return sa >= sb;
	case LLVMIntSLT: return sa < sb;
	case LLVMIntSLE: return sa <= sb;
	}
	return false;
}

static bool binary(struct translation *t, LLVMValueRef expression, struct constant *out, LLVMValueRef where)
{
	struct constant x, y;
	LLVMValueRef left = LLVMGetOperand(expression, 0);
	if (!scalar(t, left, &x, where) || !scalar(t, LLVMGetOperand(expression, 1), &y, where))
		return false;
	LLVMOpcode opcode = LLVMGetConstOpcode(expression);
	unsigned bits = bits_of_type(LLVMTypeOf(left));
	assert(y.tls == IMAGE_NONE && !x.computed && !y.computed); /* see is_place_of_thread() */
	wide a = value_of(&x), b = value_of(&y), value = 0;
	switch (opcode) {
	case LLVMAdd: value = a + b; break;
	case LLVMSub: value = a - b; break;
	case LLVMMul: value = a * b; break;
	case LLVMAnd: value = a & b; break;
	case LLVMOr: value = a | b; break;
	case LLVMXor: value = a ^ b; break;
	case LLVMShl: value = b < bits ? a << b : 0; break;
	case LLVMLShr: value = b < bits ? a >> b : 0; break;
	case LLVMAShr: value = b < bits ? (wide)(sign_extend(a, bits) >> b) : 0; break;
	case LLVMUDiv: value = b ? a / b : 0; break;
	case LLVMURem: value = b ? a % b : 0; break;
	case LLVMSDiv: value = b ? (wide)(sign_extend(a, bits) / sign_extend(b, bits)) : 0; break;
	case LLVMSRem: value = b ? (wide)(sign_extend(a, bits) % sign_extend(b, bits)) : 0; break;
	case LLVMICmp: *out = make(compare(LLVMGetICmpPredicate(expression), a, b, bits), 1); return true;
	default: return false;
	}
	*out = make(value, bits);
	out->tls = x.tls;
	return true;
}

static bool expression(struct translation *t, LLVMValueRef e, struct constant *out, LLVMValueRef where)
{
	LLVMValueRef first = LLVMGetOperand(e, 0);
	unsigned bits = bits_of_type(LLVMTypeOf(e));
	uint64_t offset;
	switch (LLVMGetConstOpcode(e)) {
	case LLVMGetElementPtr:
		if (!scalar(t, first, out, where) || !gep_offset(t, e, &offset, where))
			return false;
		out->low += offset;
		return true;
	case LLVMBitCast:
	case LLVMAddrSpaceCast: return scalar(t, first, out, where);
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt:
		if (!scalar(t, first, out, where))
			return false;
		assert(out->tls == IMAGE_NONE || bits == 64);
		out->low &= (uint64_t)mask(bits);
		out->high = bits > 64 ? out->high & (uint64_t)(mask(bits) >> 64) : 0;
		return true;
	case LLVMSExt:
		if (!scalar(t, first, out, where))
			return false;
		*out = make((wide)sign_extend(value_of(out), bits_of_type(LLVMTypeOf(first))), bits);
		return true;
	case LLVMSelect: {
		struct constant condition;
		if (!scalar(t, first, &condition, where))
			return false;
		assert(condition.tls == IMAGE_NONE && !condition.computed);
		return scalar(t, LLVMGetOperand(e, condition.low ? 1 : 2), out, where);
	}
	default: return LLVMGetNumOperands(e) == 2 && binary(t, e, out, where);
	}
}

uint64_t block_number(struct translation *t, LLVMValueRef function, LLVMBasicBlockRef block)
{
	uint64_t n = 1; /* 0 is the function's own address */
	LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
	for (; b && b != block; b = LLVMGetNextBasicBlock(b))
		n++;
	assert(b && n < IMAGE_MAX_SIZE / 2); /* the number lies in the range of the function */
	return image_function_address(function_index(t, function)) + n;
}

static struct constant block_address(struct translation *t, LLVMValueRef constant)
{
	LLVMValueRef function = LLVMGetOperand(constant, 0);
	uint64_t value = block_number(t, function, LLVMValueAsBasicBlock(LLVMGetOperand(constant, 1)));
	return (struct constant){ .low = value, .tls = IMAGE_NONE };
}

/* Does `is` say so of `constant`, or of what an expression or a vector is made of? */
static bool any_part(LLVMValueRef constant, bool (*is)(LLVMValueRef part))
{
	if (!LLVMIsAConstantExpr(constant) && !LLVMIsAConstantVector(constant))
		return is(constant);
	for (int i = 0; i < LLVMGetNumOperands(constant); i++)
		if (any_part(LLVMGetOperand(constant, (unsigned)i), is))
			return true;
	return false;
}

static bool is_address(LLVMValueRef part)
{
	return LLVMIsAGlobalValue(part) || LLVMIsABlockAddress(part);
}

bool names_address(LLVMValueRef constant)
{
	return any_part(constant, is_address);
}

static bool is_thread_local(LLVMValueRef part)
{
	if (LLVMIsAGlobalAlias(part))
		return any_part(LLVMAliasGetAliasee(part), is_thread_local);
	return LLVMIsAGlobalVariable(part) && LLVMIsThreadLocal(part);
}

/* Is there the address of a thread-local global in `constant`? */
static bool is_of_thread(LLVMValueRef constant)
{
	return any_part(constant, is_thread_local);
}

/* Is `constant` the address of a thread-local global, plus or minus a number? */
static bool is_place_of_thread(LLVMValueRef constant)
{
	if (!LLVMIsAConstantExpr(constant))
		return is_of_thread(constant);
	LLVMValueRef first = LLVMGetOperand(constant, 0);
	if (bits_of_type(LLVMTypeOf(constant)) != 64 || !is_place_of_thread(first))
		return false;
	switch (LLVMGetConstOpcode(constant)) {
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMPtrToInt:
	case LLVMIntToPtr: return true;
	case LLVMGetElementPtr:
	case LLVMAdd:
	case LLVMSub:
		for (int i = 1; i < LLVMGetNumOperands(constant); i++)
			if (is_of_thread(LLVMGetOperand(constant, (unsigned)i)))
				return false;
		return true;
	default: return false;
	}
}

static bool is_undefined_constant(LLVMValueRef constant)
{
	return LLVMIsUndef(constant) || LLVMIsPoison(constant);
}

static bool scalar(struct translation *t, LLVMValueRef constant, struct constant *out, LLVMValueRef where)
{
	*out = (struct constant){ .tls = IMAGE_NONE, .undefined = is_undefined_constant(constant) };
	if (out->undefined || LLVMIsNull(constant))
		return true;
	switch (LLVMGetValueKind(constant)) {
	case LLVMConstantIntValueKind: *out = integer(constant); return true;
	case LLVMConstantFPValueKind:
		if (!is_float_type(LLVMTypeOf(constant)))
			break;
		*out = real(constant);
		return true;
	case LLVMFunctionValueKind:
		if (!is_missing(t, constant))
			out->low = image_function_address(function_index(t, constant));
		return true;
	case LLVMGlobalAliasValueKind: return scalar(t, LLVMAliasGetAliasee(constant), out, where);
	case LLVMBlockAddressValueKind: *out = block_address(t, constant); return true;
	case LLVMGlobalVariableValueKind: {
		if (is_missing(t, constant))
			return true;
		uint32_t index = global_index(t, constant);
		if (LLVMIsThreadLocal(constant))
			out->tls = index;
		else
			out->low = image_global_address(index, 0);
		return true;
	}
	case LLVMConstantExprValueKind:
		if (is_of_thread(constant) && !is_place_of_thread(constant)) {
			out->computed = constant;
			if (bits_of_type(LLVMTypeOf(constant)))
				return true;
			break;
		}
		if (expression(t, constant, out, where))
			return true;
		break;
	default: break;
	}
	char *text = LLVMPrintValueToString(constant);
	unsupported(t, where, "unsupported constant '%s'", text);
	LLVMDisposeMessage(text);
	return false;
}

/* ---- aggregates ---------------------------------------------------------------------------------------------------- */

LLVMValueRef constant_element(LLVMValueRef constant, unsigned index)
{
#if LLVM_VERSION_MAJOR >= 15
	return LLVMGetAggregateElement(constant, index);
#else
	LLVMValueKind kind = LLVMGetValueKind(constant);
	if (kind == LLVMConstantDataArrayValueKind || kind == LLVMConstantDataVectorValueKind)
		return LLVMGetElementAsConstant(constant, index);
	return LLVMGetOperand(constant, index);
#endif
}

static unsigned element_count(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMStructTypeKind: return LLVMCountStructElementTypes(type);
	case LLVMArrayTypeKind: return LLVMGetArrayLength(type);
	case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
	default: return 0;
	}
}

static bool is_aggregate(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static bool is_zero(LLVMValueRef constant)
{
	return LLVMIsNull(constant) || is_undefined_constant(constant);
}

static bool collect(struct translation *t, LLVMValueRef constant, struct constant *out, unsigned *at, LLVMValueRef where)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	if (is_wide(type) && (LLVMIsAConstantInt(constant) || is_zero(constant))) {
		unsigned width = LLVMGetIntTypeWidth(type), count = (width + 63) / 64;
		uint64_t *words = xrealloc(NULL, count * sizeof *words);
		memset(words, 0, count * sizeof *words);
		if (!is_zero(constant))
			parse_integer(constant, words, count);
		for (unsigned i = 0; i < count; i++, (*at)++) {
			out[*at] = make(words[i], width - 64 * i < 64 ? width - 64 * i : 64);
			out[*at].undefined = is_undefined_constant(constant);
		}
		free(words);
		return true;
	}
	if (!is_aggregate(type) || LLVMIsAConstantExpr(constant)) /* a vector: complains */
		return scalar(t, constant, &out[(*at)++], where);
	for (unsigned i = 0; i < element_count(type); i++)
		if (!collect(t, constant_element(constant, i), out, at, where))
			return false;
	return true;
}

bool constant_leaves(struct translation *t, LLVMValueRef constant, struct constant *out, unsigned count, LLVMValueRef where)
{
	unsigned at = 0;
	for (unsigned i = 0; i < count; i++)
		out[i] = (struct constant){ .tls = IMAGE_NONE, .undefined = is_undefined_constant(constant) };
	if (is_zero(constant))
		return true;
	bool supported = collect(t, constant, out, &at, where);
	assert(!supported || at == count);
	return supported;
}

bool constant_walk(struct translation *t, LLVMValueRef constant, uint64_t at, constant_visitor *visit, void *data)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	if (is_zero(constant))
		return true;
	bool text = LLVMGetValueKind(constant) == LLVMConstantDataArrayValueKind && LLVMIsConstantString(constant);
	if (!is_aggregate(type) || text)
		return visit(constant, at, data);
	bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	uint64_t size = is_struct ? 0 : LLVMABISizeOfType(t->layout, LLVMGetElementType(type));
	for (unsigned i = 0; i < element_count(type); i++)
		if (!constant_walk(t, constant_element(constant, i),
				   at + (is_struct ? LLVMOffsetOfElement(t->layout, type, i) : i * size), visit, data))
			return false;
	return true;
}

/* for write_leaf() */
struct written {
	struct translation *t;
	uint8_t *bytes;
	LLVMValueRef where;
};

static bool write_leaf(LLVMValueRef leaf, uint64_t at, void *data)
{
	const struct written *w = data;
	LLVMTypeRef type = LLVMTypeOf(leaf);
	struct constant c;
	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
		size_t length;
		const char *text = LLVMGetAsString(leaf, &length);
		memcpy(w->bytes + at, text, length);
		return true;
	}
	if (is_wide(type) && LLVMIsAConstantInt(leaf)) {
		unsigned width = LLVMGetIntTypeWidth(type), count = (width + 63) / 64;
		uint64_t *words = xrealloc(NULL, count * sizeof *words);
		parse_integer(leaf, words, count);
		memcpy(w->bytes + at, words, (width + 7) / 8);
		free(words);
		return true;
	}
	if (!scalar(w->t, leaf, &c, w->where))
		return false;
	if (c.tls != IMAGE_NONE || c.computed) {
		complain(w->t, w->where, "the address of a thread-local variable in an initial value is not supported");
		return false;
	}
	assert(bits_of_type(type) > 0);
	uint64_t words[2] = { c.low, c.high };
	memcpy(w->bytes + at, words, (bits_of_type(type) + 7) / 8);
	return true;
}

bool constant_bytes(struct translation *t, LLVMValueRef constant, uint8_t *bytes, LLVMValueRef where)
{
	return constant_walk(t, constant, 0, write_leaf, &(struct written){ t, bytes, where });
}
