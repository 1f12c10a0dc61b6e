#!/bin/sh
# install-deps.sh: install missing Debian packages; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'apt' "$@"

case ${1-} in
--help)
	cat <<END
usage: scripts/install-deps.sh PACKAGE ...

Installs the missing ones of these Debian packages with apt, through sudo unless run as root,
and names them on stderr. Prints and does nothing if all are installed.
Exit status: 0 all are installed, 1 otherwise, 2 wrong arguments.
END
	exit 0
	;;
-*)
	fail 2 "unknown option $1; see --help"
	;;
esac

# one at a time, as apt refuses a second
exec 9<"$0"
flock 9
missing=
for package in "$@"
do
	case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
	installed) ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

find_root "these packages are missing and this is neither root nor has sudo; install them:$missing"
echo "installing with apt${sudo:+ through sudo}:$missing" >&2
install () {
	# shellcheck disable=SC2086
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get \
		-qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 \
		-o Dpkg::Use-Pty=0 install $missing
}
# The lists are fetched where there are none, or what they name is gone.
{
	install 2>/dev/null || { $sudo apt-get -qq update && install; }
} >/dev/null 9<&- || fail 1 "apt could not install$missing; see its message above"
