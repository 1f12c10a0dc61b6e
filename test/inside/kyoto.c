/* kyoto.c: what the driver of Kyoto Cabinet makes of its errors and settings. */
#include <kclangc.h>

/* what Kyoto says of its last call, or as it does */
static int code_is = -1;
#define kcdbecode(kc) (code_is < 0 ? (kcdbecode)(kc) : code_is)

#include "../../engines/kyoto.c"
#include "../tap.h"

static void errors(void)
{
	char why[ENGINE_ERROR_SIZE] = "";
	KCDB *kc = kcdbnew();

	tap_expect(check(why, kc, true) == DONE, "none");
	kcdbset(kc, "k", 1, "v", 1);
	tap_expect(check(why, kc, false) == FAILED, "not open");
	tap_expect(!strncmp(why, "invalid operation: ", 19), "%s", why);
	kcdbopen(kc, "*", KCOWRITER | KCOCREATE);
	kcdbremove(kc, "none", 4);
	*why = '\0';
	tap_expect(check(why, kc, false) == NOT_FOUND, "no record");
	tap_expect(!*why, "of which nothing is said: %s", why);
	for (code_is = KCEBROKEN; code_is <= KCESYSTEM; code_is += KCESYSTEM - KCEBROKEN)
		for (int i = 0; i < 2; i++) {
			errno = i ? ENOSPC : EIO;
			tap_expect(check(why, kc, false) ==
					   (i && code_is == KCESYSTEM ? FULL : FAILED),
				   "code %d with errno %d: %s", code_is, errno, why);
		}
	code_is = -1;
	kcdbclose(kc);
	kcdbdel(kc);
}

static void durabilities(void)
{
	static const struct {
		bool hard;
		enum durability durability;
		uint32_t mode;
		bool syncs;
		unsigned non_atomic;
	} rows[] = {
		{true, DURABILITY_NONE, 0, false, 0},
		{true, DURABILITY_ASYNC, KCOAUTOTRAN, false, 12},
		{true, DURABILITY_SYNC, KCOAUTOTRAN | KCOAUTOSYNC, false, 12},
		{false, DURABILITY_NONE, 0, false, 0},
		{false, DURABILITY_ASYNC, KCOAUTOTRAN, false, 12},
		{false, DURABILITY_SYNC, KCOAUTOTRAN, true, 12},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct settings s = {.durability = rows[i].durability};
		struct db db = {.mode = 0};

		option_values.hard = rows[i].hard;
		set_durability(&db, rows[i].durability);
		tap_expect(db.mode == rows[i].mode, "mode of row %zu: %u", i, db.mode);
		tap_expect(db.syncs_commits == rows[i].syncs, "syncs of row %zu", i);
		tap_expect(kyoto_check_settings(&s).non_atomic == rows[i].non_atomic,
			   "atomicity of row %zu", i);
	}
}

static void maps(void)
{
	struct settings s = {.durability = DURABILITY_SYNC};

	option_values.msiz = 0;
	tap_expect(!kyoto_check_settings(&s).reads_mapped &&
			   !kyoto_check_settings(&s).uncounted_writes,
		   "no map");
	option_values.msiz = 1;
	tap_expect(kyoto_check_settings(&s).reads_mapped &&
			   kyoto_check_settings(&s).uncounted_writes,
		   "a map");
}

/* A value that is longer than any that was written is damage, not one cut short. */
static void sizes(void)
{
	struct session *s = calloc(1, sizeof *s + 11);
	char why[ENGINE_ERROR_SIZE] = "";
	struct db db = {.kc = kcdbnew(), .value_size = 10};
	struct slice key = {"k", 1}, value;

	s->db = &db;
	s->why = why;
	kcdbopen(db.kc, "*", KCOWRITER | KCOCREATE);
	kcdbset(db.kc, "k", 1, "0123456789", 10);
	tap_expect(kyoto_get(s, key, &value) == DONE && value.size == 10 &&
			   !memcmp(value.data, "0123456789", 10),
		   "the longest");
	kcdbset(db.kc, "k", 1, "", 0);
	tap_expect(kyoto_get(s, key, &value) == DONE && !value.size, "an empty one");
	kcdbset(db.kc, "k", 1, "01234567890", 11);
	tap_expect(kyoto_get(s, key, &value) == FAILED, "a longer one");
	kcdbclose(db.kc);
	kcdbdel(db.kc);
	free(s);
}

int main(void)
{
	tap_run("kyoto: each error is the status that it must be", errors);
	tap_run("kyoto: each durability has its transactions, and what these are worth",
		durabilities);
	tap_run("kyoto: a map is said", maps);
	tap_run("kyoto: values have their sizes", sizes);
	return tap_end();
}
