/* library.c: read the loaded library's ELF file; see library.h. */
#include "library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#define ELF_KNOWN 1
#endif

#ifdef ELF_KNOWN
/* Section i of a mapped file, or NULL if the file does not hold all of it. */
static const Elf64_Shdr *section(const unsigned char *file, size_t size, unsigned i)
{
	Elf64_Ehdr head;
	const Elf64_Shdr *s;

	memcpy(&head, file, sizeof head);
	if (i >= head.e_shnum || head.e_shentsize != sizeof *s ||
	    head.e_shoff + (i + 1) * sizeof *s > size || head.e_shoff % 8)
		return NULL;
	s = (const void *)(file + head.e_shoff + i * sizeof *s);
	return s->sh_type == SHT_NOBITS || s->sh_offset + s->sh_size <= size ? s : NULL;
}

static bool imports(const unsigned char *file, size_t size, const Elf64_Shdr *symbols, const char *name)
{
	const Elf64_Shdr *names = section(file, size, symbols->sh_link);
	const Elf64_Sym *sym = (const void *)(file + symbols->sh_offset);

	if (!names)
		return false;
	for (size_t i = 0; i < symbols->sh_size / sizeof *sym; i++)
		if (sym[i].st_shndx == SHN_UNDEF && sym[i].st_name + strlen(name) < names->sh_size &&
		    !strcmp((const char *)file + names->sh_offset + sym[i].st_name, name))
			return true;
	return false;
}

/*
 * x86-64: F2, perhaps a REX prefix, 0F 38 F0 or F1. AArch64: a word with CRC32C's fixed bits,
 * 1001 1010 110. .... 0101 ...; both from the processors' manuals.
 */
static bool holds_crc32c(const unsigned char *code, size_t size)
{
#if defined(__aarch64__)
	for (size_t i = 0; i + 4 <= size; i += 4) {
		uint32_t word;

		memcpy(&word, code + i, 4);
		if ((word & 0x7fe0f000) == 0x1ac05000)
			return true;
	}
#else
	for (const unsigned char *p = code, *end = code + size; end - p > 5; p++) {
		p = memchr(p, 0xf2, (size_t)(end - p) - 5);
		if (!p)
			return false;
		const unsigned char *op = p + 1 + ((p[1] & 0xf0) == 0x40);

		if (op[0] == 0x0f && op[1] == 0x38 && (op[2] & 0xfe) == 0xf0)
			return true;
	}
#endif
	return false;
}

static void inspect(struct library *l, const unsigned char *file, size_t size)
{
	const Elf64_Shdr *s;

	if (size < sizeof(Elf64_Ehdr) || memcmp(file, ELFMAG, SELFMAG) || file[EI_CLASS] != ELFCLASS64)
		return;
	for (unsigned i = 0; (s = section(file, size, i)); i++) {
		l->known |= s->sh_type == SHT_DYNSYM;
		if (s->sh_type == SHT_DYNSYM)
			l->assertions |= imports(file, size, s, "__assert_fail");
		if (s->sh_type == SHT_PROGBITS && s->sh_flags & SHF_EXECINSTR)
			l->crc32c |= holds_crc32c(file + s->sh_offset, s->sh_size);
	}
}
#endif

struct library library_find(const char *symbol)
{
	struct library l = {0};
	void *address = symbol ? dlsym(RTLD_DEFAULT, symbol) : NULL;
	struct stat st;
	Dl_info info;

	if (!address || !dladdr(address, &info) || !info.dli_fname || !strstr(info.dli_fname, ".so"))
		return l;
	snprintf(l.path, sizeof l.path, "%s", info.dli_fname);
#ifdef ELF_KNOWN
	int fd = open(l.path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && !fstat(fd, &st)) {
		void *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (file != MAP_FAILED) {
			inspect(&l, file, (size_t)st.st_size);
			munmap(file, (size_t)st.st_size);
		}
	}
	if (fd >= 0)
		close(fd);
#else
	(void)st;
#endif
	return l;
}

bool library_describe(const struct library *l, bool wants_crc32c, char *text, size_t size)
{
	bool slow = l->known && wants_crc32c && !l->crc32c;

	snprintf(text, size, "%s%s%s%s%s", *l->path ? l->path : "linked in", l->known ? "" : ", build unknown",
		 l->assertions ? ", assertions compiled in" : "", slow ? ", no CRC-32C instructions" : "",
		 l->assertions || slow ? ": unfit for comparison" : "");
	return l->assertions || slow;
}
