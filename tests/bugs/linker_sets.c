/* SPDX-License-Identifier: MIT
 *
 * Variables of one section, between __start_NAME and __stop_NAME.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DBEHIND
 * EXPECT: violated out-of-bounds
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

struct command {
	const char *name;
	int (*run)(int);
};

static int add_one(int x)
{
	return x + 1;
}

static int twice(int x)
{
	return 2 * x;
}

#define COMMAND(function) \
	static const struct command command_##function __attribute__((section("commands"), used)) = { #function, function }
COMMAND(add_one);
COMMAND(twice);
extern const struct command __start_commands[], __stop_commands[];

static char small __attribute__((section("mixed"))) = 1;
static int64_t large __attribute__((section("mixed"))) = 2;
extern char __start_mixed[], __stop_mixed[];

extern int __start_none[] __attribute__((weak)), __stop_none[] __attribute__((weak));

int main(void)
{
	int value = 5;
	for (const struct command *c = __start_commands; c < __stop_commands; c++)
		value = c->run(value);
	assert(value == 12 && __stop_commands - __start_commands == 2);
	assert(strcmp(__start_commands[1].name, "twice") == 0 && command_add_one.run == add_one);
	small++;
	large++;
	assert(__start_mixed[0] == 2 && __stop_mixed - __start_mixed == 16 && ((int64_t *)__stop_mixed)[-1] == 3);
	assert(__start_none == __stop_none);
#ifdef BEHIND
	return __stop_mixed[0]; /* ERROR */
#endif
	return 0;
}
