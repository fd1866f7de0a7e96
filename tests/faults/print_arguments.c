/* SPDX-License-Identifier: MIT
 *
 * Arguments of printf that are not what the format asks for.
 *
 * RUN: check -O0 '-DFORMAT="%ld"' -DARGUMENTS=5
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d"' -DARGUMENTS=5L
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d"' '-DARGUMENTS=sizeof(int)'
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d"' -DARGUMENTS=5.0
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%f"' -DARGUMENTS=5
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%Lf"' -DARGUMENTS=5.0
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%f"' -DARGUMENTS=5.0L
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%s"' -DARGUMENTS=0
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%s"' -DARGUMENTS=text[0]
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%x"' -DARGUMENTS=text
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%lu"' -DARGUMENTS=text
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%p"' -DARGUMENTS=5L
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%n"' -DARGUMENTS=5L
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%*d"' -DARGUMENTS=5L,6
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%*d"' -DARGUMENTS=5
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%.*s"' '-DARGUMENTS=sizeof(text),text'
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d%d"' -DARGUMENTS=5
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d%Lf%d"' -DARGUMENTS=5,5.0L,5L
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%f%d"' -DARGUMENTS=5,5.0
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d%f"' -DARGUMENTS=5.0,5 -DWRAPPED
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%s"' '-DARGUMENTS=whole'
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d"'
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%ld"' -DARGUMENTS=5 -DWRAPPED
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%d%d"' -DARGUMENTS=5 -DWRAPPED
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%s%ld"' -DARGUMENTS=text,5 -DTHREAD
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%2$d"' -DARGUMENTS=5
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%1$d %2$s"' -DARGUMENTS=5,6
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%1$d %1$s"' -DARGUMENTS=5
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%1$d %d"' -DARGUMENTS=5,6
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%1$*2$d"' -DARGUMENTS=5,6L
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%2$d"' -DARGUMENTS=5.0,6
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%lc"' -DARGUMENTS=5L
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%-"' -DARGUMENTS=5
 * EXPECT: violated undefined-call
 * RUN: check -O0 '-DFORMAT="%ls"' -DARGUMENTS=wide
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%2$.4ls"' -DARGUMENTS=5,wide
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%.3s"' -DARGUMENTS=open
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%.*s|%.3ls|%2.1ls"' -DARGUMENTS=2,open,wide,wide
 * EXPECT: verified
 * RUN: check -O0 '-DFORMAT="%ls"' '-DARGUMENTS=(wchar_t*)text'
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 '-DFORMAT="%y"' -DARGUMENTS=5
 * EXPECT: inconclusive: the conversion %y of printf is not modelled
 * RUN: check '-DFORMAT="%2$s %1$d %3$.1f %1$x %4$ls"' '-DARGUMENTS=5,text,2.5,L"w"'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%2$s %3$n %4$Lf"' '-DARGUMENTS=5,text,&n,2.5L' -DWRAPPED
 * EXPECT: verified
 * RUN: check -O0 '-DFORMAT="%ld"' -DARGUMENTS=5 --calls ignore
 * EXPECT: verified
 * RUN: check '-DFORMAT="%d%u%x%c%hhd%hd"' '-DARGUMENTS=5,5u,5,text[0],text[0],(short)7'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%ld%llu%zu%jd%td"' '-DARGUMENTS=5L,5ull,sizeof(int),5L,text-text'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%f%g%lf%Lf%e"' '-DARGUMENTS=5.0f,5.0,5.0,5.0L,5.0'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%d%Lf%s"' '-DARGUMENTS=5,5.0L,text'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%s%p%n%*d%.*s%%"' '-DARGUMENTS=text,(void*)text,&n,5,6,2,text'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%s%p%n%*d%.*s%%"' '-DARGUMENTS=text,(void*)text,&n,5,6,2,text' -DWRAPPED
 * EXPECT: verified
 * RUN: check '-DFORMAT="%d%Lf%f%s%d%d%d%d%Lf%f%n"' '-DARGUMENTS=5,5.0L,5.0,text,6,7,8,9,6.0L,6.0,&n' -DWRAPPED
 * EXPECT: verified
 * RUN: check '-DFORMAT="%d"' '-DARGUMENTS=5,6,7'
 * EXPECT: verified
 * RUN: check '-DFORMAT="%d %s"' '-DARGUMENTS=5,text' -DTHREAD
 * EXPECT: verified
 */
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

static char text[] = "text";
static char open[2] = { 'a', 'b' };
static wchar_t wide[3] = { L'a', L'b', L'c' };
static int n;
static struct { char bytes[40]; } whole;

#ifdef ARGUMENTS
#define ALL FORMAT, ARGUMENTS
#else
#define ALL FORMAT
#endif

/* The first argument is the wrapper's own. */
static void wrapped(int skip, const char *format, ...)
{
	char buffer[200];
	va_list list;
	va_start(list, format);
	if (skip)
		va_arg(list, long);
	sched_yield();
	vsnprintf(buffer, sizeof buffer, format, list); /* ERROR */
	va_end(list);
}

static void *run(void *p)
{
	(void)n, (void)whole, (void)open, (void)wide;
	printf(ALL); /* ERROR */
	return p;
}

int main(void)
{
#if defined WRAPPED
	wrapped(0, ALL);
#elif defined THREAD
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
#else
	run(NULL);
#endif
	return 0;
}
