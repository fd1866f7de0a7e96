#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What users install: `make` names missing packages and installs none; what `make install` and `make deb` leave works and is complete;
# shells complete commands and options.
#
#     usage: tests/packaging.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
quick_pans
build=$(dirname "$bitspin") llvm=$("$bitspin" --version | sed -n 's/.*(LLVM \([0-9]*\).*/\1/p')
on_make() { make --no-print-directory -C "$root" B="$build" LLVM_CONFIG="llvm-config-$llvm" "$@"; }

# A machine without packages, which notes who wants to install some.
bare_machine()
{
	mkdir -p bin
	printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
	printf '#!/bin/sh\necho "$@" >>%s/installs\n' "$PWD" >bin/apt-get
	chmod +x bin/*
	rm -f installs
}

installs_nothing()
{
	bare_machine
	if PATH=$PWD/bin:$PATH on_make all >out 2>err; then echo 'make went on'; return 1; fi
	grep -q '^these packages are missing: gcc make spin' err && grep -q 'make deps' err && [ ! -e installs ]
}

deps_install()
{
	bare_machine
	[ "$(id -u)" = 0 ] || return 0
	PATH=$PWD/bin:$PATH on_make deps >out 2>err
	grep -q 'install .*spin.*jq' installs
}

installed()
{
	on_make install PREFIX=/usr DESTDIR="$PWD/stage" >out 2>err || { tail -n 1 err; return 1; }
	bitspin=$PWD/stage/usr/bin/bitspin
	run 1 check "$root/examples/queue.c" && last 'violated: assertion at *' && says 'runs between' &&
		run 0 explain deadlock && says '^Repair: '
	local status=$?
	on_make uninstall PREFIX=/usr DESTDIR="$PWD/stage" >out 2>err
	bitspin=$build/bitspin
	equal 'files left' "$(find stage -type f -o -type l | wc -l)" 0 && return $status
}

package()
{
	DEBEMAIL=nobody@debian.org on_make deb >out 2>err || { tail -n 1 err; return 1; }
	local deb
	deb=$root/$(tail -n 1 out)
	dpkg-deb -c "$deb" >content
	for path in bin/bitspin lib/bitspin/libbitspin-vm.a lib/bitspin/bitspin-drive share/bitspin/libc.bc share/bitspin/kinds/deadlock.txt \
		share/man/man1/bitspin.1.gz share/bash-completion/completions/bitspin share/doc/bitspin/copyright include/bitspin.h; do
		grep -q " \./usr/$path" content || { echo "no $path"; return 1; }
	done
	dpkg-deb -f "$deb" Depends | grep -q "spin.*clang-$llvm" && dpkg-deb -f "$deb" Depends | grep -q libc6
}

# bash_offers EXPECTED WORD...: what bash offers for the last word
bash_offers()
{
	local expected=$1
	shift
	"$bitspin" completion bash >c.bash
	equal offered "$(bash -c 'compopt() { :; }; . ./c.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bitspin; echo "${COMPREPLY[*]}"' \
		bash "$@")" "$expected"
}

# Each option of the help text is offered, and no other.
all_options()
{
	for command in check generate compare replay audit; do
		"$bitspin" completion bash >c.bash
		"$bitspin" help "$command" | grep -oE -- '^ .{5}--[a-z-]+|^  -.,  ?--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -v -- '--usage' | sort -u >listed
		bash -c 'compopt() { :; }; . ./c.bash; COMP_WORDS=(bitspin '"$command"' --); COMP_CWORD=2; _bitspin; printf "%s\n" "${COMPREPLY[@]%=}"' |
			sort -u >offered
		echo --help | sort -u -o listed - listed
		diff listed offered || return 1
	done
}

# zsh, as at a keyboard: the word is completed.
zsh_completes()
{
	"$bitspin" completion zsh >_bitspin
	cat >z.zsh <<-'Z'
		zmodload zsh/zpty
		zpty z zsh -f -i
		zpty -w z "PS1='> '; autoload -U compinit; compinit -u -D; source ./_bitspin; echo REA''DY"
		zpty -r -m z out '*READY*'
		zpty -w -n z "bitspin ${3-check} $1"$'\t'
		zpty -r -m z out "*$2*" && print found
	Z
	equal zsh "$(timeout 20 zsh -f z.zsh "$@")" found
}

no_shell() { run 2 completion fish; grep -q 'bash completion\|completion bash' err; }

ok installs-nothing installs_nothing
ok deps-install deps_install
ok installed installed
ok package package
ok bash-command bash_offers 'check' bitspin ch
ok bash-option bash_offers '--races=' bitspin check --ra
ok bash-word bash_offers 'report' bitspin check --races = re
ok bash-file bash_offers 'content' bitspin check --json = cont
ok bash-kind bash_offers 'data-race' bitspin explain data
ok bash-all all_options
ok zsh-option zsh_completes --hidd hidden-pointers
ok zsh-kind zsh_completes deadl deadlock explain
ok zsh-word zsh_completes --fairness=str strong
ok no-shell no_shell
finish
