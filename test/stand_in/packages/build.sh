#!/bin/sh
# build.sh NAME DIRECTORY: makes of engines/go/NAME the library libassay_NAME.so there, with the packages here in place of the
# engine's.
set -eu
name=$1
here=$(cd "$(dirname "$0")" && pwd)
engines=$here/../../../engines/go
mkdir -p "$2"
to=$(cd "$2" && pwd)
module=$(sed -n 's/^module //p' "$here/$name/go.mod")
major=$(expr "$module" : '.*/v\([0-9]*\)$') || major=1
cat >"$to/go.mod" <<END_OF_MOD
module assay/$name

go 1.24

require (
	assay/contract v0.0.0
	note v0.0.0
	$module v$major.23.45
)

replace assay/contract => $engines/shared
replace note => $here/note
replace $module => $here/$name
END_OF_MOD
"$engines/shared/overlay.sh" "$to"
cd "$engines/$name"
GOTOOLCHAIN=local GOFLAGS=-mod=mod GOWORK=off exec go build -modfile="$to/go.mod" -buildvcs=false -tags=assay_overlay \
	-overlay="$to/overlay.json" -buildmode=c-shared -o "$to/libassay_$name.so" .
