/* trace_text.c: see trace_text.h. */
#include "trace_text.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers and keys ---- */

/*
 * Parses a whole number at *text, followed by a comma or the end; returns false if there
 * is none.
 */
static bool parse_integer(const char **text, const char *end, uint64_t *to)
{
	const char *p = *text;
	uint64_t n = 0;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (n > (UINT64_MAX - 9) / 10)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p == *text || (p < end && *p != ','))
		return false;
	*to = n;
	*text = p + (p < end);
	return true;
}

/* Parses seconds, with or without decimals, as nanoseconds; as parse_integer. */
static bool parse_seconds(const char **text, const char *end, uint64_t *ns)
{
	const char *p = *text;
	uint64_t n = 0, unit = 1000000000;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (n > UINT64_MAX / 10000000000)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p == *text)
		return false;
	*ns = n * unit;
	if (p < end && *p == '.')
		for (p++; p < end && *p >= '0' && *p <= '9'; p++)
			*ns += (uint64_t)(*p - '0') * (unit /= 10);
	if (p < end && *p != ',')
		return false;
	*text = p + (p < end);
	return true;
}

static int hex_value(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
				      : -1;
}

/* Decodes %XX into bytes; returns how many. */
static size_t decode_key(const char *text, size_t size, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < size; i++) {
		int high = i + 2 < size && text[i] == '%' ? hex_value(text[i + 1]) : -1;
		int low = high < 0 ? -1 : hex_value(text[i + 2]);

		to[n++] = (char)(low < 0 ? text[i] : high << 4 | low);
		i += low < 0 ? 0 : 2;
	}
	return n;
}

/*
 * Sets the key of a line with this stated size: the text itself, or its decoded bytes. An
 * anonymized key may differ in size: it is kept whole, padded if it is shorter. No text
 * contains a comma: padding makes no two keys equal.
 */
static void set_line_key(struct trace *t, struct trace_line *line, const char *text,
			 size_t size)
{
	size_t stated_size = line->key_size, n = size;

	if (size != stated_size && memchr(text, '%', size))
		n = decode_key(text, size, t->key);
	if (n != stated_size || n == size)
		memcpy(t->key, text, n = size);
	while (n < stated_size)
		t->key[n++] = ',';
	line->key = t->key;
	line->key_size = n;
}

/* The end of a line, without a carriage return. */
static const char *line_end(const char *p, size_t size)
{
	return p + size - (size && p[size - 1] == '\r');
}

/* Returns NULL, or why no line of this size can be parsed. */
static const char *check_line(const struct trace *t, size_t size)
{
	if (size > TRACE_LINE_SIZE)
		return "the line is too long";
	if (t->is_cut)
		return "the last line has no end, as if the file were cut; if it is "
		       "whole, end it with a newline";
	return NULL;
}

/* ---- Twitter's ---- */

static bool parse_operation(const char **text, const char *end,
			    enum trace_operation *what)
{
	const char *comma = memchr(*text, ',', (size_t)(end - *text));
	size_t size = comma ? (size_t)(comma - *text) : 0;

	for (int i = 0; i < TRACE_OPERATIONS; i++)
		if (strlen(trace_operation_names[i]) == size &&
		    !memcmp(*text, trace_operation_names[i], size)) {
			*what = (enum trace_operation)i;
			*text += size + 1;
			return true;
		}
	return false;
}

/* Parses the eighth column, which a line need not have: 1, 0 or nothing. */
static bool parse_found(const char *p, const char *end, bool has_column,
			enum trace_found *found)
{
	*found = TRACE_FOUND_UNKNOWN;
	if (p == end)
		return true;
	if (!has_column || end - p != 1 || (*p != '0' && *p != '1'))
		return false;
	*found = *p == '1' ? TRACE_FOUND : TRACE_FOUND_NOT;
	return true;
}

/* Parses a line; returns NULL, or the problem. */
static const char *parse_line(struct trace *t, struct trace_line *line, const char *p,
			      size_t size)
{
	const char *end = line_end(p, size), *key, *comma;
	const char *why;
	uint64_t key_size;

	why = check_line(t, size);
	if (why)
		return why;
	if (!parse_seconds(&p, end, &line->ns) || p == end)
		return "the first column is not a time in seconds";
	key = p;
	comma = memchr(p, ',', (size_t)(end - p));
	if (!comma || comma == key)
		return "the second column is not a key";
	p = comma + 1;
	if (!parse_integer(&p, end, &key_size) || !key_size)
		return "the third column is not the size of a key";
	if (!parse_integer(&p, end, &line->value_size))
		return "the fourth column is not the size of a value";
	if (!parse_integer(&p, end, &line->client))
		return "the fifth column is not the number of a client";
	if (!parse_operation(&p, end, &line->operation))
		return "the sixth column is not an operation";
	if (p == end || !parse_integer(&p, end, &line->ttl))
		return "the seventh column is not a TTL";
	if (!parse_found(p, end, p[-1] == ',', &line->found))
		return "the eighth column is not 1, 0 or empty";
	t->remarks[TRACE_REMARK_TTL] += line->ttl > 0;
	why = trace_file_check_sizes((uint64_t)(comma - key) / 3, 0);
	why = why ? why : trace_file_check_sizes(key_size, line->value_size);
	if (why)
		return why;
	line->key_size = (size_t)key_size;
	set_line_key(t, line, key, (size_t)(comma - key));
	return trace_file_check_sizes(line->key_size, 0);
}

static bool is_twitter(const char *head, size_t size)
{
	(void)head;
	(void)size;
	return true;
}

static const char *read_twitter(struct trace *t, struct trace_line *line)
{
	size_t size;
	const char *text = trace_file_line(t, &size);

	return text ? parse_line(t, line, text, size) : "";
}

const struct trace_format trace_text_twitter = {
	.title = "Twitter's lines",
	.unit = "line",
	.form = "; a line is time,key,key size,value size,client,operation,TTL[,found]",
	.matches = is_twitter,
	.read = read_twitter,
};

/* ---- Meta's ---- */

static const char *const column_names[TRACE_COLUMNS] = {
	"op_time", "key", "key_size", "op", "op_count", "size", "cache_hits", "ttl",
};

/* Its operations beside those whose names are Twitter's in upper case. */
static const struct {
	const char *name;
	enum trace_operation operation;
} leases[] = {{"GET_LEASE", TRACE_GET}, {"SET_LEASE", TRACE_SET}};

/* The next field of a line; *p is the one after it, or beyond the end. */
static const char *next_field(const char **p, const char *end, size_t *size)
{
	const char *field = *p, *comma = memchr(field, ',', (size_t)(end - field));

	*size = (size_t)((comma ? comma : end) - field);
	*p = comma ? comma + 1 : end + 1;
	return field;
}

/* Which of Meta's columns has this name; TRACE_COLUMNS: none. */
static int find_column(const char *name, size_t size)
{
	int i = 0;

	while (i < TRACE_COLUMNS &&
	       (strlen(column_names[i]) != size || memcmp(column_names[i], name, size)))
		i++;
	return i;
}

/* Parses a header; returns whether it has the columns that no line can do without. */
static bool parse_header(struct trace *t, const char *p, const char *end)
{
	memset(t->has_column, 0, sizeof t->has_column);
	for (t->columns = 0; p <= end; t->columns++) {
		size_t size;
		const char *name = next_field(&p, end, &size);
		int column = find_column(name, size);

		if (t->columns == TRACE_HEADER_MAX ||
		    (column < TRACE_COLUMNS && t->has_column[column]))
			return false;
		t->column[t->columns] = (signed char)column;
		if (column < TRACE_COLUMNS)
			t->has_column[column] = true;
	}
	t->is_timeless = !t->has_column[TRACE_COLUMN_TIME];
	return t->has_column[TRACE_COLUMN_KEY] && t->has_column[TRACE_COLUMN_OPERATION] &&
	       t->has_column[TRACE_COLUMN_SIZE];
}

static bool is_meta(const char *head, size_t size)
{
	const char *end = memchr(head, '\n', size);
	struct trace t;

	return end && parse_header(&t, head, line_end(head, (size_t)(end - head)));
}

static bool parse_meta_operation(const char *text, size_t size,
				 enum trace_operation *operation)
{
	char lower[16] = "";

	for (size_t i = 0; i < sizeof leases / sizeof *leases; i++)
		if (strlen(leases[i].name) == size &&
		    !memcmp(leases[i].name, text, size)) {
			*operation = leases[i].operation;
			return true;
		}
	for (size_t i = 0; i < size && i < sizeof lower - 1; i++)
		lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] | 32 : ' ');
	for (int i = 0; i < TRACE_SCAN; i++)
		if (strlen(trace_operation_names[i]) == size &&
		    !strcmp(trace_operation_names[i], lower)) {
			*operation = (enum trace_operation)i;
			return true;
		}
	return false;
}

/* The fields of a line: texts, and numbers of all but key and operation. */
struct meta_fields {
	const char *text[TRACE_COLUMNS];
	size_t size[TRACE_COLUMNS];
	uint64_t number[TRACE_COLUMNS];
};

static const char *split_fields(const struct trace *t, struct meta_fields *f,
				const char *p, const char *end)
{
	unsigned n;

	for (n = 0; n < t->columns && p <= end; n++) {
		size_t size;
		const char *text = next_field(&p, end, &size), *at = text;
		int column = t->column[n];

		if (column == TRACE_COLUMNS)
			continue;
		f->text[column] = text;
		f->size[column] = size;
		if (column == TRACE_COLUMN_KEY || column == TRACE_COLUMN_OPERATION)
			continue;
		/* Lines leave TTLs and hits empty where they have none. */
		if (!size && (column == TRACE_COLUMN_TTL || column == TRACE_COLUMN_HITS))
			continue;
		if (column == TRACE_COLUMN_TIME
			    ? !parse_seconds(&at, text + size, &f->number[column])
			    : !parse_integer(&at, text + size, &f->number[column]))
			return "a time, size, count or TTL is not a number";
	}
	return n == t->columns && p > end ? NULL
					  : "it has not as many columns as the header";
}

/* Of several gets in one line some have found a record: which is not known. */
static void set_meta_found(struct trace *t, struct trace_line *line,
			   const struct meta_fields *f)
{
	uint64_t hits = f->number[TRACE_COLUMN_HITS];

	if (!f->size[TRACE_COLUMN_HITS] ||
	    (line->operation != TRACE_GET && line->operation != TRACE_GETS))
		return;
	line->found = !hits                                   ? TRACE_FOUND_NOT
		      : hits >= f->number[TRACE_COLUMN_COUNT] ? TRACE_FOUND
							      : TRACE_FOUND_UNKNOWN;
	if (line->found == TRACE_FOUND_UNKNOWN)
		t->remarks[TRACE_REMARK_SOME_HITS]++;
}

static const char *parse_meta(struct trace *t, struct trace_line *line, const char *p,
			      const char *end)
{
	struct meta_fields f = {.number = {[TRACE_COLUMN_COUNT] = 1}};
	const char *why = split_fields(t, &f, p, end);
	size_t key_size = f.size[TRACE_COLUMN_KEY];

	if (why)
		return why;
	if (!key_size)
		return "its key is empty";
	if (!f.number[TRACE_COLUMN_COUNT])
		return "its op_count is 0";
	if (!parse_meta_operation(f.text[TRACE_COLUMN_OPERATION],
				  f.size[TRACE_COLUMN_OPERATION], &line->operation))
		return "its op is not GET, GET_LEASE, SET, SET_LEASE, DELETE or another "
		       "of memcached's";
	if (f.number[TRACE_COLUMN_KEY_SIZE])
		line->key_size = f.number[TRACE_COLUMN_KEY_SIZE];
	else
		line->key_size = key_size;
	line->ns = f.number[TRACE_COLUMN_TIME];
	line->value_size = f.number[TRACE_COLUMN_SIZE];
	line->ttl = f.number[TRACE_COLUMN_TTL];
	why = trace_file_check_sizes(key_size, line->value_size);
	why = why ? why : trace_file_check_sizes(line->key_size, 0);
	if (why)
		return why;
	set_line_key(t, line, f.text[TRACE_COLUMN_KEY], key_size);
	set_meta_found(t, line, &f);
	t->remarks[TRACE_REMARK_TTL] += line->ttl ? f.number[TRACE_COLUMN_COUNT] : 0;
	t->repeats = f.number[TRACE_COLUMN_COUNT] - 1;
	return NULL;
}

static const char *read_meta(struct trace *t, struct trace_line *line)
{
	size_t size;
	const char *text = trace_file_line(t, &size), *why;

	if (text && !t->columns) {
		parse_header(t, text, line_end(text, size));
		text = trace_file_line(t, &size);
	}
	if (!text)
		return "";
	why = check_line(t, size);
	return why ? why : parse_meta(t, line, text, line_end(text, size));
}

const struct trace_format trace_text_meta = {
	.title = "Meta's kvcache lines",
	.unit = "line",
	.form = "",
	.matches = is_meta,
	.read = read_meta,
};

/* ---- writing ---- */

static bool is_plain(unsigned char c)
{
	return c > ' ' && c < 127 && c != ',' && c != '%' && c != '"';
}

static size_t encode_key(const char *key, size_t size, char *to)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t n = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)key[i];

		to[n++] = is_plain(c) ? (char)c : '%';
		if (is_plain(c))
			continue;
		to[n++] = digits[c >> 4];
		to[n++] = digits[c & 15];
	}
	return n;
}

char *trace_text_write(char *to, const struct trace_line *line)
{
	static const char *const found[] = {"", "0", "1"};

	to += sprintf(to, "%llu.%09llu,", (unsigned long long)(line->ns / 1000000000),
		      (unsigned long long)(line->ns % 1000000000));
	to += encode_key(line->key, line->key_size, to);
	return to + sprintf(to, ",%zu,%llu,%llu,%s,%llu,%s\n", line->key_size,
			    (unsigned long long)line->value_size,
			    (unsigned long long)line->client,
			    trace_operation_names[line->operation],
			    (unsigned long long)line->ttl, found[line->found]);
}
