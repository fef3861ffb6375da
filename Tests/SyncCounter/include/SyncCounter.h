#ifndef SYNC_COUNTER_H
#define SYNC_COUNTER_H

/// Counts how often SQLite waits until the disk has what it wrote to some files.
struct sync_counter;

/// Begins to count the syncs of files that are opened from now on and whose paths begin with that.
///
/// It puts itself between SQLite and the system's files, for the whole process and for good; other files are left alone.
const struct sync_counter *_Nonnull sync_counter_begin(const char *_Nonnull prefix);

/// How many syncs of those files there have been.
long sync_counter_value(const struct sync_counter *_Nonnull counter);

#endif
