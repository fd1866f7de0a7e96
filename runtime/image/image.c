/* SPDX-License-Identifier: MIT
 *
 * Loading an image: map the file, then check every reference in it once, so that the interpreter need not.
 * Nothing here knows what an instruction does; the rows of opcode.def say what its fields are.
 */
#include "image.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const struct image_opcode_info image_opcodes[IMAGE_OPCODES] = {
#define OPCODE(name, roles, rests) { #name, roles, rests },
#include "opcode.def"
#undef OPCODE
};

size_t image_element_size(enum image_section section)
{
	assert(section < IMAGE_SECTIONS);
	static const size_t sizes[IMAGE_SECTIONS] = {
		[IMAGE_STRINGS] = 1,
		[IMAGE_FILES] = sizeof(uint32_t),
		[IMAGE_LOCATIONS] = sizeof(struct image_location),
		[IMAGE_TYPES] = sizeof(struct image_type),
		[IMAGE_MEMBERS] = sizeof(struct image_member),
		[IMAGE_SYMBOLS] = sizeof(struct image_symbol),
		[IMAGE_GLOBALS] = sizeof(struct image_global),
		[IMAGE_DATA] = 1,
		[IMAGE_FUNCTIONS] = sizeof(struct image_function),
		[IMAGE_CODE] = sizeof(struct image_insn),
		[IMAGE_POOL] = sizeof(uint32_t),
		[IMAGE_CONSTANTS] = sizeof(uint64_t),
		[IMAGE_PROPERTIES] = sizeof(struct image_property),
		[IMAGE_VIEWS] = sizeof(struct image_view),
		[IMAGE_EXTERNS] = sizeof(struct image_extern),
		[IMAGE_SUPPRESSIONS] = sizeof(struct image_suppression),
		[IMAGE_TOLERATED] = sizeof(struct image_tolerated),
		[IMAGE_LEFT_OUT] = sizeof(struct image_left_out),
		[IMAGE_LEVELS] = sizeof(struct image_levels),
		[IMAGE_MAKERS] = sizeof(struct image_maker),
		[IMAGE_UNNAMED] = sizeof(struct image_unnamed),
		[IMAGE_OPTIONS] = sizeof(struct image_options),
	};
	assert(sizes[section] > 0); /* each has a row */
	return sizes[section];
}

const char *image_string(const struct image *image, uint32_t string)
{
	assert(string < image->counts[IMAGE_STRINGS]);
	return image->strings + string;
}

const char *image_file(const struct image *image, uint32_t location)
{
	assert(location < image->counts[IMAGE_LOCATIONS]);
	assert(image->locations[location].file < image->counts[IMAGE_FILES]);
	return image_string(image, image->files[image->locations[location].file]);
}

uint32_t image_line(const struct image *image, uint32_t location)
{
	assert(location < image->counts[IMAGE_LOCATIONS]);
	return image->locations[location].line;
}

uint32_t image_column(const struct image *image, uint32_t location)
{
	assert(location < image->counts[IMAGE_LOCATIONS]);
	return image->locations[location].column;
}

bool image_same_line(const struct image *image, uint32_t location, uint32_t other)
{
	assert(location < image->counts[IMAGE_LOCATIONS] && other < image->counts[IMAGE_LOCATIONS]);
	const struct image_location *a = &image->locations[location], *b = &image->locations[other];
	return a->line == b->line && a->file == b->file;
}

/* ---- checking ------------------------------------------------------------------------------------------------------ */

/* Each check returns NULL, or what is wrong. */

static bool below(const struct image *image, enum image_section section, uint64_t index)
{
	return index < image->counts[section];
}

static bool range_below(const struct image *image, enum image_section section, uint64_t first, uint64_t count)
{
	return first <= image->counts[section] && count <= image->counts[section] - first;
}

static bool operand_ok(const struct image *image, const struct image_function *f, uint32_t operand, unsigned slots)
{
	assert(slots == 1 || slots == 2);
	if (operand & IMAGE_CONST)
		return range_below(image, IMAGE_CONSTANTS, operand & ~IMAGE_CONST, slots);
	return operand < f->registers && slots <= f->registers - operand;
}

static bool operands_ok(const struct image *image, const struct image_function *f, uint32_t start, uint32_t count)
{
	if (!range_below(image, IMAGE_POOL, start, count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!operand_ok(image, f, image->pool[start + i], 1))
			return false;
	return true;
}

static bool switch_ok(const struct image *image, const struct image_function *f, uint32_t start, uint32_t count)
{
	if (!range_below(image, IMAGE_POOL, start, (uint64_t)count * 3))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (image->pool[start + 3 * i + 2] >= f->ncode)
			return false;
	return true;
}

static unsigned slots_of(unsigned bits)
{
	return bits > 64 ? 2 : 1;
}

static unsigned call_results(const struct image *image, const struct image_insn *insn)
{
	if (insn->op == IMAGE_CALLI)
		return insn->aux;
	return insn->a < image->counts[IMAGE_FUNCTIONS] ? image->functions[insn->a].results : 0;
}

static bool field_ok(const struct image *image, const struct image_function *f, const struct image_insn *insn, char role,
		     uint32_t value, uint32_t next)
{
	switch (role) {
	case '-':
	case 'i':
	case 'N':
	case 'V': return true;
	case 'd': return value < f->registers && slots_of(insn->bits) <= f->registers - value;
	case 'D': return value < f->registers && slots_of(insn->aux) <= f->registers - value;
	case 'f': return value < f->registers && slots_of(insn->bits) + 1 <= f->registers - value;
	case '1': return value < f->registers;
	case 'm': return value == IMAGE_NONE || (value < f->registers && call_results(image, insn) <= f->registers - value);
	case 'x': return operand_ok(image, f, value, slots_of(insn->bits));
	case 'q': return operand_ok(image, f, value, 1);
	case 'l': return value < f->ncode;
	case 'F': return below(image, IMAGE_FUNCTIONS, value);
	case 'T': return below(image, IMAGE_GLOBALS, value);
	case 's': return below(image, IMAGE_STRINGS, value);
	case 'S': return value == IMAGE_NONE || below(image, IMAGE_SYMBOLS, value);
	case 'P': return operands_ok(image, f, value, next);
	case 'W': return switch_ok(image, f, value, next);
	default: return false;
	}
}

/* Is there a set of registers at index `live` of the pool: their number, and behind it the registers, in order?  Before the
 * number is how many of the registers count rounds there, and before that these. */
static bool set_ok(const struct image *image, const struct image_function *f, uint32_t live)
{
	if (!below(image, IMAGE_POOL, live) || live == 0 || image->pool[live - 1] >= live)
		return false;
	uint32_t count = image->pool[live];
	if (!range_below(image, IMAGE_POOL, (uint64_t)live + 1, count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (image->pool[live + 1 + i] >= f->registers || (i && image->pool[live + i] >= image->pool[live + 1 + i]))
			return false;
	return true;
}

/* Is there a set of live registers at index `live`, and under REDUCTION_SLICING another one behind it? */
static bool live_ok(const struct image *image, const struct image_function *f, uint32_t live)
{
	if (!set_ok(image, f, live) || !(image->options->reductions & REDUCTION_SLICING))
		return set_ok(image, f, live);
	uint64_t seen = (uint64_t)live + image->pool[live] + image->pool[live - 1] + 2;
	return seen < image->counts[IMAGE_POOL] && image->pool[seen - 1] == image->pool[live - 1] &&
		set_ok(image, f, (uint32_t)seen);
}

static bool callees_ok(const struct image *image, const struct image_insn *insn)
{
	uint64_t at = (uint64_t)insn->b + insn->c;
	return at < image->counts[IMAGE_POOL] && range_below(image, IMAGE_POOL, at + 1, image->pool[at]);
}

static bool input_values_ok(const struct image *image, const struct image_insn *insn)
{
	if (insn->b == 0 || !below(image, IMAGE_POOL, insn->b - 1) || !below(image, IMAGE_POOL, image->pool[insn->b - 1]))
		return false;
	uint32_t at = image->pool[insn->b - 1], count = image->pool[at];
	return count > 0 && count <= UINT32_MAX / 2 && range_below(image, IMAGE_POOL, (uint64_t)at + 1, 2 * count);
}

static const char *check_insn(const struct image *image, const struct image_function *f, const struct image_insn *insn)
{
	if (insn->op >= IMAGE_OPCODES)
		return "unknown opcode";
	const struct image_opcode_info *info = &image_opcodes[insn->op];
	const uint32_t fields[] = { insn->dst, insn->a, insn->b, insn->c, 0 };
	if (insn->bits > 128)
		return "value wider than 128 bits";
	for (int i = 0; i < 4; i++)
		if (!field_ok(image, f, insn, info->roles[i], fields[i], fields[i + 1]))
			return "operand out of range";
	if (!below(image, IMAGE_LOCATIONS, insn->location))
		return "location out of range";
	if (insn->op == IMAGE_CALL && insn->c < image->functions[insn->a].parameters)
		return "too few arguments";
	if (insn->op == IMAGE_CALL && (insn->aux & IMAGE_REGIONS) && !input_values_ok(image, insn))
		return "values of an input out of range";
	if (insn->op == IMAGE_CALLI && (insn->b == 0 || !below(image, IMAGE_STRINGS, image->pool[insn->b - 1])))
		return "type of a call out of range";
	if (insn->op == IMAGE_CALLI && (image->options->reductions & REDUCTION_SLICING) && !callees_ok(image, insn))
		return "what an indirect call may call is out of range";
	if (insn->op == IMAGE_RET && insn->b != f->results)
		return "wrong number of results";
	if (insn->op == IMAGE_ICMP && insn->aux >= ICMP_PREDICATES)
		return "unknown comparison";
	bool wide = insn->bits > 64, floats = insn->c == RMW_FADD || insn->c == RMW_FSUB;
	if (insn->op == IMAGE_RMW && (insn->c >= RMW_OPERATIONS || (wide && (insn->bits != 128 || floats))))
		return "unknown atomic operation";
	if (info->rests ? !live_ok(image, f, insn->live) : insn->live != IMAGE_NONE)
		return "bad set of live registers";
	return NULL;
}

bool image_ends_block(uint16_t op)
{
	return op == IMAGE_BR || op == IMAGE_BRCOND || op == IMAGE_SWITCH || op == IMAGE_RET || op == IMAGE_UNREACHABLE ||
		op == IMAGE_REFUSE;
}

static const char *check_stand_in(const struct image *image, const struct image_function *f)
{
	const char *wrong = "the function that stands in for an external one is out of range";
	return below(image, IMAGE_FUNCTIONS, f->stand_in) && (!f->stand_in || image->functions[f->stand_in].ncode) ? NULL : wrong;
}

static bool waits_ok(const struct image *image, const struct image_function *f)
{
	if (!range_below(image, IMAGE_POOL, f->waits, sizeof(struct image_waits) / sizeof(uint32_t)))
		return false;
	const struct image_waits *waits = (const struct image_waits *)(image->pool + f->waits);
	uint64_t words = (sizeof *waits + (uint64_t)waits->counters * sizeof(struct image_counter) +
			  (uint64_t)waits->bounds * sizeof(struct image_bound)) /
		sizeof(uint32_t);
	if (!range_below(image, IMAGE_POOL, f->waits, words))
		return false;
	const struct image_counter *counters = (const struct image_counter *)(waits + 1);
	for (uint32_t i = 0; i < waits->counters; i++)
		if (counters[i].reg >= f->registers || counters[i].bits - 1 >= 64)
			return false;
	const struct image_bound *bounds = (const struct image_bound *)(counters + waits->counters);
	for (uint32_t i = 0; i < waits->bounds; i++)
		if (bounds[i].bits - 1 >= 64 || bounds[i].wide_bits - 1 >= 64 || bounds[i].bits > bounds[i].wide_bits ||
		    bounds[i].extension >= EXTENSIONS || bounds[i].predicate >= ICMP_PREDICATES ||
		    (bounds[i].reg != IMAGE_NONE &&
		     (bounds[i].reg >= f->registers || bounds[i].reg_bits - 1 >= 64 || bounds[i].reg_extension >= EXTENSIONS)))
			return false;
	return true;
}

static const char *check_function(const struct image *image, const struct image_function *f)
{
	if (!below(image, IMAGE_STRINGS, f->name) || !below(image, IMAGE_LOCATIONS, f->location) ||
	    !below(image, IMAGE_STRINGS, f->signature))
		return "name out of range";
	if (f->flags & FUNCTION_EXTERN)
		return f->ncode ? "external function with code" : check_stand_in(image, f);
	if (!range_below(image, IMAGE_CODE, f->code, f->ncode) || f->ncode == 0)
		return "code out of range";
	if (f->parameters > f->registers || f->registers > 1u << 20)
		return "more parameters than registers";
	if ((image->options->reductions & REDUCTION_SLICING) && !range_below(image, IMAGE_POOL, f->asked, f->registers / 32 + 1))
		return "what is asked of registers is out of range";
	if (f->waits && !waits_ok(image, f))
		return "waits out of range";
	for (uint32_t i = 0; i < f->ncode; i++) {
		const char *wrong = check_insn(image, f, &image->code[f->code + i]);
		if (wrong)
			return wrong;
	}
	return image_ends_block(image->code[f->code + f->ncode - 1].op) ? NULL : "control runs off the end";
}

static const char *check_global(const struct image *image, const struct image_global *g)
{
	if (!below(image, IMAGE_STRINGS, g->name) || !below(image, IMAGE_STRINGS, g->function) ||
	    !below(image, IMAGE_TYPES, g->type) || !below(image, IMAGE_LOCATIONS, g->location))
		return "global: reference out of range";
	if (g->size > IMAGE_MAX_SIZE || !range_below(image, IMAGE_DATA, g->data, g->size))
		return "global: initial value out of range";
	if ((g->flags & GLOBAL_THREAD_LOCAL) && !below(image, IMAGE_GLOBALS, g->tls))
		return "global: thread-local number out of range";
	return NULL;
}

static const char *check_tables(const struct image *image)
{
	const uint64_t *n = image->counts;
	if (n[IMAGE_STRINGS] == 0 || image->strings[n[IMAGE_STRINGS] - 1] != '\0')
		return "strings not terminated";
	if (n[IMAGE_FILES] == 0 || n[IMAGE_LOCATIONS] == 0 || n[IMAGE_TYPES] == 0 || n[IMAGE_OPTIONS] != 1)
		return "a section is missing";
	if (n[IMAGE_GLOBALS] >= IMAGE_FIRST_FUNCTION - 1 || n[IMAGE_FUNCTIONS] >= IMAGE_FIRST_FUNCTION)
		return "too many globals or functions";
	for (uint64_t i = 0; i < n[IMAGE_FILES]; i++)
		if (!below(image, IMAGE_STRINGS, image->files[i]))
			return "file name out of range";
	for (uint64_t i = 0; i < n[IMAGE_LOCATIONS]; i++)
		if (!below(image, IMAGE_FILES, image->locations[i].file))
			return "location out of range";
	for (uint64_t i = 0; i < n[IMAGE_TYPES]; i++) {
		const struct image_type *t = &image->types[i];
		bool has_members = t->kind == TYPE_STRUCT || t->kind == TYPE_UNION || t->kind == TYPE_ENUM;
		if (t->kind >= TYPE_KINDS || !below(image, IMAGE_STRINGS, t->name) || !below(image, IMAGE_TYPES, t->element) ||
		    (has_members && !range_below(image, IMAGE_MEMBERS, t->members, t->count)))
			return "type out of range";
	}
	for (uint64_t i = 0; i < n[IMAGE_MEMBERS]; i++)
		if (!below(image, IMAGE_STRINGS, image->members[i].name) || !below(image, IMAGE_TYPES, image->members[i].type))
			return "member out of range";
	for (uint64_t i = 0; i < n[IMAGE_SYMBOLS]; i++)
		if (!below(image, IMAGE_STRINGS, image->symbols[i].name) || !below(image, IMAGE_TYPES, image->symbols[i].type) ||
		    !below(image, IMAGE_LOCATIONS, image->symbols[i].location) ||
		    !below(image, IMAGE_STRINGS, image->symbols[i].function) ||
		    !below(image, IMAGE_STRINGS, image->symbols[i].arguments))
			return "symbol out of range";
	return NULL;
}

static const char *check_views(const struct image *image)
{
	for (uint64_t i = 0; i < image->counts[IMAGE_VIEWS]; i++) {
		const struct image_view *view = &image->views[i];
		bool mask = view->kind == VIEW_MASK;
		if (view->kind >= VIEW_KINDS || !below(image, mask ? IMAGE_GLOBALS : IMAGE_FUNCTIONS, view->index) ||
		    !below(image, IMAGE_STRINGS, view->text))
			return "view out of range";
		if (mask ? image->globals[view->index].size != 2 * sizeof(uint64_t) :
			   image->functions[view->index].parameters != 0 || (image->functions[view->index].flags & FUNCTION_EXTERN))
			return "view of the wrong shape";
	}
	return NULL;
}

static bool string_or_none(const struct image *image, uint32_t string)
{
	return string == IMAGE_NONE || below(image, IMAGE_STRINGS, string);
}

static const char *check_suppressions(const struct image *image)
{
	for (uint64_t i = 0; i < image->counts[IMAGE_SUPPRESSIONS]; i++) {
		const struct image_suppression *s = &image->suppressions[i];
		if (!string_or_none(image, s->function) || !string_or_none(image, s->file) ||
		    !below(image, IMAGE_STRINGS, s->text) || (s->here && s->file == IMAGE_NONE))
			return "suppression out of range";
	}
	return NULL;
}

static const char *check_left_out(const struct image *image)
{
	for (uint64_t i = 0; i < image->counts[IMAGE_LEFT_OUT]; i++)
		if (!below(image, IMAGE_STRINGS, image->left_out[i].name) ||
		    !below(image, IMAGE_LOCATIONS, image->left_out[i].location))
			return "what slicing leaves out is out of range";
	for (uint64_t i = 0; i < image->counts[IMAGE_UNNAMED]; i++)
		if (!below(image, IMAGE_STRINGS, image->unnamed[i].name) ||
		    !below(image, IMAGE_LOCATIONS, image->unnamed[i].location))
			return "a function that nothing names is out of range";
	for (uint64_t i = 0; i < image->counts[IMAGE_LEVELS]; i++)
		if (image->levels[i].modulus == 0 ||
		    !range_below(image, IMAGE_DATA, image->levels[i].data, image->levels[i].modulus))
			return "levels are out of range";
	for (uint64_t i = 0; i < image->counts[IMAGE_MAKERS]; i++)
		if (!below(image, IMAGE_LEVELS, image->makers[i].levels))
			return "levels are out of range";
	return NULL;
}

static bool in_pool(const struct image *image, uint32_t start, uint64_t count)
{
	return start + count <= image->counts[IMAGE_POOL];
}

/* Can the formula of property `number` be evaluated, of parts that come before it? */
static bool formula_ok(const struct image *image, uint64_t number)
{
	assert(number < image->counts[IMAGE_PROPERTIES]);
	const struct image_property *p = &image->properties[number];
	unsigned depth = 0;
	if (!in_pool(image, p->formula, p->nformula))
		return false;
	for (uint32_t i = 0; i < p->nformula; i++) {
		uint32_t word = image->pool[p->formula + i];
		unsigned taken = word <= FORMULA_TRUE ? 0 : word == FORMULA_NOT ? 1 : 2;
		if (word > FORMULA_EQUIVALENT || (word < FORMULA_FALSE && (word >= number || !image->properties[word].part)) ||
		    depth < taken || depth - taken == IMAGE_FORMULA_DEPTH)
			return false;
		depth = depth - taken + 1;
	}
	return depth == 1;
}

static bool reads_ok(const struct image *image, const struct image_property *p)
{
	if (p->reads == IMAGE_NONE)
		return true;
	if (!in_pool(image, p->reads, (uint64_t)p->nreads * 3))
		return false;
	for (uint32_t i = 0; i < p->nreads; i++) {
		const uint32_t *range = image->pool + p->reads + 3 * i;
		if (!below(image, IMAGE_GLOBALS, range[0]) || range[1] > range[2] || range[2] > image->globals[range[0]].size)
			return false;
	}
	return true;
}

static const char *check_properties(const struct image *image)
{
	uint64_t propositions = 0;
	for (uint64_t i = 0; i < image->counts[IMAGE_PROPERTIES]; i++) {
		const struct image_property *p = &image->properties[i];
		bool combined = p->kind == PROPERTY_INVARIANT && p->formula != IMAGE_NONE;
		bool evaluated = p->kind == PROPERTY_EXPRESSION || p->kind == PROPERTY_SHOWN ||
			(p->kind == PROPERTY_INVARIANT && !combined);
		propositions += image_property_is_numbered(p);
		if (p->kind >= PROPERTY_KINDS || !below(image, IMAGE_FUNCTIONS, p->function) ||
		    !below(image, IMAGE_STRINGS, p->text) || !below(image, IMAGE_STRINGS, p->label) ||
		    (p->thread != IMAGE_NONE && p->thread > 254))
			return "property out of range";
		if (evaluated &&
		    (image->functions[p->function].parameters != 0 || (image->functions[p->function].flags & FUNCTION_EXTERN)))
			return "property cannot be evaluated";
		if ((combined && !formula_ok(image, i)) || !reads_ok(image, p))
			return "property out of range";
	}
	return propositions > IMAGE_MAX_PROPOSITIONS ? "too many propositions" : NULL;
}

static const char *check_roots(const struct image *image)
{
	const struct image_options *o = image->options;
	if (!below(image, IMAGE_FUNCTIONS, o->start) || (image->functions[o->start].flags & FUNCTION_EXTERN) ||
	    image->functions[o->start].parameters != 0)
		return "start function out of range";
	if (o->max_threads == 0 || o->max_threads > 254)
		return "bad number of threads";
	const char *wrong = check_properties(image);
	if (!wrong)
		wrong = check_suppressions(image);
	if (!wrong)
		wrong = check_left_out(image);
	return wrong ? wrong : check_views(image);
}

static const char *check(const struct image *image)
{
	const char *wrong = check_tables(image);
	for (uint64_t i = 0; !wrong && i < image->counts[IMAGE_GLOBALS]; i++)
		wrong = check_global(image, &image->globals[i]);
	for (uint64_t i = 0; !wrong && i < image->counts[IMAGE_FUNCTIONS]; i++)
		wrong = check_function(image, &image->functions[i]);
	return wrong ? wrong : check_roots(image);
}

/* ---- loading ------------------------------------------------------------------------------------------------------- */

static const char *find_sections(struct image *image)
{
	const struct image_header *header = image->base;
	if (image->size < sizeof *header || header->magic != IMAGE_MAGIC)
		return "not a program image";
	if (header->version != IMAGE_VERSION)
		return "written by another version of bitspin; generate it again";
	if (header->checksum != XXH3_64bits(header + 1, image->size - sizeof *header))
		return "damaged: its checksum is wrong";
	const void *start[IMAGE_SECTIONS];
	for (int i = 0; i < IMAGE_SECTIONS; i++) {
		uint64_t offset = header->sections[i].offset, count = header->sections[i].count;
		if (offset % 8 || offset > image->size || count > (image->size - offset) / image_element_size(i) ||
		    count > UINT32_MAX)
			return "damaged: a section lies outside of the file";
		start[i] = (const char *)image->base + offset;
		image->counts[i] = count;
	}
	image->strings = start[IMAGE_STRINGS];
	image->files = start[IMAGE_FILES];
	image->locations = start[IMAGE_LOCATIONS];
	image->types = start[IMAGE_TYPES];
	image->members = start[IMAGE_MEMBERS];
	image->symbols = start[IMAGE_SYMBOLS];
	image->globals = start[IMAGE_GLOBALS];
	image->data = start[IMAGE_DATA];
	image->functions = start[IMAGE_FUNCTIONS];
	image->code = start[IMAGE_CODE];
	image->pool = start[IMAGE_POOL];
	image->constants = start[IMAGE_CONSTANTS];
	image->properties = start[IMAGE_PROPERTIES];
	image->views = start[IMAGE_VIEWS];
	image->externs = start[IMAGE_EXTERNS];
	image->suppressions = start[IMAGE_SUPPRESSIONS];
	image->tolerated = start[IMAGE_TOLERATED];
	image->left_out = start[IMAGE_LEFT_OUT];
	image->levels = start[IMAGE_LEVELS];
	image->makers = start[IMAGE_MAKERS];
	image->unnamed = start[IMAGE_UNNAMED];
	image->options = start[IMAGE_OPTIONS];
	return NULL;
}

int image_load(struct image *image, const char *path, char *error, size_t size)
{
	assert(path && error && size > 0);
	*image = (struct image){ 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0) {
		snprintf(error, size, "cannot read '%s': %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	image->size = (size_t)st.st_size;
	image->base = image->size ? mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (image->base == MAP_FAILED) {
		image->base = NULL;
		snprintf(error, size, "cannot read '%s': %s", path, image->size ? strerror(errno) : "it is empty");
		return -1;
	}
	const char *wrong = find_sections(image);
	if (!wrong)
		wrong = check(image);
	if (wrong) {
		snprintf(error, size, "'%s': %s", path, wrong);
		image_release(image);
		return -1;
	}
	return 0;
}

void image_release(struct image *image)
{
	if (image->base)
		munmap(image->base, image->size);
	*image = (struct image){ 0 };
}
