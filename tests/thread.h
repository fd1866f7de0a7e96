/* SPDX-License-Identifier: MIT
 *
 * The function of a thread that does what a RUN line says.
 */
#ifndef TESTS_THREAD_H
#define TESTS_THREAD_H

#define THREAD(name, ...) \
	static void *name(void *unused) \
	{ \
		__VA_ARGS__; \
		return unused; \
	}

#endif
