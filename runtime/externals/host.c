/* SPDX-License-Identifier: MIT
 *
 * Functions of the host's C library whose result depends on their arguments alone, called through libffi on the program's
 * memory once that has been checked.
 *
 * A signature is the letter of the result, a blank, and a letter for each argument:
 *     i u     32-bit int, unsigned     l z   64-bit signed, unsigned     d f x   double, float, long double
 *     s       address of a string: readable up to its NUL
 *     k       address of a string; the last argument says how many bytes are read at most
 *     c C     addresses of two strings; as k, but only up to their first difference; C: letters of both cases are equal
 *     r       address of readable bytes; the last argument says how many; R: the next argument does
 *     m       address of bytes, read one after the other until one equals the next argument; the last says how many at most
 *     e       address where an end pointer is to be stored, or NULL
 *     o O X   address where 4, 8 or 16 bytes are stored
 *     p       (result) NULL or a pointer into the first argument
 *     v       (result) none
 */
#include "../state/whole.h"
#include "externals.h"
#include "../memory/hidden.h"

#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <ffi.h>
#include <string.h>

#ifndef CMPLX /* glibc's headers have it for gcc only */
#define CMPLX(x, y)  ((double complex){ (x), (y) })
#define CMPLXF(x, y) ((float complex){ (x), (y) })
#define CMPLXL(x, y) ((long double complex){ (x), (y) })
#endif

host_function *host_find(const char *name)
{
	static VM_SHARED void *math;
	if (!math)
		math = dlopen("libm.so.6", RTLD_NOW);
	void *symbol = dlsym(RTLD_DEFAULT, name);
	if (!symbol && math)
		symbol = dlsym(math, name);
	host_function *function;
	memcpy(&function, &symbol, sizeof function); /* ISO C has no cast from an object's to a function's pointer */
	return function;
}

static ffi_type *type_of(char letter)
{
	switch (letter) {
	case 'v': return &ffi_type_void;
	case 'i': return &ffi_type_sint32;
	case 'u': return &ffi_type_uint32;
	case 'l': return &ffi_type_sint64;
	case 'z': return &ffi_type_uint64;
	case 'd': return &ffi_type_double;
	case 'f': return &ffi_type_float;
	case 'x': return &ffi_type_longdouble;
	default: return &ffi_type_pointer;
	}
}

union value {
	int64_t integer;
	double real;
	float single;
	long double extended;
	void *pointer;
};

#define MAX_HOST_ARGUMENTS 8

struct host_call {
	struct vm_call *call;
	const char *letters; /* of the arguments */
	unsigned count;
	unsigned slots[MAX_HOST_ARGUMENTS + 1]; /* of call->arguments where each begins */
	union value values[MAX_HOST_ARGUMENTS];
	void *end;     /* where the host stores an end pointer */
	int end_index; /* argument that asks for it, or -1 */
};

static uint64_t slot_of(const struct host_call *host, unsigned i)
{
	assert(i < host->count);
	return host->call->arguments[host->slots[i]];
}

/* Check that bytes can be read one after the other until one is `byte`, at most `most` of them, and return the first.  What
 * comes after that byte need not exist (C17 7.24.5.1: memchr reads "as if sequentially"). */
static void *until_byte(uint64_t address, uint8_t byte, uint64_t most)
{
	uint64_t room = most ? vm_piece(address, vm_room(address, ACCESS_READ)) : 0;
	const struct vm_place place = vm_place_look(address);
	assert(!room || place.object);
	const uint8_t *bytes = room ? place.object->bytes + place.offset : NULL;
	const uint8_t *found = room ? memchr(bytes, byte, room < most ? room : most) : NULL;
	return vm_access(address, found ? (uint64_t)(found - bytes) + 1 : most, ACCESS_READ);
}

static bool differ(uint8_t a, uint8_t b, bool fold)
{
	return fold ? tolower(a) != tolower(b) : a != b;
}

/* Return how many bytes of the first two arguments are compared: no more than decide (C17 7.24.4.4). */
static uint64_t compared(const struct host_call *host, uint64_t most, bool fold)
{
	const uint8_t *bytes[2];
	uint64_t least = most, n = 0;
	for (unsigned k = 0; k < 2; k++) {
		uint64_t room = vm_piece(slot_of(host, k), vm_room(slot_of(host, k), ACCESS_READ));
		const struct vm_place place = vm_place_look(slot_of(host, k));
		assert(!room || place.object);
		bytes[k] = room ? place.object->bytes + place.offset : NULL;
		least = room < least ? room : least;
	}
	while (n < least && bytes[0][n] && !differ(bytes[0][n], bytes[1][n], fold))
		n++;
	return n < most ? n + 1 : n;
}

static void *checked_pointer(struct host_call *host, unsigned i)
{
	uint64_t address = slot_of(host, i), last = slot_of(host, host->count - 1);
	switch (host->letters[i]) {
	case 's': return (void *)vm_string(address, UINT64_MAX, NULL);
	case 'k': return last ? (void *)vm_string(address, last, NULL) : &host->end;
	case 'c':
	case 'C': return last ? (void *)vm_access(address, compared(host, last, host->letters[i] == 'C'), ACCESS_READ) : &host->end;
	case 'm': return until_byte(address, (uint8_t)slot_of(host, i + 1), last);
	case 'r': return vm_access(address, last, ACCESS_READ);
	case 'R': return vm_access(address, slot_of(host, i + 1), ACCESS_READ);
	case 'o': return vm_access(address, 4, ACCESS_WRITE);
	case 'O': return vm_access(address, 8, ACCESS_WRITE);
	case 'X': return vm_access(address, 16, ACCESS_WRITE);
	case 'e': host->end_index = address ? (int)i : -1; return &host->end;
	default: VM_BUG("bad letter '%c' in a host signature", host->letters[i]);
	}
}

static void take_argument(struct host_call *host, unsigned i)
{
	uint64_t argument = slot_of(host, i);
	switch (host->letters[i]) {
	case 'i': host->values[i].integer = (int32_t)argument; break;
	case 'u': host->values[i].integer = (uint32_t)argument; break;
	case 'l':
	case 'z':
		vm_hide(argument);
		host->values[i].integer = (int64_t)argument;
		break;
	case 'd': memcpy(&host->values[i].real, &argument, sizeof(double)); break;
	case 'f': memcpy(&host->values[i].single, &argument, sizeof(float)); break;
	case 'x': memcpy(&host->values[i].extended, &host->call->arguments[host->slots[i]], 10); break;
	default: host->values[i].pointer = checked_pointer(host, i); break;
	}
}

/* Turn a host pointer into the bytes of the first argument into an address of the program. */
static uint64_t address_of(const struct host_call *host, const void *pointer)
{
	if (pointer == NULL)
		return 0;
	assert((const char *)pointer >= (const char *)host->values[0].pointer);
	return host->call->arguments[0] + (uint64_t)((const char *)pointer - (const char *)host->values[0].pointer);
}

static void store_result(struct host_call *host, char letter, const union value *result)
{
	uint64_t *out = host->call->results;
	out[0] = out[1] = 0;
	switch (letter) {
	case 'v': break;
	case 'i':
	case 'u': out[0] = (uint32_t)result->integer; break;
	case 'd': memcpy(out, &result->real, sizeof(double)); break;
	case 'f': memcpy(out, &result->single, sizeof(float)); break;
	case 'x': memcpy(out, &result->extended, 10); break;
	case 'p': out[0] = address_of(host, result->pointer); break;
	default:
		out[0] = (uint64_t)result->integer;
		vm_reveal(out[0]);
		break;
	}
}

void host_call(struct vm_call *call, host_function *function, const char *signature)
{
	assert(function && strlen(signature) >= 2);
	struct host_call host = { .call = call, .letters = signature + 2, .end_index = -1 };
	host.count = (unsigned)strlen(host.letters);
	for (unsigned i = 0; i < host.count && i < MAX_HOST_ARGUMENTS; i++)
		host.slots[i + 1] = host.slots[i] + (host.letters[i] == 'x' ? 2 : 1);
	ffi_cif cif;
	ffi_type *types[MAX_HOST_ARGUMENTS];
	void *values[MAX_HOST_ARGUMENTS], *end_at = &host.end;
	if (host.count > MAX_HOST_ARGUMENTS || host.slots[host.count] > call->count)
		vm_violation(VIOLATION_UNREACHABLE, "%s is called with too few arguments", call->builtin->name);
	for (unsigned i = 0; i < host.count; i++) {
		take_argument(&host, i);
		types[i] = type_of(host.letters[i]);
		values[i] = host.letters[i] == 'e' ? (void *)&end_at : (void *)&host.values[i];
	}
	if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, host.count, type_of(signature[0]), types) != FFI_OK)
		VM_BUG("libffi refuses the signature of %s", call->builtin->name);
	union value result = { 0 };
	errno = 0;
	ffi_call(&cif, function, &result, values);
	int error = errno;
	if (host.end_index >= 0 && host.end) /* strtol leaves it when the base is wrong */
		vm_store64(slot_of(&host, (unsigned)host.end_index), 8, address_of(&host, host.end), ACCESS_WRITE);
	store_result(&host, signature[0], &result);
	if (error)
		vm_set_errno(error);
}

/* Find a function as host_find() does, among the last ones found, by the address of the name. */
static host_function *find_again(const char *name)
{
	static VM_SHARED struct {
		const char *name;
		host_function *function;
	} cache[256];
	unsigned at = (unsigned)((uintptr_t)name / 8 % 256);
	if (cache[at].name != name) {
		cache[at].function = host_find(name);
		cache[at].name = name;
	}
	return cache[at].function;
}

enum vm_outcome run_host(struct vm_call *call)
{
	host_function *function = find_again(call->builtin->name);
	if (!function)
		vm_inconclusive(LIMIT_FUNCTION, "this machine's C library has no %s", call->builtin->name);
	host_call(call, function, call->builtin->data);
	return CALL_DONE;
}

/* Compute (a + bi) op (c + di), in double or float.  The result is a pair. */
enum vm_outcome run_complex(struct vm_call *call)
{
	assert(call->builtin->data[0] == 'm' || call->builtin->data[0] == 'd');
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
