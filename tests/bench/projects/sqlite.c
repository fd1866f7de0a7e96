/* SPDX-License-Identifier: MIT
 *
 * Two threads make a table each, in a database of their own, in memory: they share the caches of pages, and mutexes.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sqlite3.h>
static void *use(void *unused)
{
	sqlite3 *db;
	assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
	assert(sqlite3_exec(db, "create table t(x)", NULL, NULL, NULL) == SQLITE_OK);
	assert(sqlite3_close(db) == SQLITE_OK);
	return unused;
}
int main(void)
{
	pthread_t thread;
	sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	assert(sqlite3_initialize() == SQLITE_OK);
	pthread_create(&thread, NULL, use, NULL);
	use(NULL);
	pthread_join(thread, NULL);
	sqlite3_shutdown();
}
