/* SPDX-License-Identifier: MIT
 *
 * libFuzzer's target for the translator: bitcode that LLVM calls valid either becomes an image, which the loader then takes and
 * which can be printed and run, or is refused with a message.  mutate.c makes the bitcode.
 */
#include "run.h"

#include "../../runtime/state/state.h"
#include "../../translator/translator.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void load(const char *path)
{
	char error[4400];
	if (image_load(&vm_this.image, path, error, sizeof error) < 0) {
		fprintf(stderr, "the translator made an image that the loader refuses: %s\n", error);
		abort();
	}
	image_print(&vm_this.image, nowhere());
	run_apart();
	image_release(&vm_this.image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char input[64], output[] = "/dev/shm/fuzz.XXXXXX";
	const char *paths[] = { input }, *name = "a.out";
	const struct translator_argument argument = { .values = &name, .count = 1 };
	int fd = file_of(bytes, size, input), image = mkstemp(output);
	if (image < 0)
		abort();
	struct translator_request request = {
		.paths = paths, .npaths = 1, .entry = "main", .arguments = &argument, .narguments = 1,
		.library = getenv("BITSPIN_LIBRARY"), .options = { .deadlock = 1, .max_threads = 8 },
	};
	struct translator_result result;
	if (translator_run(&request, output, &result) == 0) {
		load(output);
	} else if (result.nmessages == 0) {
		fprintf(stderr, "the translator refuses a program without a message\n");
		abort();
	}
	translator_result_release(&result);
	close(fd);
	close(image);
	unlink(output);
	return 0;
}
