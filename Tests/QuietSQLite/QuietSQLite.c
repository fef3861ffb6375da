#include "QuietSQLite.h"
#include <sqlite3.h>

// In C, because Swift cannot call functions with a variable number of arguments.
void quiet_sqlite_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
