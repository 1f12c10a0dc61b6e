/* wiredtiger.c: what the driver of WiredTiger makes of its errors, messages and statistics. */
#include "../../engines/wiredtiger.c"
#include "../tap.h"

static void errors(void)
{
	char words[ENGINE_ERROR_SIZE] = "", why[ENGINE_ERROR_SIZE] = "";

	tap_expect(check(words, why, 0) == DONE, "none");
	tap_expect(check(words, why, WT_NOTFOUND) == NOT_FOUND, "no record");
	tap_expect(!*why, "%s", why);
	tap_expect(check(words, why, ENOSPC) == FULL, "a full device");
	tap_expect(check(words, why, EBUSY) == FAILED, "busy");
	tap_expect(check(words, why, WT_PANIC) == FAILED, "a panic");
	engine_messages.full = true;
	tap_expect(check(words, why, WT_PANIC) == FULL, "a panic of a full device");
	tap_expect(check(words, why, EIO) == FAILED, "another error after it");
	engine_messages.full = false;
	snprintf(words, sizeof words, "its words");
	check(words, why, EINVAL);
	tap_expect(!strcmp(why, "Invalid argument: its words"), "%s", why);
	tap_expect(!*words, "they are said once");
	snprintf(engine_messages.last_error, ENGINE_ERROR_SIZE, "words of a thread");
	check(words, why, EINVAL);
	tap_expect(!strcmp(why, "Invalid argument: words of a thread"), "%s", why);
	tap_expect(!*engine_messages.last_error, "these, too");
}

static void messages(void)
{
	char own[ENGINE_ERROR_SIZE] = "";
	WT_SESSION session = {.app_private = own};

	save_message(NULL, &session, EINVAL, "[1:2][3:0x4], WT_CURSOR.insert: a message");
	tap_expect(!strcmp(own, "WT_CURSOR.insert: a message"), "%s", own);
	save_message(NULL, &session, WT_PANIC, "[1:2], panicking");
	tap_expect(!strcmp(own, "WT_CURSOR.insert: a message"), "the cause stays");
	tap_expect(engine_messages.panicked, "a panic is known");
	tap_expect(!engine_messages.full, "of no full device");
	save_message(NULL, NULL, ENOSPC, "no time before it");
	tap_expect(!strcmp(engine_messages.last_error, "no time before it"), "%s",
		   engine_messages.last_error);
	tap_expect(engine_messages.full, "a full device is known");
	engine_messages.full = engine_messages.panicked = false;
	*engine_messages.last_error = '\0';
}

static struct event noted[8];
static unsigned noted_count;

static void note_event(void *to, const struct event *event)
{
	(void)to;
	noted[noted_count++ % 8] = *event;
}

/* Times are seconds and microseconds, what a checkpoint took milliseconds. */
static void checkpoints(void)
{
	const uint64_t end = (uint64_t)1795860000 * 1000000000 + 500001000;

	read_message(NULL, NULL,
		     "[1795860000:500001][3:0x4], WT_SESSION.checkpoint: Checkpoint ran: "
		     "checkpoint metadata sync completed, time: 250 ms");
	read_message(NULL, NULL,
		     "[1795860000:600000][3:0x4], WT_SESSION.checkpoint: "
		     "checkpoint tree walk completed, time: 20 ms");
	read_message(NULL, NULL, "checkpoint metadata sync completed, time: 20 ms");
	read_message(NULL, NULL, "[1:2], checkpoint metadata sync completed, no time");
	wt_events(NULL, note_event, NULL, NULL);
	tap_expect(noted_count == 1, "%u events", noted_count);
	tap_expect(noted[0].kind == EVENT_CHECKPOINT && noted[0].realtime &&
			   noted[0].reason == STALL_UNKNOWN,
		   "a checkpoint");
	tap_expect(noted[0].end_ns == end, "its end");
	tap_expect(noted[0].begin_ns == end - 250000000, "its begin");
	wt_events(NULL, note_event, NULL, NULL);
	tap_expect(noted_count == 1, "it is passed on once");
	for (unsigned i = 0; i < MOST_CHECKPOINTS + 2; i++)
		read_message(NULL, NULL,
			     "[9:1], checkpoint metadata sync completed, time: 1 ms");
	wt_events(NULL, note_event, NULL, NULL);
	tap_expect(noted_count == 1 + MOST_CHECKPOINTS, "%u events of many", noted_count);
}

static const char *described(const char *config, const char *name)
{
	static char text[100];
	struct report report = {text, sizeof text, "=", " "};

	*text = '\0';
	describe_setting(config, name, &report);
	return text;
}

static void settings(void)
{
	static const char config[] =
		"app_metadata=,my_type=1,lsm=(bloom=true,chunk_size=3MB),type=lsm,last=5";

	tap_expect(!strcmp(described(config, "type"), " type=lsm"), "a whole name");
	tap_expect(!strcmp(described(config, "bloom"), " bloom=true"), "within brackets");
	tap_expect(!strcmp(described(config, "chunk_size"), " chunk_size=3MB"),
		   "the last within brackets");
	tap_expect(!strcmp(described(config, "last"), " last=5"), "the last");
	tap_expect(!strcmp(described(config, "none"), ""), "none");
}

static bool refused(const struct settings *s)
{
	return wt_check_settings(s).invalid;
}

static void refusals(void)
{
	struct settings s = {.write_buffer_bytes = 1 << 20, .cache_bytes = 1};

	option_values.leaf_page_max = 12288;
	tap_expect(!refused(&s), "three units of allocation");
	tap_expect(!wt_check_settings(&s).reads_mapped, "a B-tree is not mapped");
	option_values.leaf_page_max = 5000;
	tap_expect(refused(&s), "a part of one");
	option_values.leaf_page_max = 4096;
	option_values.type = 1;
	s.cache_bytes = 3 * (1 << 20) + 45 * 4096;
	tap_expect(!refused(&s), "three chunks and overhead");
	tap_expect(wt_check_settings(&s).reads_mapped, "an LSM tree is mapped");
	s.cache_bytes--;
	tap_expect(refused(&s), "less");
	s.cache_bytes = (uint64_t)1 << 40;
	s.write_buffer_bytes = 512 << 10;
	tap_expect(!refused(&s), "the smallest chunk");
	s.write_buffer_bytes--;
	tap_expect(refused(&s), "a smaller one");
	s.write_buffer_bytes = 500 << 20;
	tap_expect(!refused(&s), "the largest chunk");
	s.write_buffer_bytes++;
	tap_expect(refused(&s), "a larger one");
	option_values.type = 0;
}

/* A cursor of statistics that has these. */
static const struct {
	const char *name;
	int64_t value;
} counted[] = {
	{"LSM: rows merged in an LSM tree", 77},
	{"LSM: switch operations currently queued", 3},
	{"LSM: merge work units currently queued", 4},
	{"connection: rows merged, currently queued", 1000},
	{"cache: bytes read into cache", 5},
	{"cache: pages evicted", 0},
	{"block-manager: blocks read", 6},
	{"cursor: insert calls", 7},
};
static size_t counted_next;

static int next_counted(WT_CURSOR *c)
{
	(void)c;
	return counted_next++ < sizeof counted / sizeof *counted ? 0 : WT_NOTFOUND;
}

static int get_counted(WT_CURSOR *c, ...)
{
	va_list to;

	va_start(to, c);
	*va_arg(to, const char **) = counted[counted_next - 1].name;
	*va_arg(to, const char **) = "shown";
	*va_arg(to, int64_t *) = counted[counted_next - 1].value;
	va_end(to);
	return 0;
}

static int close_counted(WT_CURSOR *c)
{
	(void)c;
	return 0;
}

static int open_counted(WT_SESSION *s, const char *uri, WT_CURSOR *other,
			const char *config, WT_CURSOR **cursor)
{
	static WT_CURSOR c = {.next = next_counted, .close = close_counted};

	(void)s;
	(void)other;
	(void)config;
	memcpy((char *)&c + offsetof(WT_CURSOR, get_value),
	       &(int (*)(WT_CURSOR *, ...)){get_counted}, sizeof c.get_value);
	counted_next = 0;
	*cursor = &c;
	return strcmp(uri, "statistics:") ? EINVAL : 0;
}

static int open_nothing(WT_SESSION *s, const char *uri, WT_CURSOR *other,
			const char *config, WT_CURSOR **cursor)
{
	(void)s;
	(void)uri;
	(void)other;
	(void)config;
	(void)cursor;
	return EINVAL;
}

static void statistics(void)
{
	WT_SESSION session = {.open_cursor = open_counted};
	struct db db = {.session = &session, .lsm = true};
	char text[1000] = "", why[ENGINE_ERROR_SIZE];
	struct report report = {text, sizeof text, " ", "\n"};
	struct pending_work pending;

	tap_expect(wt_pending_work(&db, &pending, why) == DONE, "done");
	tap_expect(pending.work == 7 && pending.progress == 77, "%llu of %llu",
		   (unsigned long long)pending.work,
		   (unsigned long long)pending.progress);
	db.lsm = false;
	wt_pending_work(&db, &pending, why);
	tap_expect(!pending.work && !pending.progress, "a B-tree has none");
	wt_statistics(&db, &report);
	tap_expect(!strcmp(text, "LSM: rows merged in an LSM tree 77\n"
				 "LSM: switch operations currently queued 3\n"
				 "LSM: merge work units currently queued 4\n"
				 "cache: bytes read into cache 5\n"
				 "block-manager: blocks read 6"),
		   "%s", text);
	session.open_cursor = open_nothing;
	*text = '\0';
	wt_statistics(&db, &report);
	tap_expect(strstr(text, "--wt_statistics=1") != NULL, "%s", text);
}

/* What a database before it has left behind. */
static void opened_anew(void)
{
	struct settings s = {.path = "/nowhere", .cache_bytes = 1 << 20};
	char why[ENGINE_ERROR_SIZE] = "";
	struct db db = {.connection = NULL};

	engine_messages.full = true;
	engine_messages.checkpoint_count = 3;
	tap_expect(wt_open(&db, &s, why) == FAILED, "not full: %s", why);
	tap_expect(!engine_messages.full, "the device is another");
	noted_count = 0;
	wt_events(NULL, note_event, NULL, NULL);
	tap_expect(!noted_count, "checkpoints were another's");
	tap_expect(wt_close(&db, why) == DONE, "nothing is open: %s", why);
}

int main(void)
{
	tap_run("wiredtiger: each error is the status that it must be", errors);
	tap_run("wiredtiger: messages lose their times, and a panic keeps its cause",
		messages);
	tap_run("wiredtiger: checkpoints have their times", checkpoints);
	tap_run("wiredtiger: settings are found by their whole names", settings);
	tap_run("wiredtiger: refuses what it cannot have, to the byte", refusals);
	tap_run("wiredtiger: what merges and is queued, and what is counted", statistics);
	tap_run("wiredtiger: nothing is left of the database before", opened_anew);
	return tap_end();
}
