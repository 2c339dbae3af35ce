#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds every peer's harness into CACHE/bin (before or after make-data.py).
#
#   build.sh CACHE [--new-vectorscan]
#
# Needs: cargo, gcc, g++, python3 with pip, apt-get (download only, nothing is installed).
# --new-vectorscan also compiles the newest Vectorscan from the crate vectorscan-rs-sys with
# this CPU's instructions (10 minutes on 2 cores; needs cmake, ragel and libboost-dev).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin" "$1/src"
cache=$(cd "$1" && pwd)

mkdir -p "$cache/src/rust" # this folder may be read-only, and cargo writes a lock file
cp -R "$here/rust/." "$cache/src/rust/" && chmod -R u+w "$cache/src/rust"
CARGO_TARGET_DIR="$cache/rust-target" cargo build --release --manifest-path "$cache/src/rust/Cargo.toml"
cp "$cache/rust-target/release/rs-bench" "$cache/bin/"

# Debian's Hyperscan and Vectorscan conflict, so both are unpacked aside.
deb() { # NAME PACKAGE...
	name=$1
	shift
	dir="$cache/src/$name"
	if [ ! -d "$dir/usr" ]; then
		mkdir -p "$dir"
		(cd "$dir" && apt-get download -q "$@" 2>/dev/null && for d in *.deb; do dpkg -x "$d" .; done)
	fi
	lib=$(dirname "$(find "$dir" -name libhs.so.5)")
	gcc -O2 -Wall -Wextra -DNAME="\"$name\"" -I"$dir/usr/include/hs" "$here/hsbench.c" \
		-o "$cache/bin/$name" "$lib/libhs.so.5" -Wl,-rpath,"$lib"
}
deb hyperscan libhyperscan5 libhyperscan-dev
deb vectorscan libvectorscan5 libvectorscan-dev

if [ "${2-}" = --new-vectorscan ]; then
	dir="$cache/src/vectorscan-new"
	mkdir -p "$dir/src"
	printf '[package]\nname="vsnew"\nversion="0.1.0"\nedition="2021"\n[dependencies]\n%s\n' \
		'vectorscan-rs-sys={version="=0.0.6",features=["simd_specialization","cpu_native"]}' \
		> "$dir/Cargo.toml"
	echo 'fn main() {}' > "$dir/src/main.rs"
	(cd "$dir" && CARGO_TARGET_DIR="$dir/target" cargo build --release)
	out=$(dirname "$(find "$dir/target/release/build" -name libhs.a | grep '/out/lib' | head -1)")
	gcc -O2 -Wall -Wextra -DNAME='"vectorscan-new"' -I"$(dirname "$(find "$out/.." -name hs.h | grep include | head -1)")" \
		"$here/hsbench.c" -o "$cache/bin/vectorscan-new" "$out/libhs.a" -lstdc++ -lm
fi

[ -x "$cache/venv/bin/python" ] || python3 -m venv "$cache/venv"
"$cache/venv/bin/pip" install -q --disable-pip-version-check pyahocorasick==2.3.1 ahocorasick_rs==1.0.3
echo "built into $cache/bin"
