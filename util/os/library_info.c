/* library_info.c: read the loaded library's ELF file; see library_info.h. */
#include "library_info.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#define HAVE_ELF 1
#endif

#ifdef HAVE_ELF
/* Section i of a mapped file, or NULL if it is not completely in the file. */
static const Elf64_Shdr *elf_section(const unsigned char *file, size_t size, unsigned i)
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

/* Prefix of the functions of the library crc32c, which LevelDB uses. */
#define CRC32C_LIBRARY "_ZN6crc32c"

/* The engine's mapped ELF file. */
struct elf_file {
	const unsigned char *file;
	size_t size;
	const char *cpp_namespace; /* namespace, or NULL */
	const Elf64_Shdr *symbols; /* SHT_DYNSYM */
	const char *names;         /* of symbols */
	size_t names_size;
};

/* A symbol's name, or "" if it is not completely in the file. */
static const char *symbol_name(const struct elf_file *e, const Elf64_Sym *sym)
{
	const char *name = e->names + sym->st_name;

	return sym->st_name < e->names_size &&
			       memchr(name, 0, e->names_size - sym->st_name)
		       ? name
		       : "";
}

static bool imports_symbol(const struct elf_file *e, const char *what, bool prefix)
{
	const Elf64_Sym *sym = (const void *)(e->file + e->symbols->sh_offset);
	size_t length = strlen(what) + !prefix;

	for (size_t i = 0; i < e->symbols->sh_size / sizeof *sym; i++)
		if (sym[i].st_shndx == SHN_UNDEF &&
		    !strncmp(symbol_name(e, sym + i), what, length))
			return true;
	return false;
}

/*
 * Whether the code at this address is the engine's. It is not if a named function of
 * another namespace contains it. Static functions have no names here and count as the
 * engine's. The library crc32c counts as well: it has no other purpose.
 */
static bool is_engine_code(const struct elf_file *e, uint64_t address)
{
	const Elf64_Sym *sym = (const void *)(e->file + e->symbols->sh_offset);

	if (!e->cpp_namespace)
		return true;
	for (size_t i = 0; i < e->symbols->sh_size / sizeof *sym; i++)
		if (sym[i].st_shndx != SHN_UNDEF && (sym[i].st_info & 0xf) == STT_FUNC &&
		    address - sym[i].st_value < sym[i].st_size)
			return strstr(symbol_name(e, sym + i), e->cpp_namespace) ||
			       !strncmp(symbol_name(e, sym + i), CRC32C_LIBRARY,
					strlen(CRC32C_LIBRARY));
	return true;
}

/*
 * assert() passes the name of its function to __assert_fail, in C++ with namespace and
 * arguments ("void leveldb::Slice::remove_prefix(size_t)"). A library without assertions
 * has no such text of its namespace. Of RocksDB's, Debian's 7.8.3 has 2,530 and the
 * release builds 6.29.5 to 10.2.1 none, though these import __assert_fail for bundled
 * libraries.
 */
static bool has_assertion_text(const struct elf_file *e, const unsigned char *text,
			       size_t size)
{
	char mark[64];
	size_t length = (size_t)snprintf(mark, sizeof mark, "%s::", e->cpp_namespace);
	const unsigned char *end = text + size, *p = text;

	while ((p = memmem(p, (size_t)(end - p), mark, length))) {
		const unsigned char *stop = memchr(p, 0, (size_t)(end - p));

		if (!stop)
			return false;
		if (memchr(p, '(', (size_t)(stop - p)))
			return true;
		p = stop;
	}
	return false;
}

/*
 * x86-64: F2, perhaps a REX prefix, 0F 38 F0 or F1. AArch64: a word with CRC32C's fixed
 * bits, 1001 1010 110. .... 0101 ...; both from the CPUs' manuals.
 */
static bool has_crc32c_instruction(const struct elf_file *e, const Elf64_Shdr *s)
{
	const unsigned char *code = e->file + s->sh_offset;
	size_t size = s->sh_size;

#if defined(__aarch64__)
	for (size_t i = 0; i + 4 <= size; i += 4) {
		uint32_t word;

		memcpy(&word, code + i, 4);
		if ((word & 0x7fe0f000) == 0x1ac05000 &&
		    is_engine_code(e, s->sh_addr + i))
			return true;
	}
#else
	for (const unsigned char *p = code, *end = code + size; end - p > 5; p++) {
		p = memchr(p, 0xf2, (size_t)(end - p) - 5);
		if (!p)
			return false;
		const unsigned char *op = p + 1 + ((p[1] & 0xf0) == 0x40);

		if (op[0] == 0x0f && op[1] == 0x38 && (op[2] & 0xfe) == 0xf0 &&
		    is_engine_code(e, s->sh_addr + (uint64_t)(p - code)))
			return true;
	}
#endif
	return false;
}

/*
 * The last compiler that the section .comment names: the others compiled libc's parts.
 * Of Rust's, it is not the last.
 */
static void read_compiler(struct library_info *l, const char *text, size_t size)
{
	for (const char *end = text + size;
	     text < end && memchr(text, 0, (size_t)(end - text));
	     text += strlen(text) + 1) {
		bool is_rust = strstr(text, "rustc version");

		if (is_rust || !strncmp(text, "GCC: ", 5) ||
		    strstr(text, "clang version"))
			snprintf(l->compiler, sizeof l->compiler, "%s", text);
		if (is_rust)
			return;
	}
}

/* The section with the names of sections, or NULL. */
static const Elf64_Shdr *section_names(const unsigned char *file, size_t size)
{
	Elf64_Ehdr head;

	memcpy(&head, file, sizeof head);
	return elf_section(file, size, head.e_shstrndx);
}

static bool is_section_named(const struct elf_file *e, const Elf64_Shdr *names,
			     const Elf64_Shdr *s, const char *name)
{
	return names && s->sh_name + strlen(name) < names->sh_size &&
	       !strcmp((const char *)e->file + names->sh_offset + s->sh_name, name);
}

/* Reads the sections, once the symbols are known. */
static void inspect_sections(struct library_info *l, const struct elf_file *e)
{
	const Elf64_Shdr *s, *names = section_names(e->file, e->size);
	bool assert_fail = imports_symbol(e, "__assert_fail", false);

	l->assertions = assert_fail && !e->cpp_namespace;
	/* that library selects the instruction at run time */
	l->crc32c = imports_symbol(e, CRC32C_LIBRARY, true) ||
		    imports_symbol(e, "crc32c_", true);
	for (unsigned i = 0; (s = elf_section(e->file, e->size, i)); i++) {
		if (s->sh_type != SHT_PROGBITS)
			continue;
		if (s->sh_flags & SHF_EXECINSTR)
			l->crc32c = l->crc32c || has_crc32c_instruction(e, s);
		else if (s->sh_flags & SHF_ALLOC)
			l->assertions |=
				assert_fail && e->cpp_namespace &&
				has_assertion_text(e, e->file + s->sh_offset, s->sh_size);
		else if (is_section_named(e, names, s, ".comment"))
			read_compiler(l, (const char *)e->file + s->sh_offset,
				      s->sh_size);
	}
}

static void inspect_elf(struct library_info *l, const unsigned char *file, size_t size,
			const char *cpp_namespace)
{
	struct elf_file e = {.file = file, .size = size, .cpp_namespace = cpp_namespace};
	const Elf64_Shdr *s, *names;

	if (size < sizeof(Elf64_Ehdr) || memcmp(file, ELFMAG, SELFMAG) ||
	    file[EI_CLASS] != ELFCLASS64)
		return;
	for (unsigned i = 0; (s = elf_section(file, size, i)); i++)
		if (s->sh_type == SHT_DYNSYM &&
		    (names = elf_section(file, size, s->sh_link))) {
			e.symbols = s;
			e.names = (const char *)file + names->sh_offset;
			e.names_size = names->sh_size;
		}
	l->readable = e.symbols;
	if (l->readable)
		inspect_sections(l, &e);
}
#endif

/* The facts that belong in a row, in this order, and their maximum lengths. */
static const struct {
	const char *name;
	int length;
} build_facts[] = {{"origin", 80}, {"sha256", 12}, {"compiler", 60}, {"flags", 80}};

/*
 * Reads the line of a fact file with this name: name, a tab, text. Only the text is
 * returned.
 */
static bool find_fact(FILE *file, const char *name, char *line, int size)
{
	size_t length = strlen(name);

	rewind(file);
	while (fgets(line, size, file))
		if (!strncmp(line, name, length) && line[length] == '\t') {
			line[strcspn(line, "\n")] = '\0';
			memmove(line, line + length + 1, strlen(line + length));
			return true;
		}
	return false;
}

/*
 * The file that scripts/engine.sh wrote: beside the library's directory, or in it if the
 * library is installed.
 */
static FILE *open_facts(const char *library)
{
	static const char *const directories[] = {"../facts", "facts"};
	int directory =
		(int)(strrchr(library, '/') ? strrchr(library, '/') - library : 0);
	char path[600];
	FILE *file = NULL;

	for (size_t i = 0;
	     directory && !file && i < sizeof directories / sizeof *directories; i++) {
		snprintf(path, sizeof path, "%.*s/%s", directory, library,
			 directories[i]);
		file = fopen(path, "re");
	}
	return file;
}

static void read_facts(struct library_info *l)
{
	FILE *file = open_facts(l->path);
	char line[300];
	size_t n = 0;

	if (!file)
		return;
	for (size_t i = 0; i < sizeof build_facts / sizeof *build_facts; i++)
		if (n < sizeof l->build_facts &&
		    find_fact(file, build_facts[i].name, line, sizeof line))
			n += (size_t)snprintf(l->build_facts + n,
					      sizeof l->build_facts - n, "%s%s %.*s",
					      n ? ", " : "", build_facts[i].name,
					      build_facts[i].length, line);
	fclose(file);
}

/* The file that defines a function, or ""; POSIX has no call for it. */
#ifdef __linux__
enum { HAVE_DLADDR = true };

static void find_symbol_file(const char *symbol, char *path, size_t size)
{
	void *address = symbol ? dlsym(RTLD_DEFAULT, symbol) : NULL;
	Dl_info info;

	*path = '\0';
	if (address && dladdr(address, &info) && info.dli_fname &&
	    strstr(info.dli_fname, ".so"))
		snprintf(path, size, "%s", info.dli_fname);
}
#else
enum { HAVE_DLADDR = false };

static void find_symbol_file(const char *symbol, char *path, size_t size)
{
	(void)symbol;
	(void)size;
	*path = '\0';
}
#endif

/* Maps a file for reading; returns NULL if that fails, or it is empty. */
static const unsigned char *map_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *file = MAP_FAILED;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st)) {
		*size = (size_t)st.st_size;
		file = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	return file == MAP_FAILED ? NULL : file;
}

struct library_info library_info_read(const char *path, const char *cpp_namespace)
{
	struct library_info l = {0};

	snprintf(l.path, sizeof l.path, "%s", path);
	if (!*l.path)
		return l;
	read_facts(&l);
#ifdef HAVE_ELF
	size_t size;
	const unsigned char *file = map_file(l.path, &size);

	if (file) {
		inspect_elf(&l, file, size, cpp_namespace);
		munmap((void *)(uintptr_t)file, size);
	}
#else
	(void)cpp_namespace;
#endif
	return l;
}

struct library_info library_info_find(const char *symbol, const char *cpp_namespace)
{
	char path[sizeof((struct library_info *)0)->path];

	find_symbol_file(symbol, path, sizeof path);
	return library_info_read(path, cpp_namespace);
}

#if defined(__GLIBC__) && defined(__linux__)
void library_info_locate(const char *name, char *path, size_t size)
{
	void *program = dlopen(NULL, RTLD_NOW);
	Dl_serinfo room, *list = NULL;

	*path = '\0';
	if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &room) ||
	    !(list = malloc(room.dls_size)))
		return;
	*list = room;
	if (!dlinfo(program, RTLD_DI_SERINFOSIZE, list) &&
	    !dlinfo(program, RTLD_DI_SERINFO, list))
		for (unsigned i = 0; i < list->dls_cnt && !*path; i++) {
			snprintf(path, size, "%s/%s", list->dls_serpath[i].dls_name,
				 name);
			if (access(path, R_OK))
				*path = '\0';
		}
	free(list);
}
#else
void library_info_locate(const char *name, char *path, size_t size)
{
	(void)name;
	(void)size;
	*path = '\0';
}
#endif

/* memmem(), which not every system has. */
static const unsigned char *find_bytes(const unsigned char *in, size_t size,
				       const char *text)
{
	const size_t length = strlen(text);
	const unsigned char *end = in + size, *at = in;

	while ((size_t)(end - at) >= length &&
	       (at = memchr(at, *text, (size_t)(end - at) - length + 1))) {
		if (!memcmp(at, text, length))
			return at;
		at++;
	}
	return NULL;
}

void library_info_find_text(const char *path, const char *mark, char *text, size_t size)
{
	size_t bytes = 0, n = 0;
	const unsigned char *file = *path ? map_file(path, &bytes) : NULL;
	const unsigned char *at = file ? find_bytes(file, bytes, mark) : NULL;

	for (at = at ? at + strlen(mark) : NULL;
	     at && at < file + bytes && *at > ' ' && n + 1 < size; at++)
		text[n++] = (char)*at;
	text[n] = '\0';
	if (file)
		munmap((void *)(uintptr_t)file, bytes);
}

void library_info_allocator(char *text, size_t size)
{
	char path[512];
	const char *slash;

	find_symbol_file("malloc", path, sizeof path);
	slash = strrchr(path, '/');
	snprintf(text, size, "%s",
		 slash         ? slash + 1
		 : *path       ? path
		 : HAVE_DLADDR ? "linked in"
			       : "");
}

bool library_info_describe(const struct library_info *l, bool uses_crc32c, char *text,
			   size_t size)
{
	bool slow = l->readable && uses_crc32c && !l->crc32c;
	const char *compiler = strstr(l->build_facts, "compiler ") ? "" : l->compiler;

	*text = '\0';
	if (!HAVE_DLADDR)
		return false;
	snprintf(text, size, "%s%s%s%s%s%s%s%s%s%s", *l->path ? l->path : "linked in",
		 l->readable || *l->build_facts ? "" : ", build unknown",
		 *compiler ? ", " : "", compiler, *l->build_facts ? ", " : "",
		 l->build_facts, l->assertions ? ", assertions compiled in" : "",
		 slow ? ", no CRC-32C instructions" : "",
		 l->assertions || slow ? ": not fit for comparison" : "",
		 l->assertions || !slow ? "" : " of writes");
	return l->assertions || slow;
}
