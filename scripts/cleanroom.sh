#!/bin/sh
# cleanroom.sh: run the README's two commands from a fresh clone on a bare Debian; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'debootstrap' "$@"

case ${1-} in
--help)
	cat <<END
usage: scripts/cleanroom.sh [MIRROR]

Makes a bare Debian 12 in a temporary directory with debootstrap, clones the committed state of
this tree into it, and runs ./scripts/quickstart.sh and ./test.sh there. Packages come from
MIRROR, or else from this machine's apt source of Debian 12. Needs root, debootstrap and 2 GB of
disk space; removes everything at the end.
END
	exit 0
	;;
-*)
	fail 2 "unknown option $1; see --help"
	;;
esac
[ "$(id -u)" -eq 0 ] || fail 1 "needs root, for debootstrap and chroot"
needs debootstrap

cd "$(dirname "$0")/.."
mirror=${1:-$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
	'Created-By: Packages' |
	sed -n 's/ bookworm main$//p' | head -n 1)}
[ -n "$mirror" ] || fail 2 "apt has no archive of Debian 12 here; give MIRROR"
make_work
root=$work/root
# Nothing is removed while something is mounted below it.
leave_cleanroom () {
	for mounted in dev/pts dev sys proc .
	do
		! mountpoint -q "$root/$mounted" || umount -R "$root/$mounted" || exit 1
	done
	rm -rf --one-file-system "$work"
}
trap leave_cleanroom EXIT

debootstrap --variant=minbase bookworm "$root" "$mirror" >"$work/log" ||
	{ tail "$work/log" >&2; exit 1; }
mount --bind "$root" "$root" # what is not a mount cannot be the root of another namespace
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys" # with its control groups
mount --make-rslave "$root/sys"
mount --bind /dev "$root/dev"
mount --bind /dev/pts "$root/dev/pts"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/hosts "$root/etc/hosts"
git clone -q . "$root/root/assay"

inside_cleanroom () {
	chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin sh \
		-c "cd /root/assay && $1"
}
inside_cleanroom ./scripts/quickstart.sh
inside_cleanroom 'ls results/*/plots/*.png'
inside_cleanroom ./test.sh
