/* SPDX-License-Identifier: MIT
 *
 * Structs by value: in registers, on the stack (byval), returned through memory (sret), nested, with floats.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>

struct small { int a; short b; };
struct two { long a; double b; };
struct floats { float x, y, z; };
struct large { int v[20]; };
struct nested { struct small s; struct floats f; char tail; };
struct odd { char c[7]; };
struct empty { int unused[0]; };

__attribute__((noinline)) static struct small swap(struct small s) { return (struct small){s.b, (short)s.a}; }
__attribute__((noinline)) static struct two add(struct two x, struct two y)
{
	return (struct two){x.a + y.a, x.b + y.b};
}

__attribute__((noinline)) static struct floats scale(struct floats f, float k)
{
	return (struct floats){f.x * k, f.y * k, f.z * k};
}

__attribute__((noinline)) static struct odd rotate(struct odd o)
{
	char first = o.c[0];
	for (int i = 0; i < 6; i++)
		o.c[i] = o.c[i + 1];
	o.c[6] = first;
	return o;
}

__attribute__((noinline)) static struct large fill(struct large l, int k)
{
	for (int i = 0; i < 20; i++)
		l.v[i] += i * k;
	return l;
}

__attribute__((noinline)) static int sum(struct large a, int k, struct large b)
{
	int s = 0;
	for (int i = 0; i < 20; i++)
		s += a.v[i] - k * b.v[i];
	a.v[0] = b.v[0] = 99;
	return s;
}

int main(void)
{
	struct small s = swap((struct small){3, 4});
	assert(s.a == 4 && s.b == 3);
	struct two t = add((struct two){1, 0.5}, (struct two){2, 0.25});
	assert(t.a == 3 && t.b == 0.75);
	struct floats f = scale((struct floats){1, 2, 3}, 2);
	assert(f.x == 2 && f.y == 4 && f.z == 6);
	struct odd o = rotate((struct odd){"abcdef"});
	assert(o.c[0] == 'b' && o.c[6] == 'a' && o.c[5] == 0);
	struct large zero = {0}, one = fill(zero, 1), three = fill(one, 2);
	assert(one.v[19] == 19 && three.v[19] == 57 && zero.v[19] == 0);
	assert(sum(three, 3, one) == 0 && three.v[0] == 0 && sum(three, 2, one) == 190);
	struct nested n = {{1, 2}, {3, 4, 5}, 6}, m;
	m = n;
	m.f = scale(m.f, 10);
	assert(n.f.z == 5 && m.f.z == 50 && m.tail == 6 && m.s.b == 2);
	assert(fill(three, 1).v[1] == 4);
	return 0;
}
