/* file_cache.c: see file_cache.h. */
#include "file_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __FreeBSD__
#include <sys/types.h>
#include <sys/sysctl.h>
#endif

int file_cache_sync(int fd)
{
#ifdef __APPLE__
	/* fsync() leaves data in the device's cache; not every file system has this. */
	return fcntl(fd, F_FULLFSYNC) && fsync(fd) ? errno : 0;
#else
	return fdatasync(fd) ? errno : 0;
#endif
}

int file_cache_drop_clean(int fd)
{
#if defined(POSIX_FADV_DONTNEED) && !defined(ASSAY_PORTABLE)
	return posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
#else
	(void)fd;
	return ENOTSUP;
#endif
}

int file_cache_drop(int fd)
{
	int rc = file_cache_sync(fd);

	return rc ? rc : file_cache_drop_clean(fd);
}

/* Where data follow: a file that is mapped may have a hole of a terabyte. */
static off_t next_data(int fd, off_t at)
{
#ifdef SEEK_DATA
	off_t data = lseek(fd, at, SEEK_DATA);

	if (data >= 0 || errno == ENXIO)
		return data;
#else
	(void)fd;
#endif
	return at;
}

int file_cache_fill(int fd, double *bytes)
{
	enum { CHUNK = 1 << 20 };
	char *buffer = malloc(CHUNK);
	off_t at = 0;
	ssize_t n = buffer ? 1 : -1;

	while (n > 0 && (at = next_data(fd, at)) >= 0) {
		n = pread(fd, buffer, CHUNK, at);
		at += n > 0 ? n : 0;
		*bytes += n > 0 ? (double)n : 0;
	}
	free(buffer);
	return n < 0 ? errno : 0;
}

bool file_cache_shows_residency(void)
{
#ifdef __FreeBSD__
	/* By default only pages that the process itself has mapped are shown. */
	int mapped_only = 1;
	size_t size = sizeof mapped_only;

	return !sysctlbyname("vm.mincore_mapped", &mapped_only, &size, NULL, 0) &&
	       !mapped_only;
#else
	return true;
#endif
}
