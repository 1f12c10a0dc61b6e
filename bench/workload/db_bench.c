/* db_bench.c: see db_bench.h. */
#include "db_bench.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../engines/engine.h"
#include "../../util/message.h"
#include "../../util/option.h"
#include "compat_line.h"
#include "db_bench_flags.h"

enum {
	FLAGS_MAX = 512,      /* rows of a table */
	GROUP_SIZE = 1 << 16, /* of a group of RocksDB's options */
	LINE_SIZE = 4096,
	FLAGFILE_DEPTH = 4
};

/* Groups of RocksDB's options, each written NAME={...}; the first is of the database. */
static const char *const option_groups[] = {
	"",
	"block_cache",
	"block_based_table_factory",
	"compression_opts",
	"compaction_options_universal",
	"compaction_options_fifo",
	"read_options", /* an option of ours, too */
};

enum {
	OPTION_GROUPS = sizeof option_groups / sizeof *option_groups,
	OWN_GROUP = 0,
	CACHE_GROUP = 1,
	TABLE_GROUP = 2,
	READ_GROUP = OPTION_GROUPS - 1
};

struct translation {
	const struct option *const *tables;
	const struct db_bench_names *names;
	struct db_bench_mode *mode;
	const char *release;          /* of the linked RocksDB; NULL: of another engine */
	const char *given[FLAGS_MAX]; /* the values on the command line; NULL: none */
	/* options of ours that are no flag of db_bench's, as they were given */
	char *passed[COMPAT_LINE_MAX];
	unsigned passed_count;
	struct compat_line line;
	char groups[OPTION_GROUPS][GROUP_SIZE];
	/* --rocksdb_options and --read_options as they were given, or "" */
	const char *own_options, *own_read_options;
	const char *ignored; /* --undefok: flags that may be unknown, or NULL */
};

/* Note a flag that cannot be had, with the value that was asked for. */
static void refuse_flag(struct translation *t, const char *name, const char *value,
			const char *why)
{
	compat_line_refuse(&t->line, compat_line_text("--%s", name), value, why);
}

/* What to do without a flag. */
static const char *advise(const struct translation *t, const char *name, size_t length)
{
	const char *instead = t->names->option(name, length);

	return instead ? compat_line_text("instead: %s", instead)
		       : "has no equivalent here; leave it out";
}

/* ---- reading, as gflags does ---- */

static void read_arguments(struct translation *t, int argc, char **argv, int depth);

static bool is_listed(const char *list, const char *name, size_t length)
{
	for (const char *at = list; at && *at; at += *at == ',') {
		size_t word = strcspn(at, ",");

		if (word == length && !memcmp(at, name, length))
			return true;
		at += word;
	}
	return false;
}

/* Flags from a file, one a line; blank lines and comments are skipped. */
static void read_flagfile(struct translation *t, const char *path, int depth)
{
	FILE *f = depth < FLAGFILE_DEPTH ? fopen(path, "re") : NULL;
	char line[LINE_SIZE], *argv[] = {NULL, NULL};

	if (!f)
		message_fatal(2, "--flagfile: cannot read %s: %s", path,
			      depth < FLAGFILE_DEPTH ? strerror(errno)
						     : "it leads back to itself");
	while (fgets(line, sizeof line, f)) {
		char *begin = line + strspn(line, " \t"), *end = begin + strlen(begin);

		while (end > begin && isspace((unsigned char)end[-1]))
			*--end = '\0';
		if (!*begin || *begin == '#')
			continue;
		argv[1] = compat_line_text("%s", begin);
		if (*begin != '-')
			message_fatal(2, "--flagfile: %s: '%.60s' is no flag", path,
				      begin);
		read_arguments(t, 2, argv, depth + 1);
	}
	fclose(f);
}

/* Is the flag a boolean, which may stand without a value? */
static bool is_boolean(const struct db_bench_flag *flag)
{
	return !strcmp(flag->value, "true") || !strcmp(flag->value, "false");
}

/* The index of a flag; FLAGS_MAX: there is none. */
static size_t find_flag(const struct translation *t, const char *name, size_t length)
{
	const struct db_bench_flag *flag =
		db_bench_flags_find(t->mode->leveldb, name, length);

	return flag ? (size_t)(flag - db_bench_flags_at(t->mode->leveldb, 0)) : FLAGS_MAX;
}

/*
 * An argument that is no flag of db_bench's: an option of ours, one that --undefok names,
 * or unknown. Returns how many further arguments belong to it.
 */
static int read_other(struct translation *t, const char *name, size_t length,
		      const char *next)
{
	const struct option *ours = option_find(t->tables, name, length);

	if (ours) {
		bool apart =
			name[length] != '=' && !ours->flag && !ours->bare_value && next;
		const char *value = apart ? next : name + length + (name[length] == '=');

		if (!strcmp(ours->name, "rocksdb_options"))
			t->own_options = compat_line_text("%s;%s", t->own_options, value);
		else if (!strcmp(ours->name, "read_options"))
			t->own_read_options = value;
		else if (t->passed_count < COMPAT_LINE_MAX)
			t->passed[t->passed_count++] =
				compat_line_text(*value ? "--%.*s=%s" : "--%.*s%s",
						 (int)length, name, value);
		return apart;
	}
	if (!is_listed(t->ignored, name, length))
		refuse_flag(t, compat_line_text("%.*s", (int)length, name), "",
			    t->names->option(name, length)
				    ? advise(t, name, length)
				    : "is no flag of db_bench's, either; leave it out");
	return 0;
}

/* Underscores for the dashes in a flag's name. */
static char *normalize_name(const char *argument)
{
	char *text = compat_line_text("%s", argument);

	for (char *p = text; *p && *p != '='; p++)
		*p = *p == '-' ? '_' : *p;
	return text;
}

/* Read one flag, and its value if that is the next argument; returns 1 if it is. */
static int read_flag(struct translation *t, const char *argument, const char *next,
		     int depth)
{
	char *name = normalize_name(argument + 1 + (argument[1] == '-'));
	size_t length = strcspn(name, "="), i = find_flag(t, name, length);
	bool has_value = name[length] == '=';
	const char *value = has_value ? name + length + 1 : next;

	if (is_listed("flagfile", name, length) || is_listed("undefok", name, length)) {
		if (!value)
			message_fatal(2, "--%s: its value is missing", name);
		if (*name == 'f')
			read_flagfile(t, value, depth);
		return !has_value;
	}
	if (is_listed("compat", name, length))
		return 0;
	if (i < FLAGS_MAX && is_boolean(db_bench_flags_at(t->mode->leveldb, i))) {
		t->given[i] = has_value ? db_bench_flags_boolean(value) : "true";
		return 0;
	}
	if (i < FLAGS_MAX) {
		if (!value)
			message_fatal(2, "--%s: its value is missing", name);
		t->given[i] = value;
		return !has_value;
	}
	i = strncmp(name, "no", 2) || has_value ? FLAGS_MAX
						: find_flag(t, name + 2, length - 2);
	if (i < FLAGS_MAX && is_boolean(db_bench_flags_at(t->mode->leveldb, i))) {
		t->given[i] = "false";
		return 0;
	}
	if (!strncmp(name, "no", 2) && is_listed(t->ignored, name + 2, length - 2))
		return 0;
	return read_other(t, name, length, next);
}

/* Words that are no flags are ignored, and after -- there are none. */
static void read_arguments(struct translation *t, int argc, char **argv, int depth)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (argv[i][0] == '-' && argv[i][1])
			i += read_flag(t, argv[i], i + 1 < argc ? argv[i + 1] : NULL,
				       depth);
}

/* --undefok holds for flags before it, too. */
static void find_ignored(struct translation *t, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i] + strspn(argv[i], "-");

		if (name > argv[i] && !strncmp(name, "undefok=", 8))
			t->ignored = name + 8;
		else if (name > argv[i] && !strcmp(name, "undefok") && i + 1 < argc)
			t->ignored = argv[i + 1];
	}
}

/* ---- what each flag means here ---- */

static const char *default_of(const struct translation *t,
			      const struct db_bench_flag *flag)
{
	return db_bench_flags_default(flag, t->release);
}

static const char *value_of(const struct translation *t, const char *name)
{
	size_t i = find_flag(t, name, strlen(name));

	return i == FLAGS_MAX ? ""
	       : t->given[i]  ? t->given[i]
			      : default_of(t, db_bench_flags_at(t->mode->leveldb, i));
}

/* Take one flag with its value, which is its default unless it was given. */
typedef void take_flag(struct translation *t, const struct db_bench_flag *flag,
		       const char *value);

static void take_ours(struct translation *t, const struct db_bench_flag *flag,
		      const char *value)
{
	const struct option *ours = option_find(t->tables, flag->to, strlen(flag->to));
	bool by_default = db_bench_flags_same_value(value, default_of(t, flag));
	char text[LINE_SIZE];

	/* A default that only some engines can have. */
	if (by_default &&
	    (!ours || (!strcmp(flag->to, "compression") && !engine.compressions)))
		return;
	if (!ours)
		refuse_flag(t, flag->name, value,
			    compat_line_text("%s has no --%s", engine.title, flag->to));
	else if (!db_bench_flags_map(flag, value, text, sizeof text))
		refuse_flag(t, flag->name, value,
			    compat_line_text("give one of: %s", flag->values));
	else if (*text)
		compat_line_add(&t->line, compat_line_text("--%s=%s", flag->to, text));
}

/* The list without the empty names in it, which db_bench skips. */
static void take_benchmarks(struct translation *t, const struct db_bench_flag *flag,
			    const char *value)
{
	char *text = compat_line_text("--%s=", flag->to);

	for (const char *at = value; *at; at += *at == ',') {
		int word = (int)strcspn(at, ",");

		if (word)
			text = compat_line_text("%s%s%.*s", text,
						text[strlen(text) - 1] == '=' ? "" : ",",
						word, at);
		at += word;
	}
	compat_line_add(&t->line, text);
}

/* The group of that name, or OWN_GROUP. */
static int find_group(const char *name, size_t length)
{
	int group = READ_GROUP;

	while (group > OWN_GROUP && (strlen(option_groups[group]) != length ||
				     memcmp(option_groups[group], name, length) != 0))
		group--;
	return group;
}

/* Append NAME=VALUE to a group of RocksDB's options. */
static void add_rocksdb_option(struct translation *t, const char *to, const char *value)
{
	const char *dot = strchr(to, '.');
	int group = dot ? find_group(to, (size_t)(dot - to)) : OWN_GROUP;
	char text[LINE_SIZE];

	snprintf(text, sizeof text, "%s", value);
	for (char *p = text; *p; p++) /* between the numbers of a list */
		*p = *p == ',' ? ':' : *p;
	message_append(t->groups[group], GROUP_SIZE, ";", "%s=%s", dot ? dot + 1 : to,
		       text);
}

/* Why no value of the flag can be passed to the engine; NULL: RocksDB has the option. */
static const char *find_obstacle(const struct translation *t,
				 const struct db_bench_flag *flag)
{
	if (!t->release)
		return "is an option of RocksDB's";
	return flag->since && !db_bench_flags_reaches(t->release, flag->since)
		       ? compat_line_text("exists from RocksDB %s on; this is %s",
					  flag->since, t->release)
		       : NULL;
}

static void take_always(struct translation *t, const struct db_bench_flag *flag,
			const char *value)
{
	const char *why = find_obstacle(t, flag);
	char text[LINE_SIZE];

	if (why) {
		if (!db_bench_flags_same_value(value, flag->value))
			refuse_flag(t, flag->name, value, why);
	} else if (!db_bench_flags_map(flag, value, text, sizeof text)) {
		refuse_flag(t, flag->name, value,
			    compat_line_text("give one of: %s", flag->values));
	} else if (*text) {
		add_rocksdb_option(t, flag->to, text);
	}
}

/*
 * A default that was typed is passed, too: that of the linked library may be another one.
 * Those of reads are the same in all versions, and not each C API can set them.
 */
static void take_rocksdb(struct translation *t, const struct db_bench_flag *flag,
			 const char *value)
{
	bool is_typed = *value && t->given[find_flag(t, flag->name, strlen(flag->name))];

	if ((is_typed && strncmp(flag->to, "read_options.", 13) != 0) ||
	    !db_bench_flags_same_value(value, flag->value))
		take_always(t, flag, value);
}

static void take_refused(struct translation *t, const struct db_bench_flag *flag,
			 const char *value)
{
	if (!db_bench_flags_same_value(value, flag->value))
		refuse_flag(t, flag->name, value,
			    advise(t, flag->name, strlen(flag->name)));
}

static void take_only(struct translation *t, const struct db_bench_flag *flag,
		      const char *value)
{
	char word[64];

	for (const char *at = flag->values; *at; at += strspn(at, " ")) {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
		if (db_bench_flags_same_value(word, value))
			return;
		at += strcspn(at, " ");
	}
	refuse_flag(t, flag->name, value, advise(t, flag->name, strlen(flag->name)));
}

static void take_any(struct translation *t, const struct db_bench_flag *flag,
		     const char *value)
{
	(void)t, (void)flag, (void)value;
}

static void take_mode(struct translation *t, const struct db_bench_flag *flag,
		      const char *value)
{
	const struct {
		const char *name;
		bool *is;
	} members[] = {
		{"statistics", &t->mode->statistics},
		{"stats_per_interval", &t->mode->stats_per_interval},
		{"reverse_iterator", &t->mode->reverse},
	};

	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (!strcmp(members[i].name, flag->name))
			*members[i].is = !db_bench_flags_same_value(value, flag->value);
	if (!strcmp(flag->name, "transaction_sets")) {
		t->mode->transaction_sets = strtoull(value, NULL, 10);
		if (*value == '-' || t->mode->transaction_sets < 1 ||
		    t->mode->transaction_sets > 9999)
			refuse_flag(t, flag->name, value, "give 1 to 9999");
	}
	if (!strcmp(flag->name, "multiread_stride"))
		t->mode->stride = strtoull(value, NULL, 10);
	if (!strcmp(flag->name, "deletes") && *value != '-')
		t->mode->deletes = strtoull(value, NULL, 10);
}

/* --disable_wal and --sync exclude each other in RocksDB, too. */
static void take_durability(struct translation *t, const struct db_bench_flag *flag,
			    const char *value)
{
	bool without_log = db_bench_flags_same_value(value_of(t, "disable_wal"), "true");

	if (db_bench_flags_same_value(value, "false"))
		return;
	if (!strcmp(flag->name, "sync") && without_log)
		refuse_flag(t, flag->name, value,
			    "a write without a log cannot be synced; leave out "
			    "--disable_wal");
	else
		compat_line_add(&t->line,
				compat_line_text("--durability=%s",
						 without_log ? "none" : "sync"));
}

/*
 * Transactions of a TransactionDB have a snapshot there, whatever was asked for. With both
 * flags they are optimistic.
 */
static void take_transactions(struct translation *t, const struct db_bench_flag *flag,
			      const char *value)
{
	bool has_locks = !strcmp(flag->name, "transaction_db");

	if (db_bench_flags_same_value(value, "false") ||
	    (has_locks &&
	     db_bench_flags_same_value(value_of(t, "optimistic_transaction_db"), "true")))
		return;
	t->mode->transactions = true;
	if (!option_find(t->tables, flag->to, strlen(flag->to))) {
		if (!has_locks || !engine.transactions)
			refuse_flag(t, flag->name, value,
				    compat_line_text("%s has no --%s", engine.title,
						     flag->to));
		return;
	}
	compat_line_add(&t->line, compat_line_text("--%s=1", flag->to));
	if (has_locks)
		compat_line_add(&t->line,
				compat_line_text("--transaction_set_snapshot=1"));
}

/* Bytes of keys and values per second, as records. */
static void take_write_rate(struct translation *t, const struct db_bench_flag *flag,
			    const char *value)
{
	double bytes = strtod(value, NULL);
	double record = strtod(value_of(t, "key_size"), NULL) +
			strtod(value_of(t, "value_size"), NULL);

	if (bytes > 0 && record > 0)
		compat_line_add(&t->line,
				compat_line_text("--%s=%.0f", flag->to,
						 bytes < record ? 1 : bytes / record));
}

/* The levels below the first that is compressed have no compression. */
static void take_levels(struct translation *t, const struct db_bench_flag *flag,
			const char *value)
{
	static const struct db_bench_flag types = {
		.values = "none:kNoCompression snappy:kSnappyCompression "
			  "zlib:kZlibCompression lz4:kLZ4Compression zstd:kZSTD"};
	long first = strtol(value, NULL, 10),
	     levels = strtol(value_of(t, "num_levels"), NULL, 10);
	char text[LINE_SIZE] = "", type[64];

	if (first < 0 || !db_bench_flags_map(&types, value_of(t, "compression_type"),
					     type, sizeof type))
		return;
	for (long i = 0; i < levels; i++)
		message_append(text, sizeof text, ":", "%s",
			       i < first ? "kNoCompression" : type);
	take_always(t, flag, text);
}

static void take_directory(struct translation *t, const struct db_bench_flag *flag,
			   const char *value)
{
	const char *parent = getenv("TEST_TMPDIR");

	if (*value)
		compat_line_add(&t->line, compat_line_text("--%s=%s", flag->to, value));
	else if (parent && *parent)
		compat_line_add(&t->line, compat_line_text("--db=%s/dbbench", parent));
	else
		compat_line_add(&t->line,
				compat_line_text("--db=/tmp/%stest-%u/dbbench",
						 t->mode->leveldb ? "leveldb" : "rocksdb",
						 (unsigned)geteuid()));
}

static void take_wal_dir(struct translation *t, const struct db_bench_flag *flag,
			 const char *value)
{
	if (*value && strcmp(value, value_of(t, flag->to)) != 0)
		refuse_flag(t, flag->name, value,
			    "the whole database is in one directory; give that of --db");
}

/*
 * Add a NAME=VALUE of RocksDB's, which overrides that of a flag: the last one holds. A
 * group in braces goes into ours, as RocksDB takes the last one whole.
 */
static void add_rocksdb_text(struct translation *t, int group, const char *text,
			     size_t length)
{
	size_t n = strcspn(text, "=");
	int named = find_group(text, n);

	if (named >= TABLE_GROUP && named < READ_GROUP && length > n + 2 &&
	    text[n + 1] == '{' && text[length - 1] == '}') {
		group = named;
		text += n + 2;
		length -= n + 3;
	}
	length -= length && text[length - 1] == ';'; /* RocksDB refuses ";;" */
	if (length)
		message_append(t->groups[group], GROUP_SIZE, ";", "%.*s", (int)length,
			       text);
}

/* What --rocksdb_options gives, each NAME=VALUE by itself. */
static void take_own_options(struct translation *t)
{
	const char *begin = t->own_options;
	int depth = 0;

	for (const char *at = begin;; at++) {
		depth += (*at == '{') - (*at == '}');
		if (*at && (*at != ';' || depth > 0))
			continue;
		begin += strspn(begin, " \t");
		add_rocksdb_text(t, OWN_GROUP, begin, (size_t)(at - begin));
		if (!*at)
			return;
		begin = at + 1;
	}
}

/*
 * RocksDB's ini file: the sections of the database, of the default column family and of
 * its tables, which hold NAME=VALUE as --rocksdb_options takes them. Where it has no
 * filter, that of --bloom_bits holds, and a missing database is made, as there. That tables
 * are block-based is left out: RocksDB may apply it behind their options, and forget them.
 */
static void take_options_file(struct translation *t, const char *value)
{
	char line[LINE_SIZE];
	int group = -1;
	FILE *f = *value ? fopen(value, "re") : NULL;

	if (*value && !f)
		refuse_flag(t, "options_file", value, strerror(errno));
	while (f && fgets(line, sizeof line, f)) {
		char *begin = line + strspn(line, " \t"), *end = begin + strlen(begin);

		while (end > begin && isspace((unsigned char)end[-1]))
			*--end = '\0';
		if (*begin == '[')
			group = !strncmp(begin, "[DBOptions]", 11) ||
						!strcmp(begin, "[CFOptions \"default\"]")
					? OWN_GROUP
				: !strcmp(begin, "[TableOptions/BlockBasedTable "
						 "\"default\"]")
					? TABLE_GROUP
					: -1;
		else if (group >= 0 && *begin && *begin != '#' && end[-1] != '=' &&
			 strcmp(begin, "filter_policy=nullptr") != 0 &&
			 strcmp(begin, "create_if_missing=false") != 0 &&
			 strcmp(begin, "table_factory=BlockBasedTable") != 0)
			add_rocksdb_text(t, group, begin, (size_t)(end - begin));
	}
	if (f)
		fclose(f);
}

static take_flag *const takers[DB_BENCH_WAYS] = {
	[DB_BENCH_OURS] = take_ours,
	[DB_BENCH_BENCHMARKS] = take_benchmarks,
	[DB_BENCH_ROCKSDB] = take_rocksdb,
	[DB_BENCH_ALWAYS] = take_always,
	[DB_BENCH_TAKEN] = take_only,
	[DB_BENCH_ANY] = take_any,
	[DB_BENCH_MODE] = take_mode,
	[DB_BENCH_DURABILITY] = take_durability,
	[DB_BENCH_TRANSACTIONS] = take_transactions,
	[DB_BENCH_WRITE_RATE] = take_write_rate,
	[DB_BENCH_LEVELS] = take_levels,
	[DB_BENCH_WAL_DIR] = take_wal_dir,
	[DB_BENCH_DIRECTORY] = take_directory,
	[DB_BENCH_OPTIONS_FILE] = take_any,
	[DB_BENCH_REFUSED] = take_refused,
};

/* ---- the whole ---- */

/*
 * The block cache by flags. Text for a block_cache makes an LRU cache of it, so the driver
 * makes the other one; db_bench, too, ignores its ratios of priorities.
 */
static void add_cache_options(struct translation *t)
{
	if (strtod(value_of(t, "cache_size"), NULL) <= 0)
		add_rocksdb_option(t, "block_based_table_factory.no_block_cache", "true");
	else if (!strcmp(value_of(t, "cache_type"), "lru_cache"))
		message_append(t->groups[TABLE_GROUP], GROUP_SIZE, ";",
			       "block_cache={capacity=%s;%s}", value_of(t, "cache_size"),
			       t->groups[CACHE_GROUP]);
	else
		compat_line_add(&t->line,
				compat_line_text("--cache_shard_bits=%s",
						 value_of(t, "cache_numshardbits")));
}

/* Without prefixes RocksDB takes a skip list; db_bench ends. */
static void check_memtable(struct translation *t)
{
	const char *name = value_of(t, "memtablerep");

	if (is_listed("prefix_hash,hash_linkedlist", name, strlen(name)) &&
	    strtod(value_of(t, "prefix_size"), NULL) <= 0)
		refuse_flag(t, "memtablerep", name, "give a --prefix_size, too");
}

/* Put the groups of RocksDB's options together. */
static void join_rocksdb_options(struct translation *t)
{
	char *all = t->groups[OWN_GROUP];

	if (!option_find(t->tables, "rocksdb_options", strlen("rocksdb_options")))
		return;
	for (int i = TABLE_GROUP; i < READ_GROUP; i++)
		if (*t->groups[i])
			message_append(all, GROUP_SIZE, ";", "%s={%s}", option_groups[i],
				       t->groups[i]);
	compat_line_add(&t->line, compat_line_text("--rocksdb_options=%s", all));
	if (*t->own_read_options)
		message_append(t->groups[READ_GROUP], GROUP_SIZE, ";", "%s",
			       t->own_read_options);
	compat_line_add(&t->line,
			compat_line_text("--read_options=%s", t->groups[READ_GROUP]));
}

/* db_bench's own list has workloads that are not here, and so may a given one. */
static void check_benchmarks(struct translation *t)
{
	const char *list = value_of(t, "benchmarks");

	if (!*list)
		refuse_flag(
			t, "benchmarks", "",
			t->mode->leveldb
				? "its default has workloads that are not here; give "
				  "--benchmarks=fillseq,fillsync,fillrandom,overwrite,"
				  "readrandom,readrandom,readseq,readreverse,compact,"
				  "readrandom,readseq,readreverse,fill100K"
				: "its default has workloads that are not here; name "
				  "those to run");
	for (const char *at = list; *at; at += *at == ',') {
		size_t word = strcspn(at, ","), name = strcspn(at, ",[@");

		if (name && !t->names->is_workload(at, name) &&
		    !is_listed("fillbatch", at, name))
			refuse_flag(t, "benchmarks",
				    compat_line_text("%.*s", (int)name, at),
				    t->names->workload(at, name)
					    ? compat_line_text("instead: %s",
							       t->names->workload(at,
										  name))
					    : "is unknown");
		at += word;
	}
}

char **db_bench_translate(const struct option *const *tables,
			  const struct db_bench_names *names, int *argc, char **argv,
			  struct db_bench_mode *mode)
{
	/* the words that say how the suite itself differs */
	static const char *const rocksdb_words[] = {"--compat=db_bench",
						    "--page_cache=kept", "--touch=none",
						    "--key_format=binary",
						    "--mixgraph=db_bench"},
				 *const leveldb_words[] = {"--compat=db_bench",
							   "--page_cache=kept",
							   "--touch=none",
							   "--format=leveldb"};
	struct translation *t = message_alloc(1, sizeof *t);
	const struct db_bench_flag *flag;

	t->mode = mode;
	t->names = names;
	t->tables = tables;
	t->own_options = t->own_read_options = "";
	mode->on = true;
	mode->leveldb = !strcmp(engine.name, "leveldb");
	t->release = strcmp(engine.name, "rocksdb") != 0 ? NULL : engine.version();
	/* no flag, and the driver's is 1 */
	snprintf(t->groups[OWN_GROUP], GROUP_SIZE, "keep_log_file_num=1000");
	compat_line_add(&t->line, argv[0]);
	for (size_t i = 0; i < (mode->leveldb ? 4 : 5); i++)
		compat_line_add(&t->line,
				compat_line_text("%s", mode->leveldb ? leveldb_words[i]
								     : rocksdb_words[i]));
	find_ignored(t, *argc, argv);
	read_arguments(t, *argc, argv, 0);
	for (size_t i = 0; (flag = db_bench_flags_at(mode->leveldb, i)); i++)
		takers[flag->way](t, flag,
				  t->given[i] ? t->given[i] : default_of(t, flag));
	if (!mode->leveldb) {
		add_cache_options(t);
		check_memtable(t);
		/* behind all flags, which say nothing where there is one */
		take_options_file(t, value_of(t, "options_file"));
		take_own_options(t);
		join_rocksdb_options(t);
	}
	for (unsigned i = 0; i < t->passed_count; i++)
		compat_line_add(&t->line, t->passed[i]);
	mode->write_rate = value_of(t, "benchmark_write_rate_limit");
	mode->sampling = value_of(t, "sample_for_compression");
	mode->memtable = value_of(t, "memtablerep");
	mode->perf_level = mode->leveldb ? "1" : value_of(t, "perf_level");
	check_benchmarks(t);
	compat_line_finish(&t->line, "flags");
	*argc = (int)t->line.argc;
	return t->line.argv;
}
