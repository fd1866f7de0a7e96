/* SPDX-License-Identifier: MIT */
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE = -2 };
typedef enum { MON = 1, TUE } day;
enum small { LOW, HIGH } __attribute__((packed));
enum bits { ONE = 1, TWO = 2, FOUR = 4 };

enum colour colour, colours[3];
day today;
enum small small;
enum bits bits;
struct {
	const volatile enum colour *p;
	day d : 4;
} s;

int main(void)
{
	colour = BLUE;
	colours[2] = GREEN;
	today = TUE;
	small = HIGH;
	bits = ONE | FOUR;
	s.p = &colours[2];
	s.d = MON;
	assert(!colour); /* HERE */
}
