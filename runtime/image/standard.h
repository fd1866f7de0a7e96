/* SPDX-License-Identifier: MIT
 *
 * Standard descriptors that the caller has closed.  The next file that is opened would get the number of one, and be written to as
 * if it were standard output, or be lost to a child.  So each main() begins by opening /dev/null in their place.
 */
#ifndef BITSPIN_STANDARD_H
#define BITSPIN_STANDARD_H

#include <fcntl.h>
#include <stdlib.h>

static inline void image_open_standard(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
			abort(); /* open() takes the lowest number that is free: this one */
}

#endif
