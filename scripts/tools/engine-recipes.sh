# engine-recipes.sh: how an engine is built from its sources; sourced by engine.sh, which
# runs one function in the sources' directory, with $name, $version, $out (include/ and lib/ are
# there), $work, $jobs, $compiler, which is that of C, and $flags to be added to.
# shellcheck shell=sh disable=SC2154,SC2034 # variables of engine.sh

# recipe_shared LIBRARY "LIBRARIES" SOURCE...: compile each with $flags and link them, as many at
# a time as there are CPUs
recipe_shared () {
	library=$1 with=$2
	shift 2
	mkdir -p "$work/objects"
	export compiler flags work
	printf '%s\n' "$@" | xargs -P "$jobs" -I '{}' sh -euc '
		$compiler $flags -fPIC -c "$1" -o "$work/objects/$(echo "$1" | tr / _).o"' \
		sh '{}' || return
	# shellcheck disable=SC2086
	$compiler -shared -Wl,-soname,"$library" "$work"/objects/*.o $with \
		-pthread -o "$out/lib/$library"
}

# recipe_without PATTERN FILE...: those that the pattern of grep does not match
recipe_without () {
	pattern=$1
	shift
	printf '%s\n' "$@" | grep -v -e "$pattern"
}

# recipe_crc32c_header: what LevelDB includes of the library crc32c, which Debian has not got, by
# the CPU's instruction
recipe_crc32c_header () {
	mkdir -p "$work/include/crc32c"
	cat >"$work/include/crc32c/crc32c.h" <<-'END'
		#include <cstddef>
		#include <cstdint>
		#include <cstring>
		#if defined(__x86_64__)
		#define CRC32C_TARGET "sse4.2"
		#define CRC32C_8(crc, word) __builtin_ia32_crc32di(crc, word)
		#define CRC32C_1(crc, byte) __builtin_ia32_crc32qi(crc, byte)
		#else
		#define CRC32C_TARGET "+crc"
		#define CRC32C_8(crc, word) __builtin_aarch64_crc32cx(crc, word)
		#define CRC32C_1(crc, byte) __builtin_aarch64_crc32cb(crc, byte)
		#endif
		namespace crc32c {
		__attribute__((target(CRC32C_TARGET))) inline uint32_t
		Extend(uint32_t crc, const uint8_t *data, size_t size)
		{
			uint64_t word;
			uint32_t c = ~crc;

			for (; size >= 8; size -= 8, data += 8) {
				memcpy(&word, data, 8);
				c = (uint32_t)CRC32C_8(c, word);
			}
			for (; size; size--)
				c = CRC32C_1(c, *data++);
			return ~c;
		}
		}
	END
}

# recipe_cmake TARGET OPTION...: builds it in $work/cmake, as a release with frame pointers
recipe_cmake () {
	target=$1 flags=-fno-omit-frame-pointer
	shift
	cmake -S . -B "$work/cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$flags" "$@" &&
		cmake --build "$work/cmake" --target "$target" -j "$jobs" || return
	flags="as its Release, $flags"
}

# whether instructions of SSE 4.2 and carry-less multiplication can be asked of the compiler
recipe_sse42 () {
	[ "$(uname -m)" != x86_64 ] || echo '-msse4.2 -mpclmul'
}

build_lmdb () {
	cp lmdb.h "$out/include"
	recipe_shared liblmdb.so '' mdb.c midl.c
}

build_hiredis () {
	mkdir "$out/include/hiredis"
	cp ./*.h "$out/include/hiredis"
	recipe_shared libhiredis.so '' alloc.c async.c hiredis.c net.c read.c sds.c
}

build_sqlite () {
	flags="$flags -DSQLITE_THREADSAFE=1 -DSQLITE_DQS=0"
	cp sqlite3.h "$out/include"
	recipe_shared libsqlite3.so '-lm -ldl' sqlite3.c
}

build_leveldb () {
	compiler=${CXX:-c++}
	flags="$flags -std=c++11 -Iinclude -I. -DLEVELDB_PLATFORM_POSIX=1 -DLEVELDB_COMPILE_LIBRARY
		-DHAVE_SNAPPY=1 -DHAVE_FDATASYNC=1 -DHAVE_FULLFSYNC=0 -DHAVE_O_CLOEXEC=1"
	mkdir -p include/port
	: >include/port/port_config.h
	flags=$(echo "$flags" | tr -s '\n\t' ' ')
	case $(uname -m) in
	x86_64 | aarch64)
		recipe_crc32c_header
		flags="$flags -DHAVE_CRC32C=1 -I$work/include"
		;;
	esac
	cp -r include/leveldb "$out/include"
	# shellcheck disable=SC2046
	recipe_shared libleveldb.so \
		-lsnappy $(recipe_without '_test[.]cc\|testutil\|leveldbutil\|windows' db/*.cc \
		table/*.cc util/*.cc)
}

build_hyper () {
	compiler=${CXX:-c++}
	flags="$flags -w -fno-builtin-memcmp -I../leveldb-hyper-conf/linux -Iinclude -I. \
-DHAVE_CONFIG_H=1 -DSNAPPY=1 -DOS_LINUX=1 -DLEVELDB_PLATFORM_POSIX=1"
	mkdir "$out/include/leveldb"
	cp hyperleveldb/*.h "$out/include/leveldb"
	# shellcheck disable=SC2046
	recipe_shared libleveldb.so \
		-lsnappy $(recipe_without '_test[.]cc\|test[a-z]*[.]cc\|db_bench\|_main' \
		db/*.cc table/*.cc util/*.cc port/port_posix.cc)
}

# One of its functions is declared in C++, which no program here calls.
build_basho () {
	compiler=${CXX:-c++}
	flags="$flags -w -std=c++11 -fno-builtin-memcmp -Iinclude -I. -DSNAPPY=1 -DOS_LINUX=1 \
-DLEVELDB_PLATFORM_POSIX=1"
	cp -r include/leveldb "$out/include"
	sed -i '/const int & type, const uint64_t & expiry/s/ & \(type\|expiry\)/ *\1/g' \
		"$out/include/leveldb/c.h"
	set -- db/*.cc table/*.cc util/*.cc leveldb_os/*.cc util/*.c port/port_posix.cc
	# shellcheck disable=SC2046
	recipe_shared libleveldb.so \
		-lsnappy $(recipe_without '[*]\|_test[.]cc\|test[a-z]*[.]cc\|db_bench\|_main' "$@")
}

# Before it took cmake.
build_old_wiredtiger () {
	flags="$flags -w"
	sh autogen.sh && cd build_posix && CFLAGS="$flags" ../configure --disable-static \
		--enable-shared &&
		make -j "$jobs" libwiredtiger.la || return
	cp wiredtiger.h "$out/include"
	cp -P .libs/libwiredtiger*.so* "$out/lib"
	[ -e "$out/lib/libwiredtiger.so" ] ||
		ln -s libwiredtiger-*.so "$out/lib/libwiredtiger.so"
}

build_wiredtiger () {
	if [ ! -e CMakeLists.txt ]
	then
		build_old_wiredtiger
		return
	fi
	recipe_cmake wiredtiger_shared -DENABLE_STRICT=0 -DHAVE_DIAGNOSTIC=0 -DENABLE_STATIC=0 \
		-DENABLE_SHARED=1 -DENABLE_PYTHON=0 -DHAVE_UNITTEST=0 \
		-DCMAKE_C_FLAGS='-Wno-error -fno-omit-frame-pointer' \
		-DCMAKE_CXX_FLAGS='-Wno-error -fno-omit-frame-pointer' || return
	cp "$work/cmake/include/wiredtiger.h" "$out/include"
	cp -P "$work"/cmake/libwiredtiger.so* "$out/lib"
}

build_rocksdb () {
	flags="$flags $(recipe_sse42)"
	[ ! -e ../build_version.cc ] || [ -e util/build_version.cc ] ||
		cp ../build_version.cc util
	make -j "$jobs" DEBUG_LEVEL=0 PORTABLE=1 DISABLE_WARNING_AS_ERROR=1 \
		EXTRA_CXXFLAGS="-fno-omit-frame-pointer $(recipe_sse42)" \
		EXTRA_CFLAGS="-fno-omit-frame-pointer $(recipe_sse42)" \
		ROCKSDB_DISABLE_JEMALLOC=1 ROCKSDB_DISABLE_TCMALLOC=1 shared_lib || return
	cp -r include/rocksdb "$out/include"
	cp -P librocksdb.so* "$out/lib"
}

# The library of the release for Java is a whole RocksDB with the C interface, and comes
# without its header.
build_rocksjar () {
	case $(uname -m) in
	x86_64) machine=linux64 ;;
	*) machine=linux-$(uname -m) ;;
	esac
	! ldd --version 2>&1 | grep -q musl || machine=$machine-musl
	cp "librocksdbjni-$machine.so" "$out/lib/librocksdb.so" || return
	header=$(pkg-config --variable=includedir rocksdb 2>/dev/null || :)
	mkdir "$out/include/rocksdb"
	cp "${header:-/usr/include}/rocksdb/c.h" "$out/include/rocksdb" || return
	flags="as released, without symbols if it is stripped; header of librocksdb-dev \
$(dpkg-query -W -f '${Version}' librocksdb-dev)"
	compiler=
}

build_bdb () {
	# gcc has a function of that name now
	sed -i 's/__atomic_compare_exchange/__db_&/' src/dbinc/atomic.h
	cd build_unix &&
		CFLAGS="$flags -w -std=gnu89" ../dist/configure --disable-static \
		--enable-shared --disable-replication --disable-cxx --disable-java \
			--disable-tcl --disable-sql &&
		make -j "$jobs" libdb-5.3.la || return
	flags="$flags -w -std=gnu89"
	cp db.h "$out/include"
	cp -P .libs/libdb*.so "$out/lib"
	ln -sf libdb-5.3.so "$out/lib/libdb.so"
}

build_kyoto () {
	compiler=${CXX:-c++}
	sed -i 's/-march=native//' configure
	CFLAGS="$flags" CXXFLAGS="$flags -w -std=gnu++11" ./configure --disable-static &&
		make -j "$jobs" libkyotocabinet.so || return
	flags="$flags -std=gnu++11"
	cp kclangc.h "$out/include"
	cp -P libkyotocabinet.so* "$out/lib"
}

# Without the check, at each call, that a transaction is used by the thread that began it.
build_mdbx () {
	flags="$flags -std=gnu11 -DMDBX_BUILD_SHARED_LIBRARY=1 -DLIBMDBX_EXPORTS=1 \
-DMDBX_TXN_CHECKOWNER=0 -DMDBX_BUILD_FLAGS=\"-O2\""
	cp mdbx.h "$out/include"
	recipe_shared libmdbx.so '' mdbx.c
}

build_tidesdb () {
	recipe_cmake tidesdb -DBUILD_SHARED_LIBS=ON -DTIDESDB_BUILD_TESTS=OFF \
		-DTIDESDB_BUILD_BENCH=OFF -DTIDESDB_BUILD_FUZZERS=OFF -DTIDESDB_WARN_STRICT=OFF \
		-DTIDESDB_WITH_SNAPPY=ON -DTIDESDB_WITH_LZ4=ON -DTIDESDB_WITH_ZSTD=ON || return
	mkdir "$out/include/tidesdb"
	cp include/db.h "$out/include/tidesdb"
	cp -P "$work"/cmake/libtidesdb.so* "$out/lib"
}

build_lsm () {
	flags="$flags -w"
	cp lsm.h "$out/include"
	recipe_shared liblsm1.so '' lsm_*.c
}

# A crate of engines/rust/, with the dependencies of its Cargo.lock; cargo keeps what it makes
# for the next time.
build_rust () {
	compiler=rustc flags=force-frame-pointers=yes
	CARGO_TARGET_DIR=$top/build/cargo/$name-$version RUSTFLAGS="-C $flags" \
		cargo build --release --locked || return
	level=${CARGO_PROFILE_RELEASE_OPT_LEVEL:+ at opt-level $CARGO_PROFILE_RELEASE_OPT_LEVEL}
	flags="release$level, $flags"
	cp "$top/build/cargo/$name-$version/release/libassay_$driver.so" "$out/lib"
}

# The module engines/go/NAME, with the dependencies of the go.mod and go.sum of this row. An overlay
# of package syscall lets syncs be counted; a Go whose file is another does without.
build_go () {
	compiler=''
	export GOTOOLCHAIN=local GOFLAGS=-mod=readonly
	flags='c-shared, syncs counted'
	set -- -buildmode=c-shared -buildvcs=false "-modfile=$top/$file/go.mod"
	if ../shared/overlay.sh "$work"
	then
		set -- "$@" -tags=assay_overlay "-overlay=$work/overlay.json"
	else
		flags='c-shared, syncs not counted: another Go than the overlay is for'
	fi
	cd "../$driver" || return
	go build "$@" -o "$out/lib/libassay_$driver.so" . || return
	rm -f "$out/lib/libassay_$driver.h"
	go version >"$work/compiler"
}

# The assembly of engines/dotnet/NAME, beside the engine as its authors built it and the runtime
# that loads both.
build_dotnet () {
	compiler=mcs flags='as released'
	tail -n +3 packages.tsv | while IFS=$tab read -r _ part archived _ _ where
	do
		mkdir -p "$work/unpacked"
		unpack_engine "$built/archives/$archived" "$work/unpacked"
		mv "$work/unpacked/$where" "$work/${part%%==*}"
	done
	cd "$work" || return
	cp pyravendb-embedded/Voron.dll pyravendb-embedded/Sparrow.dll \
		dotnetcore2/*.dll dotnetcore2/libcoreclr.so dotnetcore2/libclrjit.so \
		dotnetcore2/System.Native.so "$out/lib" || return
	mcs -nologo -optimize -unsafe -target:library -nostdlib -noconfig "-lib:$out/lib" \
		-r:System.Private.CoreLib.dll -r:System.Runtime.dll \
		-r:System.Runtime.Extensions.dll -r:System.Runtime.InteropServices.dll \
		-r:System.Runtime.InteropServices.RuntimeInformation.dll \
		-r:netstandard.dll -r:Voron.dll -r:Sparrow.dll \
		-out:"$out/lib/assay_voron.dll" "$sources/voron.cs"
}
