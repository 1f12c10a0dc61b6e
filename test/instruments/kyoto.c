/* kyoto.c: what engines/kyoto.c calls of Kyoto Cabinet. */
#include "interpose.h"

#include <kclangc.h>

WRAP(CALL_READ, int32_t, kcdbgetbuf,
     (KCDB * db, const char *key, size_t key_size, char *to, size_t most), db, key,
     key_size, to, most)
WRAP(CALL_WRITE, int32_t, kcdbset,
     (KCDB * db, const char *key, size_t key_size, const char *value, size_t size), db,
     key, key_size, value, size)
WRAP(CALL_REMOVE, int32_t, kcdbremove, (KCDB * db, const char *key, size_t size), db, key,
     size)
WRAP(CALL_BEGIN, int32_t, kcdbbegintran, (KCDB * db, int32_t hard), db, hard)
WRAP(CALL_COMMIT, int32_t, kcdbendtran, (KCDB * db, int32_t commit), db, commit)

/*
 * A jump finds its place, and the first record is what it is for; a step back is for the
 * record after it.
 */
static _Thread_local bool jumped;

#define JUMP(name, parameters, ...) \
	EXPORTED int32_t name parameters \
	{ \
		NEXT(name); \
		struct interposed_call interposed_call = interpose_begin(CALL_PART); \
		int32_t found = next(__VA_ARGS__); \
		interpose_end(&interposed_call); \
		jumped = true; \
		return found; \
	}

JUMP(kccurjump, (KCCUR * cursor), cursor)
JUMP(kccurjumpkey, (KCCUR * cursor, const char *key, size_t size), cursor, key, size)
JUMP(kccurjumpback, (KCCUR * cursor), cursor)
JUMP(kccurjumpbackkey, (KCCUR * cursor, const char *key, size_t size), cursor, key, size)
WRAP(CALL_PART, int32_t, kccurstepback, (KCCUR * cursor), cursor)

EXPORTED char *kccurget(KCCUR *cursor, size_t *key_size, const char **value, size_t *size,
			int32_t step)
{
	NEXT(kccurget);
	struct interposed_call call = interpose_begin(jumped ? CALL_SEEK : CALL_NEXT);
	char *record = next(cursor, key_size, value, size, step);

	interpose_end(&call);
	jumped = false;
	return record;
}
