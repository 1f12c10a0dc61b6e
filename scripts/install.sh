#!/bin/sh
# install.sh PACKAGE...: install the Debian packages that are missing, and say which.
set -eu

missing=
for package in "$@"
do
	case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
	installed) ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]
then
	as_root=sudo
	command -v sudo >/dev/null || {
		echo "install.sh: these packages are missing and this is neither root nor has sudo; install them:$missing" >&2
		exit 1
	}
fi
echo "installing with apt${as_root:+ through sudo}:$missing" >&2
# shellcheck disable=SC2086 # words, on purpose
{
	$as_root apt-get -qq update &&
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
		-o Dpkg::Use-Pty=0 install $missing
} >/dev/null || {
	echo "install.sh: apt could not install$missing; its own words are above" >&2
	exit 1
}
