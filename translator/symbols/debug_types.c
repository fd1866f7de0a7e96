/* SPDX-License-Identifier: MIT
 *
 * Names and types for people, from debug information.
 *
 * LLVM-C shows little of debug metadata, and the tag of a node only in newer versions, so nodes are told apart by their
 * kind and the operands that their kind has (llvm/IR/DebugInfoMetadata.h): of a type: file, scope, name, base type,
 * elements; of a variable: scope, name, file, type.
 */
#include "symbols.h"

#include <llvm-c/DebugInfo.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_BASE = 3, TYPE_ELEMENTS = 4, VARIABLE_NAME = 1, VARIABLE_TYPE = 3, ENUMERATOR_NAME = 0 };

/* Return operand number `index` of `node` as a value; NULL if there is none. */
static LLVMValueRef operand_value(struct translation *t, LLVMMetadataRef node, unsigned index)
{
	LLVMValueRef value = LLVMMetadataAsValue(t->context, node), *operands;
	unsigned count = LLVMGetMDNodeNumOperands(value);
	if (index >= count)
		return NULL;
	operands = xrealloc(NULL, count * sizeof *operands);
	LLVMGetMDNodeOperands(value, operands);
	value = operands[index];
	free(operands);
	return value;
}

static LLVMMetadataRef operand_node(struct translation *t, LLVMMetadataRef node, unsigned index)
{
	LLVMValueRef value = operand_value(t, node, index);
	return value ? LLVMValueAsMetadata(value) : NULL;
}

static uint32_t name_of(struct translation *t, LLVMMetadataRef type)
{
	size_t length = 0;
	const char *name = LLVMDITypeGetName(type, &length);
	return builder_string(&t->builder, name ? name : "", name ? length : 0);
}

static uint32_t basic_kind(const char *name)
{
	if (strstr(name, "Bool") || strcmp(name, "bool") == 0)
		return TYPE_BOOL;
	if (strstr(name, "complex"))
		return TYPE_UNKNOWN; /* its parts have no names */
	if (strcmp(name, "char") == 0)
		return TYPE_CHAR;
	if (strstr(name, "float") || strstr(name, "double"))
		return TYPE_FLOAT;
	return strstr(name, "unsigned") ? TYPE_UNSIGNED : TYPE_SIGNED;
}

/* Return the member that `node` describes.  A bit-field has another size than its type, or begins within a byte. */
static struct image_member member_of(struct translation *t, LLVMMetadataRef node)
{
	LLVMMetadataRef base = operand_node(t, node, TYPE_BASE);
	uint64_t at = LLVMDITypeGetOffsetInBits(node), bits = LLVMDITypeGetSizeInBits(node);
	struct image_member member = { .name = name_of(t, node), .type = base ? debug_type(t, base) : 0, .offset = at / 8 };
	uint64_t size = ((struct image_type *)builder_at(&t->builder, IMAGE_TYPES, member.type))->size;
	if (member.type && bits && (at % 8 || bits != size * 8)) {
		member.bit_offset = at % 8;
		member.bit_size = (uint32_t)bits;
	}
	return member;
}

/* Do two of the members lie at the same place, as those of a union do? */
static bool overlap(struct translation *t, const struct image_member *members, uint32_t count)
{
	uint32_t first = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t size = ((struct image_type *)builder_at(&t->builder, IMAGE_TYPES, members[i].type))->size;
		first += size && members[i].offset == 0 && members[i].bit_offset == 0;
	}
	return first > 1;
}

static void add_members(struct translation *t, LLVMMetadataRef elements, struct image_type *type)
{
	LLVMValueRef list = LLVMMetadataAsValue(t->context, elements);
	unsigned count = LLVMGetMDNodeNumOperands(list);
	struct image_member *members = calloc(count + 1, sizeof *members);
	for (unsigned i = 0; i < count; i++) {
		LLVMMetadataRef node = operand_node(t, elements, i);
		if (!node || LLVMGetMetadataKind(node) != LLVMDIDerivedTypeMetadataKind)
			continue;
		members[type->count++] = member_of(t, node);
	}
	assert(type->count <= count && type->kind == TYPE_STRUCT);
	if (overlap(t, members, type->count))
		type->kind = TYPE_UNION;
	type->members = builder_add(&t->builder, IMAGE_MEMBERS, members, type->count);
	free(members);
}

/* Return the value of the enumerator `node`, which only LLVM's text of it tells. */
static uint64_t enumerator_value(struct translation *t, LLVMMetadataRef node)
{
	char *text = LLVMPrintValueToString(LLVMMetadataAsValue(t->context, node)), *value = strstr(text, ", value: ");
	assert(value); /* as LLVM has printed it so far */
	uint64_t number = value[9] == '-' ? (uint64_t)strtoll(value + 9, NULL, 10) : strtoull(value + 9, NULL, 10);
	LLVMDisposeMessage(text);
	return number;
}

static void add_enumerators(struct translation *t, LLVMMetadataRef elements, struct image_type *type)
{
	unsigned count = LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(t->context, elements));
	struct image_member *members = calloc(count + 1, sizeof *members);
	for (unsigned i = 0; i < count; i++) {
		LLVMMetadataRef node = operand_node(t, elements, i);
		unsigned length = 0;
		LLVMValueRef name = node ? operand_value(t, node, ENUMERATOR_NAME) : NULL;
		const char *text = name ? LLVMGetMDString(name, &length) : NULL;
		if (text)
			members[type->count++] = (struct image_member){
				.name = builder_string(&t->builder, text, length),
				.offset = enumerator_value(t, node),
			};
	}
	type->members = builder_add(&t->builder, IMAGE_MEMBERS, members, type->count);
	free(members);
}

/* Add the type of an array from dimension number `at` on, each dimension being a type, and return it. */
static uint32_t array_type(struct translation *t, LLVMMetadataRef node, LLVMMetadataRef elements, unsigned at)
{
	LLVMMetadataRef range = operand_node(t, elements, at);
	if (!range) {
		LLVMMetadataRef base = operand_node(t, node, TYPE_BASE);
		return base ? debug_type(t, base) : 0;
	}
	LLVMValueRef count = operand_value(t, range, 0);
	struct image_type type = { .kind = TYPE_ARRAY, .element = array_type(t, node, elements, at + 1) };
	if (count && LLVMIsAConstantInt(count) && LLVMConstIntGetSExtValue(count) > 0) /* [] has -1 */
		type.count = (uint32_t)LLVMConstIntGetZExtValue(count);
	type.size = type.count * ((struct image_type *)builder_at(&t->builder, IMAGE_TYPES, type.element))->size;
	return builder_add(&t->builder, IMAGE_TYPES, &type, 1);
}

static uint32_t composite_type(struct translation *t, LLVMMetadataRef node)
{
	LLVMMetadataRef elements = operand_node(t, node, TYPE_ELEMENTS);
	LLVMMetadataRef first = elements && LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(t->context, elements)) ?
		operand_node(t, elements, 0) :
		NULL;
	LLVMMetadataKind kind = first ? LLVMGetMetadataKind(first) : LLVMDIDerivedTypeMetadataKind;
	if (kind == LLVMDISubrangeMetadataKind) {
		uint32_t index = array_type(t, node, elements, 0);
		map_put(&t->types, node, index);
		return index;
	}
	struct image_type type = { .kind = TYPE_STRUCT, .name = name_of(t, node), .size = LLVMDITypeGetSizeInBits(node) / 8 };
	if (kind == LLVMDIEnumeratorMetadataKind)
		type.kind = TYPE_ENUM;
	type.tagged = type.name != 0;
	uint32_t index = builder_add(&t->builder, IMAGE_TYPES, &type, 1);
	assert(index > 0);               /* 0 is the unknown type */
	map_put(&t->types, node, index); /* before the members, which may point back */
	if (elements) {
		(type.kind == TYPE_ENUM ? add_enumerators : add_members)(t, elements, &type);
		memcpy(builder_at(&t->builder, IMAGE_TYPES, index), &type, sizeof type);
	}
	return index;
}

/* Return the type that `node` derives from its base.  A pointer has a size and no name; typedefs and qualifiers have no size and
 * stand for their base. */
static uint32_t derived_type(struct translation *t, LLVMMetadataRef node)
{
	LLVMMetadataRef base = operand_node(t, node, TYPE_BASE);
	uint32_t name = name_of(t, node);
	struct image_type type = { .kind = TYPE_POINTER, .size = 8 };
	uint32_t index;
	if (LLVMDITypeGetSizeInBits(node) == 64 && name == 0) {
		index = builder_add(&t->builder, IMAGE_TYPES, &type, 1);
		map_put(&t->types, node, index);
		uint32_t target = base ? debug_type(t, base) : 0;
		((struct image_type *)builder_at(&t->builder, IMAGE_TYPES, index))->element = target;
		return index;
	}
	index = base ? debug_type(t, base) : 0;
	if (name && index) {
		type = *(struct image_type *)builder_at(&t->builder, IMAGE_TYPES, index);
		type.name = name;
		type.tagged = false;
		index = builder_add(&t->builder, IMAGE_TYPES, &type, 1);
	}
	map_put(&t->types, node, index);
	return index;
}

uint32_t debug_type(struct translation *t, LLVMMetadataRef node)
{
	uint32_t index;
	if (map_get(t->types, node, &index))
		return index;
	switch (LLVMGetMetadataKind(node)) {
	case LLVMDIBasicTypeMetadataKind: {
		struct image_type type = { .name = name_of(t, node), .size = LLVMDITypeGetSizeInBits(node) / 8 };
		type.kind = basic_kind(builder_at(&t->builder, IMAGE_STRINGS, type.name));
		index = builder_add(&t->builder, IMAGE_TYPES, &type, 1);
		map_put(&t->types, node, index);
		return index;
	}
	case LLVMDIDerivedTypeMetadataKind: return derived_type(t, node);
	case LLVMDICompositeTypeMetadataKind: return composite_type(t, node);
	default: return 0;
	}
}

static bool variable(struct translation *t, LLVMMetadataRef node, uint32_t *name, uint32_t *type)
{
	LLVMMetadataKind kind = LLVMGetMetadataKind(node);
	if (kind != LLVMDIGlobalVariableMetadataKind && kind != LLVMDILocalVariableMetadataKind)
		return false;
	LLVMValueRef text = operand_value(t, node, VARIABLE_NAME);
	LLVMMetadataRef of = operand_node(t, node, VARIABLE_TYPE);
	unsigned length = 0;
	const char *string = text ? LLVMGetMDString(text, &length) : NULL;
	if (!string)
		return false;
	*name = builder_string(&t->builder, string, length);
	*type = of ? debug_type(t, of) : 0;
	return true;
}

bool debug_local(struct translation *t, LLVMValueRef value, uint32_t *name, uint32_t *type)
{
	return variable(t, LLVMValueAsMetadata(value), name, type);
}

bool debug_global(struct translation *t, LLVMValueRef global, uint32_t *name, uint32_t *type)
{
	size_t count = 0;
	bool found = false;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
	for (unsigned i = 0; i < count && !found; i++) {
		LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
		if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind)
			continue;
		LLVMMetadataRef described = operand_node(t, node, 0);
		found = described && variable(t, described, name, type);
	}
	LLVMDisposeValueMetadataEntries(entries);
	return found;
}
