/*
 * sqlite.c: what engines/sqlite.c calls of SQLite: one function, told apart by its
 * statement.
 */
#include "interpose.h"

#include <sqlite3.h>
#include <string.h>

static enum call_kind aggregate_kind_of_call(sqlite3_stmt *statement)
{
	static const struct {
		const char *begins;
		enum call_kind kind;
	} kinds[] = {
		{"SELECT v FROM t", CALL_READ}, {"INSERT OR REPLACE", CALL_WRITE},
		{"DELETE FROM t", CALL_REMOVE}, {"BEGIN IMMEDIATE", CALL_BEGIN},
		{"COMMIT", CALL_COMMIT},        {"ROLLBACK", CALL_UNDO},
	};
	const char *sql = sqlite3_sql(statement);

	for (unsigned i = 0; sql && i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(sql, kinds[i].begins, strlen(kinds[i].begins)))
			return kinds[i].kind;
	if (sql && !strncmp(sql, "SELECT v, k FROM t", strlen("SELECT v, k FROM t")))
		return sqlite3_stmt_busy(statement) ? CALL_NEXT : CALL_SEEK;
	return CALL_PART;
}

WRAP(aggregate_kind_of_call(statement), int, sqlite3_step, (sqlite3_stmt * statement),
     statement)

/* What was read is kept until the next call; a write is over when its statement is reset.
 */
WRAP(sqlite3_stmt_readonly(statement) ? CALL_PART : CALL_REST, int, sqlite3_reset,
     (sqlite3_stmt * statement), statement)
