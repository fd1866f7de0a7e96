/* SPDX-License-Identifier: MIT
 *
 * What the models of this directory share.  Main creates N threads and joins them in turn (creator.pml), as in the C programs.  A
 * transition is one operation that other threads can notice, with all that follows it up to the next.  Variables are 0 where nobody
 * reads them any more.
 */
byte started, joined;
short ended; /* one bit a thread */

/* for `provided` */
#define RUNS (started > _pid)
#define BIT  (1 << _pid)

/* At the end of a thread: it stays, as pan lets processes die in one order only. */
inline finish()
{
	ended = ended | BIT;
end:	false
}
