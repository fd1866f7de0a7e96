#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Projects of docs/projects.md from their source packages to a verdict: fetched as Debian's deb-src has them, built with
# `bitspin cc`, checked with the harnesses of projects/, and the verdicts compared with those expected.  apt's own
# configuration is left alone.  Where no deb-src can be reached, all is skipped.
#
#     usage: tests/bench/projects.sh BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1:-}" "tests/bench/projects.sh BITSPIN [FILTER]"
filter=${2:-.}
harness=$root/tests/bench/projects
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

# project NAME PACKAGE=VERSION: unpack the upstream sources into the directory NAME and go there; false if it is not asked for,
# or not there any more.
project()
{
	[[ $1 =~ $filter ]] || return 1
	cd "$scratch" && mkdir "$1" || exit 2
	if ! timeout 300 "${apt[@]}" source --tar-only "$2" >"$1.log" 2>&1; then
		echo "skip $1: $2 cannot be fetched"
		return 1
	fi
	tar xf "${2%%=*}"_*.orig.tar.* -C "$1" --strip-components=1 && cd "$1" || exit 2
	echo "$2"
}

# build COMMAND...: one step of a project's own build.
build() { CC="$bitspin cc" nice "$@" >>"$scratch/build.log" 2>&1 || echo "note: failed: $*"; }

# verdict NAME EXPECTED OPTION...: check, and compare the last line with a pattern.
verdict()
{
	local name=$1 expected=$2 last start=$SECONDS
	shift 2
	last=$("$bitspin" check --max-time 300 "$@" 2>&1 | tail -n 1)
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
fi

if project ck ck=0.7.1-10; then
	build ./configure
	verdict ck 'verified' -Iinclude "$harness/ck.c"
fi

if [ "$((passed + failed))" = 0 ]; then
	echo "skipped: no project could be fetched"
	exit 0
fi
finish
