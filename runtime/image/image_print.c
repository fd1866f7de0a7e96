/* SPDX-License-Identifier: MIT
 *
 * The disassembler.  One line an instruction; the roles in opcode.def say how its fields print.
 */
#include "image.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void print_operand(const struct image *image, FILE *out, uint32_t operand, unsigned bits)
{
	if (!(operand & IMAGE_CONST)) {
		fprintf(out, "r%" PRIu32, operand);
		return;
	}
	assert((operand & ~IMAGE_CONST) < image->counts[IMAGE_CONSTANTS]);
	const uint64_t *value = &image->constants[operand & ~IMAGE_CONST];
	if (bits > 64)
		fprintf(out, "0x%" PRIx64 "%016" PRIx64, value[1], value[0]);
	else if (value[0] < 10)
		fprintf(out, "%" PRIu64, value[0]);
	else
		fprintf(out, "0x%" PRIx64, value[0]);
}

static void print_list(const struct image *image, FILE *out, uint32_t start, uint32_t count)
{
	assert((uint64_t)start + count <= image->counts[IMAGE_POOL]);
	fputc('(', out);
	for (uint32_t i = 0; i < count; i++) {
		fputs(i ? ", " : "", out);
		print_operand(image, out, image->pool[start + i], 64);
	}
	fputc(')', out);
}

static void print_switch(const struct image *image, FILE *out, uint32_t start, uint32_t count)
{
	assert(start + 3 * (uint64_t)count <= image->counts[IMAGE_POOL]);
	fputc('[', out);
	for (const uint32_t *p = image->pool + start; count--; p += 3)
		fprintf(out, "%" PRIu64 ": @%" PRIu32 "%s", p[0] | (uint64_t)p[1] << 32, p[2], count ? ", " : "");
	fputc(']', out);
}

static void print_field(const struct image *image, FILE *out, const struct image_insn *insn, char role, uint32_t value,
			uint32_t next)
{
	switch (role) {
	case 'd':
	case 'D':
	case 'f':
	case '1': fprintf(out, "r%" PRIu32, value); break;
	case 'm': value == IMAGE_NONE ? fputs("-", out) : fprintf(out, "r%" PRIu32, value); break;
	case 'x': print_operand(image, out, value, insn->bits); break;
	case 'q': print_operand(image, out, value, 64); break;
	case 'i': fprintf(out, "#%" PRIu32, value); break;
	case 'l': fprintf(out, "@%" PRIu32, value); break;
	case 'F': fputs(image_string(image, image->functions[value].name), out); break;
	case 'T': fprintf(out, "tls:%s", image_string(image, image->globals[value].name)); break;
	case 's': fprintf(out, "\"%s\"", image_string(image, value)); break;
	case 'S': fputs(value == IMAGE_NONE ? "-" : image_string(image, image->symbols[value].name), out); break;
	case 'P': print_list(image, out, value, next); break;
	case 'W': print_switch(image, out, value, next); break;
	default: break;
	}
}

static void print_input_values(const struct image *image, FILE *out, const struct image_insn *insn)
{
	const uint32_t *values = image_input_values(image->pool, insn);
	fputs("  ; values", out);
	for (uint32_t i = 0; i < values[0]; i++)
		fprintf(out, " %" PRId64, (int64_t)image_halves(values + 1 + 2 * i));
}

void image_print_insn(const struct image *image, FILE *out, const struct image_insn *insn)
{
	assert(insn->op < IMAGE_OPCODES && (insn->live == IMAGE_NONE || insn->live < image->counts[IMAGE_POOL]));
	const struct image_opcode_info *info = &image_opcodes[insn->op];
	char name[24] = "";
	for (size_t i = 0; info->name[i] && i < sizeof name - 1; i++)
		name[i] = (char)tolower((unsigned char)info->name[i]);
	fprintf(out, "%-12s", name);
	if (insn->bits)
		fprintf(out, " %u", insn->bits);
	if (insn->aux)
		fprintf(out, ".%u", insn->aux);
	const uint32_t fields[] = { insn->dst, insn->a, insn->b, insn->c, 0 };
	const char *separator = " ";
	for (int i = 0; i < 4; i++) {
		if (strchr("-NV", info->roles[i]))
			continue;
		fputs(separator, out);
		print_field(image, out, insn, info->roles[i], fields[i], fields[i + 1]);
		separator = ", ";
	}
	if (insn->op == IMAGE_CALL && (insn->aux & IMAGE_REGIONS))
		print_input_values(image, out, insn);
	if (insn->live != IMAGE_NONE && image->pool[insn->live]) {
		fputs("  ; live", out);
		for (uint32_t i = 1; i <= image->pool[insn->live]; i++)
			fprintf(out, " r%" PRIu32, image->pool[insn->live + i]);
		for (uint32_t i = 0; i < image->pool[insn->live - 1]; i++)
			fprintf(out, "%s r%" PRIu32, i ? "" : ", counts rounds", image->pool[insn->live - 2 - i]);
	}
	fputc('\n', out);
}

static void print_function(const struct image *image, FILE *out, const struct image_function *f)
{
	assert((uint64_t)f->code + f->ncode <= image->counts[IMAGE_CODE]);
	fprintf(out, "\n%sfunction %s: %" PRIu32 " parameters, %" PRIu32 " results, %" PRIu32 " registers%s%s%s\n",
		f->flags & FUNCTION_EXTERN ? "extern " : "", image_string(image, f->name), f->parameters, f->results, f->registers,
		f->flags & FUNCTION_VARIADIC ? ", variadic" : "", f->flags & FUNCTION_ATOMIC ? ", atomic" : "",
		f->flags & FUNCTION_HAVOC ? ", returns anything" : "");
	uint32_t line = 0;
	for (uint32_t i = 0; i < f->ncode; i++) {
		const struct image_insn *insn = &image->code[f->code + i];
		uint32_t at = image_line(image, insn->location);
		if (at && at != line) {
			const char *file = image_file(image, insn->location), *slash = strrchr(file, '/');
			fprintf(out, "  # %s:%" PRIu32 "\n", slash ? slash + 1 : file, at);
			line = at;
		}
		fprintf(out, "%5" PRIu32 "  ", i);
		image_print_insn(image, out, insn);
	}
}

static void print_global(const struct image *image, FILE *out, uint32_t index)
{
	const struct image_global *g = &image->globals[index];
	assert(g->data + g->size <= image->counts[IMAGE_DATA]);
	fprintf(out, "global %" PRIu32 " %s: %" PRIu64 " bytes%s%s", index, image_string(image, g->name), g->size,
		g->flags & GLOBAL_CONSTANT ? ", constant" : "", g->flags & GLOBAL_THREAD_LOCAL ? ", thread-local" : "");
	const uint8_t *p = image->data + g->data;
	uint64_t end = g->size;
	while (end && p[end - 1] == 0)
		end--;
	for (uint64_t i = 0; i < end; i++)
		fprintf(out, "%s%02x", i == 0 ? " = " : i % 8 == 0 ? " " : "", p[i]);
	fputs(end < g->size ? " 0...\n" : "\n", out);
}

void image_print(const struct image *image, FILE *out)
{
	for (uint32_t i = 0; i < image->counts[IMAGE_GLOBALS]; i++)
		print_global(image, out, i);
	for (uint64_t i = 0; i < image->counts[IMAGE_PROPERTIES]; i++)
		fprintf(out, "property %u, %s: %s\n", (unsigned)image->properties[i].kind,
			image_string(image, image->functions[image->properties[i].function].name),
			image_string(image, image->properties[i].text));
	for (uint64_t i = 0; i < image->counts[IMAGE_VIEWS]; i++)
		fprintf(out, "%s: %s\n", image->views[i].kind == VIEW_MASK ? "mask" : "abstraction",
			image_string(image, image->views[i].text));
	for (uint64_t i = 0; i < image->counts[IMAGE_LEFT_OUT]; i++)
		fprintf(out, "left out: %s, line %u\n", image_string(image, image->left_out[i].name),
			(unsigned)image_line(image, image->left_out[i].location));
	for (uint64_t i = 0; i < image->counts[IMAGE_FUNCTIONS]; i++)
		print_function(image, out, &image->functions[i]);
}
