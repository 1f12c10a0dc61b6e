/* program_hash.c: read the program's own ELF file; see program_hash.h. */
#include "program_hash.h"

#ifdef __linux__

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../random.h"

/* A copy of the file, which later builds may have replaced under its name. */
struct program_file {
	unsigned char *bytes;
	size_t size;
	uintptr_t left_out; /* an address */
	size_t left_out_size;
	uint64_t hash;
	bool complete;
};

/* Whether the file has all of a segment. */
static bool has_segment(const struct program_file *f, const ElfW(Phdr) * segment)
{
	return segment->p_offset <= f->size &&
	       segment->p_filesz <= f->size - segment->p_offset;
}

static void clear_left_out(struct program_file *f, const struct dl_phdr_info *program,
			   const ElfW(Phdr) * segment)
{
	uintptr_t at = f->left_out - program->dlpi_addr - segment->p_vaddr;

	if (segment->p_type == PT_NOTE)
		memset(f->bytes + segment->p_offset, 0, segment->p_filesz);
	if (segment->p_type == PT_LOAD && at < segment->p_filesz &&
	    f->left_out_size <= segment->p_filesz - at)
		memset(f->bytes + segment->p_offset + at, 0, f->left_out_size);
}

/* The ELF header is left out: it says where debug information ends. */
static void hash_segment(struct program_file *f, const ElfW(Phdr) * segment)
{
	const unsigned char *bytes = f->bytes + segment->p_offset;

	for (size_t i = segment->p_offset ? 0 : sizeof(ElfW(Ehdr)); i < segment->p_filesz;
	     i += sizeof(uint64_t)) {
		uint64_t eight = 0;

		if (segment->p_filesz - i >= sizeof eight)
			memcpy(&eight, bytes + i, sizeof eight);
		else
			memcpy(&eight, bytes + i, segment->p_filesz - i);
		f->hash = random_mix(f->hash ^ eight);
	}
}

/* The first object is the program; others are shared libraries. */
static int hash_program(struct dl_phdr_info *program, size_t size, void *file)
{
	struct program_file *f = file;
	const ElfW(Phdr) *segments = program->dlpi_phdr;

	(void)size;
	for (unsigned i = 0; i < program->dlpi_phnum; i++)
		if (!has_segment(f, &segments[i]))
			return 1;
	for (unsigned i = 0; i < program->dlpi_phnum; i++)
		clear_left_out(f, program, &segments[i]);
	for (unsigned i = 0; i < program->dlpi_phnum; i++)
		if (segments[i].p_type == PT_LOAD)
			hash_segment(f, &segments[i]);
	f->complete = true;
	return 1;
}

/* Returns false if the file cannot be read. */
static bool hash_file(struct program_file *f)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *bytes = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st)) {
		f->size = (size_t)st.st_size;
		bytes = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED)
		return false;
	f->bytes = bytes;
	dl_iterate_phdr(hash_program, f);
	munmap(bytes, f->size);
	return f->complete;
}

const char *program_hash(const void *left_out, size_t size)
{
	static char text[17];
	struct program_file f = {.left_out = (uintptr_t)left_out, .left_out_size = size};

	if (!*text && hash_file(&f))
		snprintf(text, sizeof text, "%016" PRIx64, f.hash);
	return text;
}

#else

const char *program_hash(const void *left_out, size_t size)
{
	(void)left_out;
	(void)size;
	return "";
}

#endif
