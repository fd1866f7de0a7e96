#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A Debian package of what `make install` installs, as build/bitspin_VERSION_ARCHITECTURE.deb.
#
# The maintainer is who builds it: DEBFULLNAME and DEBEMAIL, as Debian's tools have it, or git's user.name and user.email.
#
#     usage: .packaging/deb.sh BITSPIN VERSION LLVM
set -eu
bitspin=$1 version=$2 llvm=$3
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mail=${DEBEMAIL:-$(git config user.email || true)}
if [ -z "$mail" ]; then
	echo "set DEBEMAIL to the mail address of the package's maintainer" >&2
	exit 2
fi
maintainer="${DEBFULLNAME:-$(git config user.name || echo "The builder of bitspin")} <$mail>"
architecture=$(dpkg --print-architecture)
stage=$root/build/deb/bitspin
rm -rf build/deb
make --no-print-directory install PREFIX=/usr DESTDIR="$stage" LLVM_CONFIG="llvm-config-$llvm" >/dev/null
strip --strip-unneeded --remove-section=.comment --remove-section=.note \
	"$stage"/usr/bin/bitspin "$stage"/usr/bin/bitspin-image "$stage"/usr/lib/bitspin/bitspin-drive
strip --strip-debug "$stage"/usr/lib/bitspin/*.a
gzip -9n "$stage"/usr/share/man/man*/*
for name in bitspin-image bitspin-cc; do # pages of their own that they do not need
	[ -e "$stage/usr/share/man/man1/$name.1.gz" ] || ln -s bitspin.1.gz "$stage/usr/share/man/man1/$name.1.gz"
done
find "$stage" -type f -path '*/share/*' -exec chmod 644 {} +

doc=$stage/usr/share/doc/bitspin
install -d "$doc" "$stage/DEBIAN"
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: bitspin\n\nFiles: *\n'
	printf 'Copyright: %s\nLicense: MIT\n' "$(sed -nE 's/^Copyright \(c\) //p' LICENSE)"
	sed -n '/^Permission/,$p' LICENSE | sed -e 's/^$/./' -e 's/^/ /'
} >"$doc/copyright"
gzip -9nc CHANGES >"$doc/changelog.gz"
cp README.md "$doc"
gzip -9n "$doc/README.md"
{
	printf 'bitspin (%s) unstable; urgency=medium\n\n  * See changelog.gz.\n\n' "$version"
	printf ' -- %s  %s\n' "$maintainer" "$(git log -1 --format=%cD 2>/dev/null || date -R)"
} | gzip -9n >"$doc/changelog.Debian.gz"

# What the binaries are linked with, and what bitspin runs: pan is compiled and linked at each first check.
mkdir -p build/deb/debian
printf 'Source: bitspin\n\nPackage: bitspin\nArchitecture: any\n' >build/deb/debian/control
libraries=$(cd build/deb && dpkg-shlibdeps -O --ignore-missing-info bitspin/usr/bin/bitspin bitspin/usr/bin/bitspin-image \
	bitspin/usr/lib/bitspin/bitspin-drive bitspin/usr/lib/bitspin/libbitspin-sat.so 2>/dev/null | sed 's/^shlibs:Depends=//')
cat >"$stage/DEBIAN/control" <<CONTROL
Package: bitspin
Version: $version
Section: devel
Priority: optional
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Depends: $libraries, spin, clang-$llvm, gcc | c-compiler, libc6-dev, libffi-dev, libjansson-dev
Recommends: gdb
Suggests: graphviz, gnuplot-nox
Description: model checker for multi-threaded C programs
 bitspin explores every schedule of a multi-threaded C program: every order in
 which its threads can take turns. It says whether any of them fails an
 assertion, deadlocks, races or corrupts memory, and shows the schedule that is
 easiest to follow. It also checks formulas of linear temporal logic.
 .
 clang translates the program to LLVM bitcode, and the verifiers that SPIN makes
 drive the search.
CONTROL
(cd "$stage" && find usr -type f -exec md5sum {} + | sort -k2 >DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz --build "$stage" "build/bitspin_${version}_$architecture.deb" >/dev/null
echo "build/bitspin_${version}_$architecture.deb"
