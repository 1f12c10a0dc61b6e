/* file_barrier.c: see file_barrier.h. */
#include "file_barrier.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAIL_SIZE FILE_BARRIER_ERROR_SIZE
#include "fail.h"

bool file_barrier_arrive(const char *path, uint64_t clients, uint64_t *complete_at,
			 char *error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	off_t end = -1;

	/*
	 * The file ended at the byte that was just added, whatever others add meanwhile.
	 */
	if (fd >= 0 && write(fd, "+", 1) == 1)
		end = lseek(fd, 0, SEEK_CUR);
	if (end < 1)
		fail(error, "cannot open the barrier file %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (end < 1)
		return false;
	*complete_at = ((uint64_t)end + clients - 1) / clients * clients;
	return true;
}

uint64_t file_barrier_arrivals(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}
