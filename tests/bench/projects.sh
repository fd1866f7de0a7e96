#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Projects of docs/projects.md from their source packages to a verdict: fetched as Debian's deb-src has them, built with
# `bitspin cc`, checked with the harnesses of projects/, and the verdicts compared with those expected.  Then data structures of such
# projects, under bitspin linearize, with the harnesses of structures/.  apt's own configuration is left alone.  Where no deb-src can be reached, all is skipped.
#
#     usage: tests/bench/projects.sh BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1:-}" "tests/bench/projects.sh BITSPIN [FILTER]"
filter=${2:-.}
harness=$root/tests/bench/projects
structures=$root/tests/bench/structures
mirror=${MIRROR:-http://deb.debian.org/debian}
make_scratch
cd "$scratch" || exit 2
mkdir -p lists/partial
printf "deb-src $mirror %s main\n" bookworm trixie >sources.list
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$scratch/sources.list" -o Dir::Etc::sourceparts=/dev/null
	-o "Dir::State::lists=$scratch/lists" -o "Dir::Cache=$scratch/cache" -o APT::Sandbox::User=root -o Acquire::Retries=1)
mkdir -p cache/archives/partial
if ! timeout 120 "${apt[@]}" update >apt.log 2>&1 || grep -q '^[WE]:' apt.log; then
	echo "skipped: no deb-src can be reached at $mirror (MIRROR=URL names another)"
	exit 0
fi

# project NAME PACKAGE=VERSION [PART]: unpack the upstream sources, or those of them whose paths are like PART, into the directory NAME
# and go there; false if it is not asked for, or not there any more.
project()
{
	[[ $1 =~ $filter ]] || return 1
	cd "$scratch" && mkdir "$1" || exit 2
	if ! timeout 300 "${apt[@]}" source --tar-only "$2" >"$1.log" 2>&1; then
		echo "skip $1: $2 cannot be fetched"
		return 1
	fi
	tar xf "$(compgen -G "${2%%=*}_*.orig.tar.*" | grep -v '\.asc$')" -C "$1" --strip-components=1 ${3:+--wildcards "$3"} &&
		cd "$1" || exit 2
	echo "$2"
}

# build COMMAND...: one step of a project's own build.
build() { CC="$bitspin cc" nice "$@" >>"$scratch/build.log" 2>&1 || echo "note: failed: $*"; }

# verdict NAME EXPECTED OPTION...: check, and compare the last line with a pattern.
verdict() { judge check "$@"; }
# calls NAME EXPECTED OPTION...: the same of bitspin linearize.
calls() { judge linearize "$@"; }
judge()
{
	local command=$1 name=$2 expected=$3 last start=$SECONDS
	shift 3
	last=$("$bitspin" "$command" --max-time 300 "$@" 2>&1 | tail -n 1)
	echo "    $((SECONDS - start)) s: ${last:0:150}"
	# shellcheck disable=SC2053
	[[ $last == $expected ]] && result "$name" "" || result "$name" "expected $expected, found $last"
}

if project lz4 lz4=1.10.0-4; then
	cd programs
	build make -f /dev/null CFLAGS='-g -DLZ4IO_MULTITHREAD=1 -I../lib' threadpool.o
	verdict lz4 'verified' -I. "$harness/lz4.c" threadpool.o
fi

if [ ! -e /usr/include/fxdiv.h ]; then
	echo "skip pthreadpool: it needs the package libfxdiv-dev"
elif project pthreadpool pthreadpool=0.0~git20240616.560c60d-1; then
	sources=(src/pthreads.c src/portable-api.c src/memory.c src/fastpath.c)
	for futex in 0 1; do
		verdict "pthreadpool-futex=$futex" 'verified under sequential consistency*' -D_GNU_SOURCE \
			-DPTHREADPOOL_USE_FUTEX=$futex -Iinclude -Isrc "$harness/pthreadpool.c" "${sources[@]}"
	done
fi

if project nanomsg nanomsg; then
	build cmake -B build -DNN_STATIC_LIB=ON -DNN_TESTS=OFF -DNN_TOOLS=OFF -DNN_ENABLE_DOC=OFF -DCMAKE_BUILD_TYPE=Debug
	build make -C build
	verdict nanomsg 'verified for one clock*' --extern '*=refuse' -Isrc "$harness/nanomsg.c" build/libnanomsg.a
fi

if project libmicrohttpd libmicrohttpd=0.9.75-6; then
	build ./configure -q --disable-shared --disable-https --disable-doc --disable-examples --disable-curl
	build make -C src/microhttpd libmicrohttpd.la
	options=(--extern '*=refuse' -Isrc/include "$harness/libmicrohttpd.c" src/microhttpd/.libs/libmicrohttpd.a)
	verdict libmicrohttpd 'violated: data-race at *daemon.c:*.shutdown *' "${options[@]}"
	verdict libmicrohttpd-volatile 'verified *' --races volatile "${options[@]}"
fi

if project libqb libqb=2.0.8-2; then
	build ./configure -q --disable-shared --enable-static
	build make -C lib ringbuffer.lo ringbuffer_helper.lo
	cd lib
	options=(--extern '*=refuse' -DHAVE_CONFIG_H -I../include -I. "$harness/libqb.c" ringbuffer.o ringbuffer_helper.o)
	verdict libqb 'violated: data-race at ringbuffer.c:*' "${options[@]}"
	verdict libqb-volatile 'verified *' --races volatile "${options[@]}"
	verdict libqb-c11 'verified under C11*' --races volatile --memory c11 "${options[@]}"
	calls libqb-ring 'linearizable *' --races volatile --setup 'start()' --thread 'put(1); put(2)' --thread 'get(); get()' \
		"${options[@]/projects\/libqb.c/structures/libqb.c}"
fi

if project ck ck=0.7.1-10; then
	build ./configure
	verdict ck 'verified' -Iinclude "$harness/ck.c"
	alone=(--setup 'start()' --thread 'put_alone(1); put_alone(2)' --thread 'get_alone(); get_alone()' -Iinclude)
	many=(--setup 'start()' --thread 'put(1); get()' --thread 'put(2); get()' -Iinclude)
	calls ck_ring_spsc 'linearizable*' "${alone[@]}" "$structures/ck_ring.c"
	calls ck_ring_mpmc 'violated: not-linearizable *get() returns -1, *' "${many[@]}" "$structures/ck_ring.c"
	calls ck_fifo_spsc 'linearizable*' "${alone[@]}" "$structures/ck_fifo.c"
	calls ck_fifo_mpmc 'linearizable*' "${many[@]}" "$structures/ck_fifo.c"
	calls ck_stack_upmc 'linearizable*' --thread 'push(1); pop()' --thread 'push(2); pop()' -Iinclude "$structures/ck_stack.c"
	calls ck_stack_mpmc 'linearizable*' --races ignore --setup 'push_any(1)' --setup 'push_any(2)' \
		--thread 'pop_any(); pop_any(); push_any(2)' --thread 'pop_any()' -Iinclude "$structures/ck_stack.c"
	calls ck_rwlock 'linearizable*' --thread 'write_lock(); write_unlock()' --thread 'read_lock(); read_unlock(); write_try()' \
		-Iinclude "$structures/ck_locks.c"
	calls ck_ticket 'linearizable*' --thread 'ticket_lock(); ticket_unlock()' --thread 'ticket_try(); ticket_lock()' \
		-Iinclude "$structures/ck_locks.c"
fi

if project wayland wayland=1.21.0-1; then
	build meson setup b -Ddocumentation=false -Dtests=false -Ddtd_validation=false -Ddefault_library=static
	build ninja -C b src/libwayland-client.a src/libwayland-private.a src/libwayland-util.a
	verdict "wayland, two threads and one display" "verified without the environment variable WAYLAND_DEBUG*" -Isrc -Ib/src \
		"$harness/wayland.c" b/src/libwayland-client.a b/src/libwayland-private.a b/src/libwayland-util.a
fi
if project libev libev=1:4.33-1; then
	verdict libev 'violated: data-race at *ev.c:*pipe_write_wanted*' --extern '*=refuse' -w -I. -DEV_STANDALONE=1 -DEV_USE_POLL=1 \
		-DEV_USE_SELECT=0 -DEV_USE_EPOLL=0 -DEV_USE_EVENTFD=0 -DEV_USE_NANOSLEEP=0 "$harness/libev.c"
fi

if project libeio libio-aio-perl=4.80-1; then
	build ./configure -q
	cd libeio
	build "$bitspin" cc -w -g -O2 -I.. -c eio.c
	verdict libeio 'verified' --extern '*=refuse' -I. "$harness/libeio.c" eio.o
fi

if project openssl openssl=3.0.20-1~deb12u2; then
	objects=(crypto/libcrypto-lib-{threads_pthread,mem}.o)
	build ./Configure linux-x86_64 no-asm no-shared no-tests
	build make build_generated
	build make "${objects[@]}"
	verdict openssl 'verified under sequential consistency*' --extern '*=refuse' -Iinclude "$harness/openssl.c" "${objects[@]}"
	verdict openssl-c11 "verified under C11's*" --memory c11 --extern '*=refuse' -Iinclude "$harness/openssl.c" "${objects[@]}"
fi

if project xz xz-utils=5.4.1-1+deb12u1; then
	build ./configure -q --disable-{shared,xz,xzdec,lzmadec,lzmainfo,scripts,doc,assembler,nls}
	build make -C src/liblzma
	verdict xz 'verified for one clock*' --extern '*=refuse' -Isrc/liblzma/api "$harness/xz.c" src/liblzma/.libs/liblzma.a
fi

if project mimalloc mimalloc=2.0.9+ds-2; then
	build cmake -B b -DMI_BUILD_SHARED=OFF -DMI_BUILD_OBJECT=OFF -DMI_BUILD_TESTS=OFF -DMI_OVERRIDE=OFF
	build make -C b mimalloc-static
	verdict mimalloc 'verified under sequential consistency*' --extern '*=refuse' -Iinclude "$harness/mimalloc.c" b/libmimalloc.a
fi

if project rpmalloc llvm-toolchain-19=1:19.1.7-3~deb12u1 '*/lib/Support/rpmalloc/*'; then
	cd llvm/lib/Support/rpmalloc || exit 2
	rpmalloc=(-O1 -D_GNU_SOURCE -DENABLE_OVERRIDE=0 -DENABLE_PRELOAD=0 -I. "$harness/rpmalloc.c" rpmalloc.c)
	verdict rpmalloc "verified under C11's memory model*" --memory c11 -DSIZE=40 "${rpmalloc[@]}"
	verdict rpmalloc-large "verified under sequential consistency*" -DSIZE=3000000 "${rpmalloc[@]}"
	verdict rpmalloc-ends 'violated: data-race at *rpmalloc.c:*' -DSIZE=40 -DENDS "${rpmalloc[@]}"
fi

if [ ! -e /usr/include/pcre2.h ]; then
	echo "skip glib: it needs the package libpcre2-dev"
elif project glib glib2.0=2.74.6-2+deb12u9; then
	build meson setup b --wrap-mode=nodownload -Ddefault_library=static -Dtests=false -Dlibmount=disabled -Dselinux=disabled \
		-Dnls=disabled -Dxattr=false
	build ninja -C b glib/libglib-2.0.a
	verdict glib 'verified under sequential consistency*' --extern '*=refuse' -w -I. -Iglib -Ib -Ib/glib "$harness/glib.c" \
		b/glib/libglib-2.0.a
fi

if project curl curl=7.88.1-10+deb12u15; then
	build ./configure -q --disable-{shared,ldap,manual} --without-{ssl,zlib,brotli,zstd,libpsl,nghttp2,librtmp,libidn2}
	build make -C lib CC="$bitspin cc"
	options=(--extern '*=refuse' -w -Iinclude "$harness/curl.c" lib/.libs/libcurl.a)
	verdict curl 'verified under sequential consistency*for one clock*' -DQUICK=0 "${options[@]}"
	verdict curl-quick 'violated: data-race at *asyn-thread.c:*' -DQUICK=1 "${options[@]}"
	verdict curl-freed 'violated: use-after-free at *asyn-thread.c:*' --races ignore -DQUICK=1 "${options[@]}"
fi

if ! command -v tclsh >/dev/null; then
	echo "skip sqlite: it needs the package tcl"
elif project sqlite sqlite3=3.40.1-2+deb12u2; then
	build ./configure -q --disable-{shared,tcl}
	build make sqlite3.c
	build "$bitspin" cc -w -g -O1 -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -c sqlite3.c
	verdict sqlite 'verified under sequential consistency*for one clock*' --extern '*=refuse' -w -I. "$harness/sqlite.c" sqlite3.o
fi

if project jemalloc jemalloc=5.3.0-1; then
	build ./configure -q --disable-cxx
	build make build_lib_static
	verdict jemalloc 'verified under sequential consistency*for one clock*' --extern '*=refuse' -w -DFLAGS=0 -Iinclude "$harness/jemalloc.c" \
		lib/libjemalloc.a
fi

if project mosquitto mosquitto=2.0.11-1.2+deb12u2; then
	build make -C lib CC="$bitspin cc" WITH_TLS=no WITH_CJSON=no WITH_STATIC_LIBRARIES=yes WITH_SHARED_LIBRARIES=no libmosquitto.a
	verdict mosquitto 'verified for one clock*' --extern '*=refuse' -Iinclude "$harness/mosquitto.c" lib/libmosquitto.a
fi

if project liburcu liburcu=0.13.2-1; then
	build ./configure -q --disable-shared
	options=(--races ignore --setup 'start()' -Iinclude)
	calls urcu_wfcqueue 'linearizable*' "${options[@]}" --thread 'put(1); get()' --thread 'put(2); get()' "$structures/wfcqueue.c" \
		src/wfcqueue.c
	calls urcu_lfstack 'linearizable*' "${options[@]}" --thread 'push(1); pop()' --thread 'push(2); pop()' "$structures/lfstack.c"
	calls urcu_lfstack-unlocked 'violated: not-linearizable *pop_alone() returns -1*' "${options[@]}" --setup 'push(1)' \
		--setup 'push(2)' --thread 'pop_alone(); pop_alone()' --thread 'pop_alone(); push(2)' "$structures/lfstack.c"
	calls urcu_wfstack 'linearizable*' "${options[@]}" --thread 'wfs_push(1); wfs_pop()' --thread 'wfs_push(2); wfs_pop()' \
		"$structures/lfstack.c"
fi

queue=(--setup 'start()' --thread 'put(1); put(2)' --thread 'get(); get()')
if project jack jackd2=1.9.21~dfsg-3; then
	options=("${queue[@]}" -Icommon -Icommon/jack -Iposix "$structures/jack.c")
	calls jack_ring 'violated: data-race at *write_ptr*' "${options[@]}"
	calls jack_ring-sc 'linearizable*' --races ignore "${options[@]}"
fi

if project portaudio portaudio19=19.6.0-1.2; then
	options=("${queue[@]}" -Isrc/common "$structures/portaudio.c")
	calls portaudio_ring 'linearizable *' --races volatile "${options[@]}"
	calls portaudio_ring-tso 'sequentially consistent for x86-TSO*' --races volatile --memory tso --condition sequential "${options[@]}"
fi

if project memcached memcached=1.6.18-1; then
	calls memcached_cache 'linearizable*' -DNDEBUG -I. --setup 'start()' --thread 'take(); give(); take()' --thread 'take(); give()' \
		"$structures/memcached.c"
fi

if project apr apr=1.7.2-3+deb12u1 && apr=$PWD && project apr-util apr-util=1.6.3-1; then
	(cd "$apr" && build ./configure -q --disable-shared && build make libapr-1.la)
	build ./configure -q --with-apr=../apr
	build make misc/apr_queue.lo
	options=(--extern '*=refuse' --setup 'start()' -Iinclude "-I$apr/include" "$structures/apr_queue.c" misc/apr_queue.o
		"$apr/.libs/libapr-1.a")
	calls apr_queue 'linearizable*' --thread 'put(1); try_put(2)' --thread 'get(); try_get()' "${options[@]}"
	calls apr_queue-two-getters 'violated: not-linearizable *get() returns -1, *' --thread 'put(1)' --thread 'get()' \
		--thread 'try_get()' "${options[@]}"
	calls apr_queue-end 'violated: data-race at *apr_queue.c:*' --thread 'end()' --thread 'get()' "${options[@]}"
fi

if [ "$((passed + failed))" = 0 ]; then
	echo "skipped: no project could be fetched"
	exit 0
fi
finish
