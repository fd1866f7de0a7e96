/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int fcntl64(int, int, ...);

static int a[2];

static void say(const char *what, long result)
{
	int error = errno;
	printf("%s: %ld", what, result);
	if (result < 0)
		printf(" %s", strerror(error));
	putchar('\n');
}

static void pipes(void)
{
	char buffer[20] = "";
	struct stat st;
	say("pipe", pipe(a));
	printf("%d %d\n", a[0] >= 3, a[1] > a[0]);
	say("write", write(a[1], "hello", 5));
	say("write nothing", write(a[1], "", 0));
	say("read", read(a[0], buffer, 3));
	say("write", write(a[1], "!", 1));
	say("read", read(a[0], buffer + 3, 10));
	puts(buffer);
	say("read from the wrong end", read(a[1], buffer, 1));
	say("write to the wrong end", write(a[0], buffer, 1));
	say("seek", lseek(a[0], 0, SEEK_SET));
	say("isatty", isatty(a[0]));
	say("stat", fstat(a[0], &st));
	printf("%d\n", S_ISFIFO(st.st_mode));
	say("flags", fcntl(a[0], F_GETFL));
	say("flags", fcntl64(a[1], F_GETFL));
	say("set", fcntl(a[0], F_SETFL, O_NONBLOCK));
	say("flags", fcntl(a[0], F_GETFL));
	say("read from an empty one", read(a[0], buffer, 1));
	say("descriptor flags", fcntl(a[0], F_GETFD));
	fcntl(a[0], F_SETFD, FD_CLOEXEC);
	say("descriptor flags", fcntl(a[0], F_GETFD));
	int off = 0;
	say("ioctl", ioctl(a[0], FIONBIO, &off));
	say("flags", fcntl(a[0], F_GETFL));
	say("fcntl of nothing", fcntl(50, F_GETFL));
}

static void names(void)
{
	char buffer[4];
	int d = dup(a[1]);
	say("dup of nothing", dup(50));
	say("dup2 of nothing", dup2(50, 20));
	say("dup2", dup2(a[1], 20));
	say("dup3", dup3(a[1], 21, O_CLOEXEC));
	say("flags", fcntl(21, F_GETFD));
	say("dup3 to itself", dup3(21, 21, 0));
	say("at least", fcntl(a[1], F_DUPFD, 30));
	say("at least", fcntl(a[1], F_DUPFD_CLOEXEC, 30));
	close(a[1]);
	close(20);
	close(21);
	close(30);
	close(31);
	say("write to a copy", write(d, "x", 1));
	close(d);
	say("write to a closed one", write(d, "x", 1));
	say("read", read(a[0], buffer, 4));
	say("read at the end", read(a[0], buffer, 4));
	say("close", close(a[0]));
	say("close again", close(a[0]));
	say("read a closed one", read(a[0], buffer, 4));
	signal(SIGPIPE, SIG_IGN);
	say("pipe2", pipe2(a, O_NONBLOCK | O_CLOEXEC));
	close(a[0]);
	say("broken", write(a[1], "x", 1));
	struct pollfd p = { a[1], POLLOUT, 0 };
	say("poll", poll(&p, 1, 0));
	printf("%d\n", p.revents == (POLLOUT | POLLERR));
	close(a[1]);
}

static void sockets(void)
{
	char x[3] = "", y[8] = "";
	struct iovec parts[2] = { { (void *)"ab", 2 }, { (void *)"cde", 3 } }, into[2] = { { x, 2 }, { y, 8 } };
	say("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, a));
	say("writev", writev(a[0], parts, 2));
	say("readv", readv(a[1], into, 2));
	printf("%s %s\n", x, y);
	say("send", send(a[1], "back", 4, MSG_NOSIGNAL));
	say("recv", recv(a[0], y, 8, MSG_DONTWAIT));
	say("recv", recv(a[0], y, 8, MSG_DONTWAIT));
	struct iovec one = { y, 8 };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 }, reply = { .msg_iov = &one, .msg_iovlen = 1 };
	say("sendmsg", sendmsg(a[1], &message, MSG_NOSIGNAL));
	say("recvmsg", recvmsg(a[0], &reply, MSG_DONTWAIT));
	printf("%.5s %d %zu\n", y, reply.msg_flags, reply.msg_controllen);
	say("recvmsg", recvmsg(a[0], &reply, MSG_DONTWAIT));
	say("sendmsg to a file", sendmsg(0, &message, 0));
	say("send to a file", send(0, "x", 1, 0));
	struct pollfd p[3] = { { a[0], POLLIN | POLLOUT, 0 }, { -1, POLLIN, 0 }, { 49, POLLIN, 0 } };
	say("poll", poll(p, 3, 0));
	printf("%d %d %d\n", p[0].revents == POLLOUT, p[1].revents, p[2].revents == POLLNVAL);
	close(a[1]);
	say("poll", poll(p, 1, -1));
	printf("%d\n", p[0].revents == (POLLIN | POLLOUT | POLLHUP));
	say("read", read(a[0], y, 1));
	say("send", send(a[0], "x", 1, MSG_NOSIGNAL));
	close(a[0]);
	writev(1, parts, 2);
	putchar('\n');
}

static void counters(void)
{
	uint64_t value = 0;
	int e = eventfd(3, EFD_NONBLOCK), s = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE);
	say("write", eventfd_write(e, 4));
	say("read", read(e, &value, 8));
	printf("%lu\n", (unsigned long)value);
	say("read", read(e, &value, 8));
	say("short", read(e, &value, 4));
	value = UINT64_MAX;
	say("too much", write(e, &value, 8));
	say("read", eventfd_read(s, &value));
	say("read", eventfd_read(s, &value));
	say("read", eventfd_read(s, &value));
	printf("%lu\n", (unsigned long)value);
	fd_set reads, writes;
	struct timeval now = { 0, 0 };
	FD_ZERO(&reads);
	FD_ZERO(&writes);
	FD_SET(s, &reads);
	FD_SET(s, &writes);
	say("select", select(s + 1, &reads, &writes, NULL, &now));
	printf("%d %d\n", FD_ISSET(s, &reads), FD_ISSET(s, &writes));
	FD_SET(43, &reads);
	say("select", select(44, &reads, NULL, NULL, &now));
	close(e);
	close(s);
}

static void sets(void)
{
	struct epoll_event e = { .events = EPOLLIN, .data.u32 = 7 }, got[4];
	int set = epoll_create1(0), other = epoll_create(1), c = eventfd(0, 0);
	say("create", epoll_create(0));
	say("add", epoll_ctl(set, EPOLL_CTL_ADD, c, &e));
	say("add again", epoll_ctl(set, EPOLL_CTL_ADD, c, &e));
	say("change", epoll_ctl(set, EPOLL_CTL_MOD, other, &e));
	say("add itself", epoll_ctl(set, EPOLL_CTL_ADD, set, &e));
	say("add nothing", epoll_ctl(set, EPOLL_CTL_ADD, 50, &e));
	say("to a counter", epoll_ctl(c, EPOLL_CTL_ADD, set, &e));
	say("nothing yet", epoll_wait(set, got, 4, 0));
	eventfd_write(c, 1);
	say("wait", epoll_wait(set, got, 4, -1));
	printf("%d %u\n", got[0].events == EPOLLIN, got[0].data.u32);
	e.data.u32 = 9;
	say("a set in a set", epoll_ctl(other, EPOLL_CTL_ADD, set, &e));
	say("wait", epoll_pwait(other, got, 4, -1, NULL));
	printf("%u\n", got[0].data.u32);
	e.events = EPOLLIN | EPOLLOUT | EPOLLONESHOT;
	epoll_ctl(set, EPOLL_CTL_MOD, c, &e);
	say("wait", epoll_wait(set, got, 4, -1));
	printf("%d\n", got[0].events == (EPOLLIN | EPOLLOUT));
	say("one shot", epoll_wait(set, got, 4, 0));
	say("none", epoll_wait(set, got, 0, 0));
	say("delete", epoll_ctl(set, EPOLL_CTL_DEL, c, NULL));
	say("delete again", epoll_ctl(set, EPOLL_CTL_DEL, c, NULL));
	e.events = EPOLLIN;
	epoll_ctl(set, EPOLL_CTL_ADD, c, &e);
	close(c);
	say("closed", epoll_wait(set, got, 4, 0));
	close(set);
	say("no set", epoll_wait(set, got, 4, 0));
	say("process", syscall(SYS_getpid) == getpid());
}

static void shut_down(void)
{
	char buffer[20] = "";
	struct pollfd p[2];
	signal(SIGPIPE, SIG_IGN);
	say("pair", socketpair(AF_UNIX, SOCK_STREAM, 0, a));
	say("shut nothing", shutdown(50, SHUT_WR));
	say("shut a file", shutdown(0, SHUT_WR));
	say("shut in no way", shutdown(a[0], 7));
	say("write", write(a[1], "ab", 2));
	say("shut for writing", shutdown(a[1], SHUT_WR));
	say("write", write(a[1], "c", 1));
	say("read what is left", read(a[0], buffer, 10));
	say("read the end", read(a[0], buffer, 10));
	say("write the other way", write(a[0], "d", 1));
	for (int i = 0; i < 2; i++)
		p[i] = (struct pollfd){ a[i], POLLIN | POLLOUT | POLLRDHUP, 0 };
	say("poll", poll(p, 2, 0));
	printf("%x %x\n", (unsigned)p[0].revents, (unsigned)p[1].revents);
	say("shut for reading", shutdown(a[1], SHUT_RD));
	say("write", write(a[0], "e", 1));
	say("read what is left", read(a[1], buffer, 10));
	say("read the end", read(a[1], buffer, 10));
	say("poll", poll(p, 2, 0));
	printf("%x %x\n", (unsigned)p[0].revents, (unsigned)p[1].revents);
	close(a[0]);
	say("shut alone", shutdown(a[1], SHUT_RDWR));
	close(a[1]);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	pipes();
	names();
	sockets();
	counters();
	sets();
	shut_down();
	return 0;
}
