/* SPDX-License-Identifier: MIT
 *
 * libFuzzer's target for the image loader: whatever bytes an image has, loading it says what is wrong or gives an image that
 * can be printed and run.  The checksum is made right first, or nothing else would be looked at.  Each input is run
 * in a process of its own: a crash there is a check that the loader lacks.
 */
#include "run.h"

#include "../../runtime/state/state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[64], error[4400];
	struct image_header header;
	if (size < sizeof header)
		return 0;
	memcpy(&header, bytes, sizeof header);
	header.checksum = XXH3_64bits(bytes + sizeof header, size - sizeof header);
	int fd = file_of(bytes, size, path);
	if (pwrite(fd, &header, sizeof header, 0) != sizeof header)
		abort();
	if (image_load(&vm_this.image, path, error, sizeof error) == 0) {
		image_print(&vm_this.image, nowhere());
		run_apart();
		image_release(&vm_this.image);
	}
	close(fd);
	return 0;
}
