/* trace_binary.c: see trace_binary.h. */
#include "trace_binary.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* ---- numbers ---- */

static uint64_t get_little_endian(const char *at, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | (unsigned char)at[n];
	return value;
}

static void put_little_endian(char *to, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++, value >>= 8)
		to[i] = (char)(value & 255);
}

/* ---- RocksDB's ---- */

/*
 * A record is a time (8 bytes, microseconds), a kind (1), the size of its fields (4) and
 * the fields. The first record names the version: in 0.1 all kinds have fixed fields, in
 * 0.2 they begin with a map (8 bytes) of the fields that there are. Texts are a length as
 * varint32, and bytes.
 */
enum rocksdb_kind {
	ROCKSDB_BEGIN = 1,
	ROCKSDB_END = 2,
	ROCKSDB_WRITE = 3,
	ROCKSDB_GET = 4,
	ROCKSDB_SEEK = 5,
	ROCKSDB_SEEK_FOR_PREV = 6,
	ROCKSDB_MULTIGET = 13
};

enum { ROCKSDB_HEAD = 13, ROCKSDB_BATCH_HEAD = 12 };

/* Bits of the maps. */
enum {
	ROCKSDB_MAP_WRITE = 1 << 1,
	ROCKSDB_MAP_GET = 1 << 2 | 1 << 3,
	ROCKSDB_MAP_SEEK = 1 << 4 | 1 << 5,
	ROCKSDB_MAP_LOWER = 1 << 6,
	ROCKSDB_MAP_UPPER = 1 << 7,
	ROCKSDB_MAP_MULTIGET = 1 << 8 | 1 << 9 | 1 << 10
};

static const char rocksdb_magic[] = "feedcafedeadbeef\tTrace Version: 0.";

/* The entries of a write batch, by their tag. */
static const struct batch_entry {
	bool is_known, has_family;
	unsigned char texts; /* a key, and values */
	bool counts;         /* in the number that the batch states */
	bool is_operation;
	enum trace_operation operation;
	enum trace_remark remark; /* TRACE_REMARKS: none */
} batch_entries[] = {
#define ENTRY(family, texts, operation, remark) \
	{true, family, texts, true, true, operation, remark}
#define MARKER(texts) {true, false, texts, false, false, TRACE_GET, TRACE_REMARKS}
	[0x00] = ENTRY(false, 1, TRACE_DELETE, TRACE_REMARKS),
	[0x01] = ENTRY(false, 2, TRACE_SET, TRACE_REMARKS),
	[0x02] = ENTRY(false, 2, TRACE_SET, TRACE_REMARK_MERGE),
	[0x03] = MARKER(1), /* a text for the log */
	[0x04] = ENTRY(true, 1, TRACE_DELETE, TRACE_REMARKS),
	[0x05] = ENTRY(true, 2, TRACE_SET, TRACE_REMARKS),
	[0x06] = ENTRY(true, 2, TRACE_SET, TRACE_REMARK_MERGE),
	[0x07] = ENTRY(false, 1, TRACE_DELETE, TRACE_REMARKS), /* of a key put once */
	[0x08] = ENTRY(true, 1, TRACE_DELETE, TRACE_REMARKS),
	[0x09] = MARKER(0), /* transactions in two phases: begin, end, commit, ... */
	[0x0a] = MARKER(1),
	[0x0b] = MARKER(1),
	[0x0c] = MARKER(1),
	[0x0d] = MARKER(0),
	[0x0e] = {true, true, 2, true, false, TRACE_DELETE, TRACE_REMARK_RANGE_DELETION},
	[0x0f] = {true, false, 2, true, false, TRACE_DELETE, TRACE_REMARK_RANGE_DELETION},
	[0x12] = MARKER(0),
	[0x13] = MARKER(0),
	[0x16] = ENTRY(false, 2, TRACE_SET, TRACE_REMARKS), /* an entity with columns */
	[0x17] = ENTRY(true, 2, TRACE_SET, TRACE_REMARKS),
#undef ENTRY
#undef MARKER
};

static bool is_rocksdb(const char *head, size_t size)
{
	return size >= ROCKSDB_HEAD + sizeof rocksdb_magic && head[8] == ROCKSDB_BEGIN &&
	       !memcmp(head + ROCKSDB_HEAD, rocksdb_magic, sizeof rocksdb_magic - 1);
}

/*
 * Functions that read a field return false, with the problem in the record, if it is not
 * there.
 */
static bool refuse_record(struct trace *t, const char *why)
{
	if (!t->record.problem)
		t->record.problem = why;
	return false;
}

/* Takes n bytes of the record, at most a buffer. */
static bool take_bytes(struct trace *t, uint64_t n, const char **at)
{
	if (n > t->record.left)
		return refuse_record(t, "a field reaches beyond its record");
	if (n > TRACE_BUFFER_SIZE)
		return refuse_record(t, "its fields have more than 1 MiB");
	if (trace_file_fill(t, (size_t)n) < n)
		return refuse_record(t, "the file ends within it");
	t->record.left -= n;
	*at = trace_file_take(t, (size_t)n);
	return true;
}

static bool take_number(struct trace *t, size_t n, uint64_t *value)
{
	const char *at;

	if (!take_bytes(t, n, &at))
		return false;
	*value = get_little_endian(at, n);
	return true;
}

static bool take_varint(struct trace *t, uint64_t *value)
{
	uint64_t byte = 128;

	*value = 0;
	for (unsigned shift = 0; byte & 128; shift += 7) {
		if (shift > 28)
			return refuse_record(t, "a length has more than 32 bits");
		if (!take_number(t, 1, &byte))
			return false;
		*value |= (byte & 127) << shift;
	}
	return true;
}

static bool skip_bytes(struct trace *t, uint64_t n)
{
	const char *at;

	while (n) {
		uint64_t part = n < TRACE_BUFFER_SIZE ? n : TRACE_BUFFER_SIZE;

		if (!take_bytes(t, part, &at))
			return false;
		n -= part;
	}
	return true;
}

static bool skip_text(struct trace *t, uint64_t *size)
{
	return take_varint(t, size) && skip_bytes(t, *size);
}

/*
 * Takes the key of an operation. Keys of other column families are keys of the one
 * database, with the family's number before them.
 */
static bool take_key(struct trace *t, struct trace_line *line, uint64_t family)
{
	const char *at, *why;
	uint64_t size;
	size_t before = family ? 4 : 0;

	if (!take_varint(t, &size))
		return false;
	why = trace_file_check_sizes(size + before, 0);
	if (why)
		return refuse_record(t, why);
	if (!take_bytes(t, size, &at))
		return false;
	for (size_t i = 0; i < before; i++)
		t->key[i] = (char)(family >> (24 - 8 * i) & 255);
	memcpy(t->key + before, at, (size_t)size);
	line->key = t->key;
	line->key_size = size ? (size_t)size + before : 0;
	return true;
}

/* Takes the next entry of the write batch; false also if it is no operation. */
static bool take_entry(struct trace *t, struct trace_line *line)
{
	uint64_t tag, family = 0, size = 0;
	const struct batch_entry *entry;

	if (!take_number(t, 1, &tag))
		return false;
	entry = tag < sizeof batch_entries / sizeof *batch_entries ? &batch_entries[tag]
								   : NULL;
	if (!entry || !entry->is_known)
		return refuse_record(t, "its write batch has an entry of unknown kind");
	if (entry->has_family && !take_varint(t, &family))
		return false;
	if (entry->is_operation && !take_key(t, line, family))
		return false;
	for (int i = entry->is_operation; i < entry->texts; i++)
		if (!skip_text(t, &size))
			return false;
	t->record.entries += entry->counts;
	if (entry->remark != TRACE_REMARKS)
		t->remarks[entry->remark]++;
	if (!entry->is_operation)
		return false;
	t->remarks[TRACE_REMARK_FAMILY] += family > 0;
	line->operation = entry->operation;
	line->value_size = entry->texts > 1 ? size : 0;
	t->record.problem = trace_file_check_sizes(0, line->value_size);
	return !t->record.problem;
}

/* Begins a write batch: its entries are taken one by one. */
static bool begin_batch(struct trace *t)
{
	uint64_t size, sequence, stated;

	if (t->record.with_map && (!take_varint(t, &size) || size != t->record.left))
		return refuse_record(t, "its write batch has another size than it says");
	if (!take_number(t, 8, &sequence) || !take_number(t, 4, &stated))
		return false;
	t->record.is_batch = true;
	t->record.stated = (uint32_t)stated;
	t->record.entries = 0;
	return true;
}

static bool take_seek(struct trace *t, struct trace_line *line, uint64_t map)
{
	uint64_t family, size;

	if (!take_number(t, 4, &family) || !take_key(t, line, family))
		return false;
	for (int bit = ROCKSDB_MAP_LOWER; bit <= ROCKSDB_MAP_UPPER; bit <<= 1)
		if (map & (uint64_t)bit && !skip_text(t, &size))
			return false;
	t->remarks[TRACE_REMARK_BOUNDS] += map > ROCKSDB_MAP_SEEK;
	t->remarks[TRACE_REMARK_FAMILY] += family > 0;
	t->remarks[TRACE_REMARK_SEEK]++;
	line->operation = TRACE_SCAN;
	line->value_size = 1;
	return true;
}

/* Begins a multiget: its keys are taken one by one. */
static bool begin_multiget(struct trace *t)
{
	struct trace_record *r = &t->record;
	uint64_t gets, size, keys;
	const char *at;

	if (!take_number(t, 4, &gets) || !take_varint(t, &size))
		return false;
	if (size != 4 * gets || size > TRACE_BUFFER_SIZE)
		return refuse_record(t, "its number of keys is not that of its families");
	free(r->families);
	r->families = calloc(gets + 1, sizeof *r->families);
	if (!r->families)
		return refuse_record(t, "out of memory");
	if (!take_bytes(t, size, &at))
		return false;
	for (uint64_t i = 0; i < gets; i++)
		r->families[i] = (uint32_t)get_little_endian(at + 4 * i, 4);
	if (!take_varint(t, &keys) || keys != r->left)
		return refuse_record(t, "its keys have another size than it says");
	r->gets = (uint32_t)gets;
	r->family_at = 0;
	return true;
}

static bool take_get(struct trace *t, struct trace_line *line)
{
	uint64_t family;

	if (!take_number(t, 4, &family) || !take_key(t, line, family))
		return false;
	t->remarks[TRACE_REMARK_FAMILY] += family > 0;
	return true;
}

/* Are the fields of this kind those that the map says? */
static bool check_map(struct trace *t, uint64_t kind, uint64_t *map)
{
	static const uint64_t needed[] = {
		[ROCKSDB_WRITE] = ROCKSDB_MAP_WRITE,
		[ROCKSDB_GET] = ROCKSDB_MAP_GET,
		[ROCKSDB_SEEK] = ROCKSDB_MAP_SEEK,
		[ROCKSDB_SEEK_FOR_PREV] = ROCKSDB_MAP_SEEK,
		[ROCKSDB_MULTIGET] = ROCKSDB_MAP_MULTIGET,
	};
	uint64_t bounds = needed[kind] == ROCKSDB_MAP_SEEK
				  ? ROCKSDB_MAP_LOWER | ROCKSDB_MAP_UPPER
				  : 0;

	*map = needed[kind];
	if (!t->record.with_map)
		return true;
	if (!take_number(t, 8, map))
		return false;
	return (*map & ~bounds) == needed[kind] ||
	       refuse_record(t, "it has fields of an unknown kind");
}

/* Takes the fields of a record, or begins to; false also if there is no operation. */
static bool take_record(struct trace *t, struct trace_line *line, uint64_t kind)
{
	uint64_t map;

	if (kind == ROCKSDB_END) {
		t->record.is_ended = true;
		return skip_bytes(t, t->record.left) && refuse_record(t, "");
	}
	if (kind != ROCKSDB_MULTIGET &&
	    (kind < ROCKSDB_WRITE || kind > ROCKSDB_SEEK_FOR_PREV))
		return refuse_record(t, "its kind is unknown; traces of operations are "
					"read, not those of the block cache or of I/O");
	if (!check_map(t, kind, &map))
		return false;
	t->remarks[TRACE_REMARK_BACKWARD] += kind == ROCKSDB_SEEK_FOR_PREV;
	if (kind == ROCKSDB_SEEK || kind == ROCKSDB_SEEK_FOR_PREV)
		return take_seek(t, line, map);
	if (kind == ROCKSDB_GET)
		return take_get(t, line);
	/* the operations of these are taken one by one */
	if (kind == ROCKSDB_WRITE)
		begin_batch(t);
	else
		begin_multiget(t);
	return false;
}

/* Begins a record: its time and kind. Returns NULL, or "" at the end, or the problem. */
static const char *begin_record(struct trace *t, uint64_t *kind)
{
	struct trace_record *r = &t->record;
	uint64_t us, left;

	t->record_offset = t->offset;
	r->left = trace_file_fill(t, ROCKSDB_HEAD) ? ROCKSDB_HEAD : 0;
	if (!r->left)
		return "";
	if (!take_number(t, 8, &us) || !take_number(t, 1, kind) ||
	    !take_number(t, 4, &left))
		return r->problem;
	r->left = left;
	/* Threads take the time before they write the record. */
	t->remarks[TRACE_REMARK_EARLIER] += us < r->last_us;
	r->last_us = us < r->last_us ? r->last_us : us;
	return NULL;
}

static const char *read_begin(struct trace *t)
{
	uint64_t kind;
	const char *why = begin_record(t, &kind), *at;

	if (why || !take_bytes(t, t->record.left, &at))
		return why && *why ? why : t->record.problem;
	t->record.first_us = t->record.last_us;
	if (at[sizeof rocksdb_magic - 1] != '1' && at[sizeof rocksdb_magic - 1] != '2')
		return "its version is not 0.1 or 0.2";
	t->record.with_map = at[sizeof rocksdb_magic - 1] == '2';
	return NULL;
}

/*
 * Takes the next operation of what has begun; false also if there is none: the record has
 * ended, or an entry is no operation.
 */
static bool take_next(struct trace *t, struct trace_line *line)
{
	struct trace_record *r = &t->record;
	uint64_t kind, family;
	const char *why;

	if (r->is_batch && r->left)
		return take_entry(t, line);
	if (r->gets && r->left) {
		r->gets--;
		family = r->families[r->family_at++];
		t->remarks[TRACE_REMARK_FAMILY] += family > 0;
		return take_key(t, line, family);
	}
	if (r->is_batch && r->entries != r->stated)
		return refuse_record(t, "its write batch has not as many operations as "
					"it says");
	if (r->gets || r->left)
		return refuse_record(t, "its fields have another size than it says");
	r->is_batch = false;
	why = begin_record(t, &kind);
	return why ? refuse_record(t, why) : take_record(t, line, kind);
}

static const char *read_rocksdb(struct trace *t, struct trace_line *line)
{
	struct trace_record *r = &t->record;

	if (!t->offset) {
		const char *why = read_begin(t);

		if (why)
			return why;
	}
	for (;;) {
		bool is_operation = take_next(t, line);

		/* db_bench's trace of a workload overwrites that of the one before */
		r->has_rest = r->is_ended && trace_file_fill(t, 1);

		if (r->problem)
			return r->problem;
		if (is_operation && line->key_size)
			break;
		t->remarks[TRACE_REMARK_EMPTY_KEY] += is_operation;
		*line = (struct trace_line){.ns = 0};
	}
	line->ns = (r->last_us - r->first_us) * 1000;
	t->lines++;
	return NULL;
}

const struct trace_format trace_binary_rocksdb = {
	.title = "RocksDB's records",
	.unit = "offset",
	.form = "",
	.matches = is_rocksdb,
	.read = read_rocksdb,
};

/* ---- libCacheSim's oracleGeneral ---- */

/*
 * A record is a time (4 bytes, seconds), an object (8), its size (4), and the number of
 * its next access (8), from 1; below 0 or the greatest number: there is none.
 */
enum { ORACLE_OBJECT = 4, ORACLE_BYTES = 12, ORACLE_NEXT = 16, ORACLE_KEY_SIZE = 16 };

/*
 * Text has neither byte; of a record's last eight bytes one is always one of them, as no
 * trace has 2^56 accesses.
 */
static bool is_oracle(const char *head, size_t size)
{
	size = size < TRACE_BINARY_ORACLE_SIZE ? size : TRACE_BINARY_ORACLE_SIZE;
	return memchr(head, 0, size) || memchr(head, 0xff, size);
}

/* A key is the object's number in hexadecimal. */
static void put_object_key(char *to, uint64_t object)
{
	static const char digits[] = "0123456789abcdef";

	for (int i = ORACLE_KEY_SIZE - 1; i >= 0; i--, object >>= 4)
		to[i] = digits[object & 15];
}

static const char *read_oracle(struct trace *t, struct trace_line *line)
{
	size_t size = trace_file_fill(t, TRACE_BINARY_ORACLE_SIZE);
	const char *at;
	uint64_t next, object_size;

	t->record_offset = t->offset;
	if (!size)
		return "";
	if (size < TRACE_BINARY_ORACLE_SIZE)
		return "the last record has fewer than 24 bytes: the file is cut";
	at = trace_file_take(t, TRACE_BINARY_ORACLE_SIZE);
	next = get_little_endian(at + ORACLE_NEXT, 8);
	/* some number accesses from 0 */
	if (next <= t->lines || (next >> 56 && next < INT64_MAX))
		return "its next access is not after it: not a trace of oracleGeneral";
	t->lines++;
	put_object_key(t->key, get_little_endian(at + ORACLE_OBJECT, 8));
	line->ns = get_little_endian(at, 4) * 1000000000;
	line->key = t->key;
	line->key_size = ORACLE_KEY_SIZE;
	/* it is that of key and value; what is smaller than its key is there, too */
	object_size = get_little_endian(at + ORACLE_BYTES, 4);
	line->value_size = object_size > ORACLE_KEY_SIZE ? object_size - ORACLE_KEY_SIZE
							 : object_size > 0;
	line->operation = TRACE_GET;
	return trace_file_check_sizes(line->key_size, line->value_size);
}

const struct trace_format trace_binary_oracle = {
	.title = "libCacheSim's oracleGeneral",
	.unit = "offset",
	.form = "",
	.matches = is_oracle,
	.read = read_oracle,
};

/* The object of a key: its number in hexadecimal, or a hash. */
static uint64_t object_of(const char *key, size_t size)
{
	uint64_t object = 0;
	size_t i;

	for (i = 0; i < size && size == ORACLE_KEY_SIZE; i++) {
		unsigned char c = (unsigned char)key[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
			break;
		object = object << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	if (i == ORACLE_KEY_SIZE && size == ORACLE_KEY_SIZE)
		return object;
	object = size;
	while (size--)
		object = (object ^ (unsigned char)*key++) * 0x100000001b3u;
	return random_mix(object);
}

bool trace_binary_write_oracle(char *to, const struct trace_line *line)
{
	if (line->operation == TRACE_DELETE || line->operation == TRACE_SCAN)
		return false;
	put_little_endian(to, line->ns / 1000000000, 4);
	put_little_endian(to + ORACLE_OBJECT, object_of(line->key, line->key_size), 8);
	put_little_endian(to + ORACLE_BYTES, line->key_size + line->value_size, 4);
	put_little_endian(to + ORACLE_NEXT, UINT64_MAX, 8);
	return true;
}

/* The last access of an object so far, from 1; 0: an empty slot. */
struct oracle_slot {
	uint64_t object, access;
};

static struct oracle_slot *find_slot(struct oracle_slot *slots, uint64_t count,
				     uint64_t object)
{
	uint64_t at = random_mix(object) & (count - 1);

	while (slots[at].access && slots[at].object != object)
		at = (at + 1) & (count - 1);
	return &slots[at];
}

/* Doubles a table whose size is a power of two; NULL: no memory, and it is freed. */
static struct oracle_slot *grow_slots(struct oracle_slot *slots, uint64_t *count)
{
	struct oracle_slot *more = calloc(*count * 2, sizeof *more);

	for (uint64_t i = 0; more && i < *count; i++)
		if (slots[i].access)
			*find_slot(more, *count * 2, slots[i].object) = slots[i];
	*count *= 2;
	free(slots);
	return more;
}

bool trace_binary_link_oracle(char *records, uint64_t count)
{
	uint64_t size = 1024, used = 0;
	struct oracle_slot *slots = calloc(size, sizeof *slots);
	bool is_linked;

	for (uint64_t access = 1; slots && access <= count; access++) {
		char *record = records + (access - 1) * TRACE_BINARY_ORACLE_SIZE;
		uint64_t object = get_little_endian(record + ORACLE_OBJECT, 8);
		struct oracle_slot *slot = find_slot(slots, size, object);

		if (slot->access)
			put_little_endian(records +
						  (slot->access - 1) *
							  TRACE_BINARY_ORACLE_SIZE +
						  ORACLE_NEXT,
					  access, 8);
		used += !slot->access;
		*slot = (struct oracle_slot){object, access};
		if (used * 2 > size)
			slots = grow_slots(slots, &size);
	}
	is_linked = slots;
	free(slots);
	return is_linked;
}
