/* SPDX-License-Identifier: MIT
 *
 * The bitcode that `bitspin cc` leaves in what it builds: a section of records, one for each C file.  A linker puts the sections of
 * its inputs one behind the other, so a record begins with a mark and its length.  What is between records (a linker may align
 * them) is skipped.
 *
 * Files of ELF and archives are read here as they are documented (elf(5), ar(5)); every length is checked, as files may be broken.
 */
#include "program.h"
#include "../base/base.h"

#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char mark[8] = "BITSPIN\1"; /* not ended by a zero */

/* The head of a record; after it come a text in JSON and the bitcode. */
struct head {
	char mark[8];
	uint64_t text, bitcode; /* bytes */
};

/* ---- ELF ------------------------------------------------------------------------------------------------------------- */

bool elf_is(const char *bytes, size_t size)
{
	return size >= sizeof(Elf64_Ehdr) && memcmp(bytes, ELFMAG, SELFMAG) == 0 && bytes[EI_CLASS] == ELFCLASS64 &&
		bytes[EI_DATA] == ELFDATA2LSB;
}

static bool read_section(const char *bytes, size_t size, size_t number, Elf64_Shdr *section)
{
	assert(elf_is(bytes, size));
	Elf64_Ehdr elf;
	memcpy(&elf, bytes, sizeof elf);
	size_t at = elf.e_shoff + number * sizeof *section;
	if (elf.e_shentsize != sizeof *section || elf.e_shoff > size || at > size || size - at < sizeof *section)
		return false;
	memcpy(section, bytes + at, sizeof *section);
	return section->sh_type == SHT_NOBITS || (section->sh_offset <= size && section->sh_size <= size - section->sh_offset);
}

const char *elf_records(const char *bytes, size_t size, size_t *length)
{
	assert(elf_is(bytes, size));
	Elf64_Ehdr elf;
	Elf64_Shdr first, names, section;
	memcpy(&elf, bytes, sizeof elf);
	if (elf.e_shoff == 0 || !read_section(bytes, size, 0, &first))
		return NULL;
	size_t count = elf.e_shnum ? elf.e_shnum : first.sh_size,
	       at = elf.e_shstrndx == SHN_XINDEX ? first.sh_link : elf.e_shstrndx;
	if (!read_section(bytes, size, at, &names) || names.sh_type != SHT_STRTAB || names.sh_size == 0)
		return NULL;
	for (size_t i = 1; i < count && read_section(bytes, size, i, &section); i++) {
		const char *name = bytes + names.sh_offset + section.sh_name;
		if (section.sh_type == SHT_NOBITS || section.sh_name >= names.sh_size ||
		    strnlen(name, names.sh_size - section.sh_name) == names.sh_size - section.sh_name ||
		    strcmp(name, RECORDS_SECTION) != 0)
			continue;
		*length = section.sh_size;
		return bytes + section.sh_offset;
	}
	return NULL;
}

/* ---- records --------------------------------------------------------------------------------------------------------- */

bool record_write(FILE *out, json_t *about, const char *bitcode, size_t size)
{
	char *said = json_dumps(about, JSON_COMPACT);
	assert(said);
	struct head head = { .text = strlen(said), .bitcode = size };
	memcpy(head.mark, mark, sizeof mark);
	bool good = fwrite(&head, sizeof head, 1, out) == 1 && fwrite(said, 1, head.text, out) == head.text &&
		fwrite(bitcode, 1, size, out) == size;
	free(said);
	return good;
}

/* Return the first record at or after *at, and set *at behind that record; NULL if there is none before `end`, or it is
 * broken.  *bitcode and *size are its bitcode. */
static json_t *next_record(const char **at, const char *end, const char **bitcode, size_t *size)
{
	struct head head;
	assert(*at <= end);
	while (*at < end && **at == '\0')
		(*at)++;
	if ((size_t)(end - *at) < sizeof head)
		return NULL;
	memcpy(&head, *at, sizeof head);
	size_t left = (size_t)(end - *at) - sizeof head;
	if (memcmp(head.mark, mark, sizeof mark) != 0 || head.text > left || head.bitcode > left - head.text)
		return NULL;
	json_t *about = json_loadb(*at + sizeof head, head.text, 0, NULL);
	*bitcode = *at + sizeof head + head.text;
	*size = head.bitcode;
	*at = *bitcode + head.bitcode;
	assert(*at <= end);
	return about;
}

static const char *said(const json_t *about, const char *key)
{
	return json_string_value(json_object_get(about, key));
}

/* Write the bitcode of one record of `file` into a file of the work directory, and add that to `bitcode`. */
static void take_record(struct program *program, const char *file, const json_t *about, const char *bytes, size_t size,
			struct list *bitcode)
{
	static unsigned long number;
	const char *source = said(about, "source"), *slash = source ? strrchr(source, '/') : NULL;
	size_t i;
	json_t *assumption;
	char *path = text("%s/%lu-%s.bc", program->work, number++, slash ? slash + 1 : source ? source : "");
	json_array_foreach (json_object_get(about, "assumptions"), i, assumption)
		list_add(&program->recorded, json_string_value(assumption) ? json_string_value(assumption) : "");
	if (!write_file(path, bytes, size)) {
		check_space();
		fail("cannot write the bitcode of '%s': %s", file, strerror(errno));
	}
	list_add(bitcode, path);
	free(path);
}

/* Take the records of `file`, or of a member of that archive.  Return how many there are. */
static size_t take_records(struct program *program, const char *file, const char *bytes, size_t size, bool member,
			   struct list *bitcode)
{
	size_t length = 0, count = 0, bitcode_size;
	const char *at = elf_is(bytes, size) ? elf_records(bytes, size, &length) : NULL, *end = at + length, *own;
	json_t *about;
	while (at && (about = next_record(&at, end, &own, &bitcode_size))) {
		const char *why = said(about, "refused"), *source = said(about, "source");
		if (why && !member)
			fail("'%s' has no bitcode of '%s': %s", file, source ? source : "a file", why);
		if (!why)
			take_record(program, file, about, own, bitcode_size, bitcode);
		count++;
		json_decref(about);
	}
	if (at && at < end)
		fail("the bitcode in '%s' is broken; build it again", file);
	return count;
}

/* ---- archives -------------------------------------------------------------------------------------------------------- */

enum { AR_MAGIC = 8, AR_HEAD = 60, AR_NAME = 16, AR_SIZE = 48, AR_END = 58 };

/* Return the path of a member of the thin archive `file`, malloc'ed.  `name` is its name in its head, or a place in the archive's
 * table of names, `names`. */
static char *thin_path(const char *file, const char *name, const char *names, size_t length)
{
	const char *slash = strrchr(file, '/');
	size_t at = name[0] == '/' ? strtoul(name + 1, NULL, 10) : 0, n = 0;
	if (name[0] == '/' && at >= length)
		fail("'%s' is a broken archive; build it again", file);
	const char *from = name[0] == '/' ? names + at : name;
	size_t most = name[0] == '/' ? length - at : AR_NAME;
	while (n < most && from[n] != '\n' && !(from[n] == '/' && (n + 1 == most || from[n + 1] == '\n' || from[n + 1] == ' ')))
		n++;
	if (from[0] == '/' || !slash)
		return text("%.*s", (int)n, from);
	return text("%.*s/%.*s", (int)(slash - file), file, (int)n, from);
}

static size_t take_thin(struct program *program, const char *file, const char *name, const char *names, size_t length,
			struct list *bitcode)
{
	size_t size;
	char *path = thin_path(file, name, names, length), *bytes = read_file(path, &size);
	if (!bytes)
		fail("cannot read '%s', a member of '%s': %s", path, file, strerror(errno));
	size_t count = take_records(program, file, bytes, size, true, bitcode);
	free(path);
	free(bytes);
	return count;
}

static size_t take_members(struct program *program, const char *file, const char *bytes, size_t size, struct list *bitcode)
{
	assert(size >= AR_MAGIC);
	bool thin = memcmp(bytes, "!<thin>\n", AR_MAGIC) == 0;
	const char *names = "";
	size_t count = 0, length = 0;
	for (size_t at = AR_MAGIC; at < size && size - at >= AR_HEAD;) {
		const char *head = bytes + at;
		char digits[11] = { 0 };
		memcpy(digits, head + AR_SIZE, sizeof digits - 1);
		size_t member = strtoul(digits, NULL, 10);
		bool table = memcmp(head, "//  ", 4) == 0,
		     symbols = memcmp(head, "/   ", 4) == 0 || memcmp(head, "/SYM64/", 7) == 0;
		bool inside = table || symbols || !thin;
		at += AR_HEAD;
		if (memcmp(head + AR_END, "`\n", 2) != 0 || (inside && member > size - at))
			fail("'%s' is a broken archive; build it again", file);
		if (table) {
			names = bytes + at;
			length = member;
		} else if (!symbols) {
			count += thin ? take_thin(program, file, head, names, length, bitcode) :
					take_records(program, file, bytes + at, member, true, bitcode);
		}
		if (inside)
			at += member + member % 2;
	}
	return count;
}

/* ---- files ----------------------------------------------------------------------------------------------------------- */

void objects_read(struct program *program, const char *file, struct list *bitcode, struct list *members)
{
	size_t size;
	char *bytes = read_file(file, &size);
	if (!bytes)
		fail("cannot read '%s': %s", file, strerror(errno));
	bool archive = size >= AR_MAGIC && memcmp(bytes, "!<", 2) == 0;
	size_t count = archive ? take_members(program, file, bytes, size, members) :
				 take_records(program, file, bytes, size, false, bitcode);
	if (count == 0)
		fail("'%s' holds machine code, and no bitcode; build it with CC='bitspin cc', or give the C files", file);
	free(bytes);
}
