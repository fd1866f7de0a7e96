/* SPDX-License-Identifier: MIT
 *
 * Pure functions of the host's C library, called through libffi on the program's memory once that has been checked.
 *
 * A signature is the letter of the result, a blank, and a letter for each argument:
 *     i l z   32-bit int, 64-bit signed, 64-bit unsigned     d f   double, float
 *     s       address of a string: readable up to its NUL
 *     k       address of a string of which at most as many bytes are read as the last argument says
 *     r       address of as many readable bytes as the last argument says
 *     e       address where an end pointer is to be stored, or NULL
 *     p       (result) NULL or a pointer into the first argument
 */
#include "builtin.h"

#include <complex.h>
#include <ctype.h>
#include <ffi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* isalpha and its kin may be macros. */
#undef strcmp
#undef strncmp

typedef void host_function(void);

static const struct { const char *name; host_function *function; } functions[] = {
#define F(name) { #name, (host_function *)name }
#define D(name) { #name, (host_function *)(double (*)(double))name }
#define STR(name, type) { #name, (host_function *)(type)name }
	F(strlen), F(strnlen), F(strcmp), F(strncmp), F(strcasecmp), F(strncasecmp), F(strcoll),
	STR(strchr, char *(*)(const char *, int)), STR(strrchr, char *(*)(const char *, int)), F(strchrnul),
	STR(strstr, char *(*)(const char *, const char *)), STR(strpbrk, char *(*)(const char *, const char *)),
	F(strspn), F(strcspn), F(memcmp), F(bcmp), STR(memchr, void *(*)(const void *, int, size_t)), F(memrchr),
	F(atoi), F(atol), F(atoll), F(atof), F(strtol), F(strtoll), F(strtoul), F(strtoull), F(strtod),
	F(abs), F(labs), F(llabs), F(toupper), F(tolower), F(isalnum), F(isalpha), F(isblank), F(iscntrl), F(isdigit),
	F(isgraph), F(islower), F(isprint), F(ispunct), F(isspace), F(isupper), F(isxdigit), F(ffs),
	D(sin), D(cos), D(tan), D(asin), D(acos), D(atan), F(atan2), D(sinh), D(cosh), D(tanh), D(exp), D(exp2), D(log),
	D(log2), D(log10), F(pow), D(sqrt), D(cbrt), F(hypot), F(fmod), D(floor), D(ceil), D(round), D(trunc), D(fabs),
	F(fmin), F(fmax), F(ldexp), F(lround), F(llround), F(sinf), F(cosf), F(sqrtf), F(powf), F(fmodf), F(floorf), F(ceilf),
	F(fabsf),
#undef F
#undef D
#undef STR
};

static host_function *find_function(const char *name)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strcmp(functions[i].name, name) == 0)
			return functions[i].function;
	VM_BUG("host function %s is in libc.def but not in host.c", name);
}

static ffi_type *type_of(char letter)
{
	switch (letter) {
	case 'i': return &ffi_type_sint32;
	case 'l': return &ffi_type_sint64;
	case 'z': return &ffi_type_uint64;
	case 'd': return &ffi_type_double;
	case 'f': return &ffi_type_float;
	default: return &ffi_type_pointer;
	}
}

union value {
	int64_t integer;
	double real;
	float single;
	void *pointer;
};

#define MAX_HOST_ARGUMENTS 4

struct host_call {
	struct vm_call *call;
	const char *letters; /* of the arguments */
	unsigned count;
	union value values[MAX_HOST_ARGUMENTS];
	void *end;           /* where the host stores an end pointer */
	int end_index;       /* argument that asks for it, or -1 */
};

static void *checked_pointer(struct host_call *host, unsigned i)
{
	const uint64_t *arguments = host->call->arguments;
	uint64_t last = arguments[host->count - 1];
	switch (host->letters[i]) {
	case 's': return (void *)vm_string(arguments[i], UINT64_MAX, NULL);
	case 'k': return last ? (void *)vm_string(arguments[i], last, NULL) : &host->end;
	case 'r': return vm_access(arguments[i], last, ACCESS_READ);
	case 'e':
		host->end_index = arguments[i] ? (int)i : -1;
		return &host->end;
	default: VM_BUG("bad letter '%c' in a host signature", host->letters[i]);
	}
}

static void take_argument(struct host_call *host, unsigned i)
{
	uint64_t argument = host->call->arguments[i];
	switch (host->letters[i]) {
	case 'i': host->values[i].integer = (int32_t)argument; break;
	case 'l': case 'z': host->values[i].integer = (int64_t)argument; break;
	case 'd': memcpy(&host->values[i].real, &argument, sizeof(double)); break;
	case 'f': memcpy(&host->values[i].single, &argument, sizeof(float)); break;
	default: host->values[i].pointer = checked_pointer(host, i); break;
	}
}

/* A host pointer into the bytes of the first argument, as an address of the program. */
static uint64_t address_of(const struct host_call *host, const void *pointer)
{
	if (pointer == NULL)
		return 0;
	return host->call->arguments[0] + (uint64_t)((const char *)pointer - (const char *)host->values[0].pointer);
}

static uint64_t result_of(const struct host_call *host, char letter, const union value *result)
{
	uint64_t bits = 0;
	switch (letter) {
	case 'i': return (uint32_t)result->integer;
	case 'd': memcpy(&bits, &result->real, sizeof(double)); return bits;
	case 'f': memcpy(&bits, &result->single, sizeof(float)); return bits;
	case 'p': return address_of(host, result->pointer);
	default: return (uint64_t)result->integer;
	}
}

enum vm_outcome run_host(struct vm_call *call)
{
	struct host_call host = { .call = call, .letters = call->builtin->data + 2, .end_index = -1 };
	host.count = (unsigned)strlen(host.letters);
	ffi_cif cif;
	ffi_type *types[MAX_HOST_ARGUMENTS];
	void *values[MAX_HOST_ARGUMENTS], *end_at = &host.end;
	for (unsigned i = 0; i < host.count; i++) {
		take_argument(&host, i);
		types[i] = type_of(host.letters[i]);
		values[i] = host.letters[i] == 'e' ? (void *)&end_at : (void *)&host.values[i];
	}
	char letter = call->builtin->data[0];
	if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, host.count, type_of(letter), types) != FFI_OK)
		VM_BUG("libffi refuses the signature of %s", call->builtin->name);
	union value result = { 0 };
	ffi_call(&cif, find_function(call->builtin->name), &result, values);
	if (host.end_index >= 0)
		vm_store64(call->arguments[host.end_index], 8, address_of(&host, host.end), ACCESS_WRITE);
	call->results[0] = result_of(&host, letter, &result);
	return CALL_DONE;
}

/* (a + bi) op (c + di), in double or float.  The result is a pair. */
enum vm_outcome run_complex(struct vm_call *call)
{
	bool multiply = call->builtin->data[0] == 'm';
	if (call->builtin->data[4] == 'd') {
		double part[4];
		memcpy(part, call->arguments, sizeof part);
		double complex x = CMPLX(part[0], part[1]), y = CMPLX(part[2], part[3]), z = multiply ? x * y : x / y;
		double result[2] = { creal(z), cimag(z) };
		memcpy(call->results, result, sizeof result);
		return CALL_DONE;
	}
	float part[4];
	for (int i = 0; i < 4; i++)
		memcpy(&part[i], &call->arguments[i], sizeof part[i]);
	float complex x = CMPLXF(part[0], part[1]), y = CMPLXF(part[2], part[3]), z = multiply ? x * y : x / y;
	float result[2] = { crealf(z), cimagf(z) };
	call->results[0] = call->results[1] = 0;
	for (int i = 0; i < 2; i++)
		memcpy(&call->results[i], &result[i], sizeof result[i]);
	return CALL_DONE;
}
