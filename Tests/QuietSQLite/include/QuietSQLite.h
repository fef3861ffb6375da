#ifndef QUIET_SQLITE_H
#define QUIET_SQLITE_H

/// Lets SQLite count no memory, which it does behind one lock for all threads: histories that run side by side would
/// wait for each other at every allocation. Only before SQLite is first used; after that it changes nothing.
void quiet_sqlite_memory(void);

#endif
