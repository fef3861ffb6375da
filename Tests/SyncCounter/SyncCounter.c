#include "SyncCounter.h"
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct sync_counter {
    char *prefix;
    atomic_long syncs;
    struct sync_counter *next;
};

/// What is kept of a counted file, behind what the system's own VFS keeps of it.
struct tail {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *system;
    struct sync_counter *counter;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sync_counter *counters;
static sqlite3_vfs *system_vfs;
static sqlite3_vfs counting_vfs;

static struct tail *tail_of(sqlite3_file *file) {
    size_t size = ((size_t)system_vfs->szOsFile + 15) & ~(size_t)15;
    return (struct tail *)((char *)file + size);
}

static int counted_sync(sqlite3_file *file, int flags) {
    struct tail *tail = tail_of(file);
    atomic_fetch_add(&tail->counter->syncs, 1);
    return tail->system->xSync(file, flags);
}

static struct sync_counter *counter_for(const char *name) {
    pthread_mutex_lock(&mutex);
    struct sync_counter *counter = name ? counters : NULL;
    while (counter && strncmp(name, counter->prefix, strlen(counter->prefix)) != 0) counter = counter->next;
    pthread_mutex_unlock(&mutex);
    return counter;
}

static int open_counted(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
    int result = system_vfs->xOpen(vfs, name, file, flags, opened);
    struct sync_counter *counter = counter_for(name);
    if (result != SQLITE_OK || !file->pMethods || !counter) return result;
    struct tail *tail = tail_of(file);
    tail->methods = *file->pMethods;
    tail->methods.xSync = counted_sync;
    tail->system = file->pMethods;
    tail->counter = counter;
    file->pMethods = &tail->methods;
    return result;
}

const struct sync_counter *sync_counter_begin(const char *prefix) {
    struct sync_counter *counter = calloc(1, sizeof *counter);
    counter->prefix = strdup(prefix);
    pthread_mutex_lock(&mutex);
    counter->next = counters;
    counters = counter;
    if (!system_vfs) {
        system_vfs = sqlite3_vfs_find(NULL);
        counting_vfs = *system_vfs;
        counting_vfs.zName = "sync-counter";
        counting_vfs.pNext = NULL;
        counting_vfs.szOsFile = system_vfs->szOsFile + 16 + (int)sizeof(struct tail);
        counting_vfs.xOpen = open_counted;
        sqlite3_vfs_register(&counting_vfs, 1);
    }
    pthread_mutex_unlock(&mutex);
    return counter;
}

long sync_counter_value(const struct sync_counter *counter) { return atomic_load(&counter->syncs); }
