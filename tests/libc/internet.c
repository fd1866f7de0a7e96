/* SPDX-License-Identifier: MIT
 *
 * arpa/inet.h: addresses as text, also what looks like one and is none.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void show(const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		printf("%02x", ((const unsigned char *)bytes)[i]);
	printf("\n");
}

static void read_all(int family, const char *const *texts)
{
	for (; *texts; texts++) {
		unsigned char bytes[16];
		memset(bytes, 0xee, sizeof bytes);
		printf("%d %s: %d ", family == AF_INET6, *texts, inet_pton(family, *texts, bytes));
		show(bytes, sizeof bytes);
	}
}

static void write_all(void)
{
	/* groups of zero, as bits from the last one on, and what the others are */
	for (unsigned zeros = 0; zeros < 256; zeros++) {
		unsigned char bytes[16];
		char text[INET6_ADDRSTRLEN];
		for (unsigned i = 0; i < 8; i++) {
			bytes[2 * i] = zeros >> i & 1 ? 0 : i == 5 ? 0xff : i;
			bytes[2 * i + 1] = zeros >> i & 1 ? 0 : i == 5 ? 0xff : 0x10 + i;
		}
		printf("%s\n", inet_ntop(AF_INET6, bytes, text, sizeof text));
	}
}

int main(void)
{
	static const char *const v4[] = { "1.2.3.4", "0.0.0.0", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.",
					  "1.2.3.4.5",
					  "01.2.3.4",
					  "1..2.3", "", ".1.2.3.4", "1.2.3.4 ", "0x1.2.3.4", "1.2.3.-4", "00.1.2.3", NULL },
				 *const v6[] = { "::", "::1", "1::", ":", ":::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
						 "1:2:3:4:5:6:7:8:9", "1::2::3", "::ffff:1.2.3.4", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4",
						 "1:2:3:4:5:6:7:1.2.3.4", "12345::", "g::", "1:2", "1:", ":1:2:3:4:5:6:7", "fe80::AbCd",
						 "1:2:3:4:5:6:7:", "1:2:3:4::5:6:7:8", "::1.2.3.4.5", "::1.2.3.4:5", "00001::", "", "1:::2", NULL },
				 *const lax[] = { "1.2.3.4", "1.2.3", "1.2", "1", "0x7f.1", "0177.0.0.1", "4294967295", "4294967296", "1.16777216",
						  "1.2.65536", "1.2.3.256", "1.2.3.4 x", "1.2.3.4x", "", "-1", "1.", " 1", "08", "0x", "1.2.3.4.5",
						  NULL };
	read_all(AF_INET, v4);
	read_all(AF_INET6, v6);
	write_all();
	struct in_addr address;
	for (const char *const *at = lax; *at; at++) {
		memset(&address, 0, sizeof address);
		printf("%s: %d ", *at, inet_aton(*at, &address));
		show(&address, sizeof address);
		printf("%s %x\n", inet_ntoa(address), (unsigned)inet_addr(*at));
	}
	char text[8];
	errno = 0;
	printf("%d %d\n", inet_ntop(AF_INET, &address, text, 8) != NULL, errno);
	address.s_addr = htonl(0x01020304);
	errno = 0;
	printf("%d %d ", inet_ntop(AF_INET, &address, text, 7) != NULL, errno);
	errno = 0;
	printf("%d %d ", inet_ntop(AF_INET, &address, text, 8) != NULL, errno);
	errno = 0;
	printf("%d %d ", inet_ntop(99, &address, text, 8) != NULL, errno);
	errno = 0;
	printf("%d %d\n", inet_pton(99, "1.2.3.4", text), errno);
	return 0;
}
