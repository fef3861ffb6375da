/* What befalls the server and the network: lost answers, forgotten keys, a restored server, late requests. */

inline lose_answer(d) {
    printf("device %d: its answer is lost\n", d);
    unheard--;
    forget_answer(d)
}

/* A key is worth forgetting while its mutation may still arrive. */
#if LATE
#define IS_AWAY(m) (away && (away_key[0] == (m) || away_key[1] == (m)))
#else
#define IS_AWAY(m) false
#endif
#define MATTERS(m) (key[m] > 0 && (op[m].state == OPEN || IS_AWAY(m)))

inline forget(m) {
    printf("server: forgets key %d\n", m);
    forgotten--;
    key[m] = 0;
    forgot = forgot | BIT(m)
}

#if RESTORED
/* A backup. */
inline back_up() {
    printf("server: is backed up at head %d\n", head);
    kept = true;
    kept_head = head;
    COPY(kept_server[PARENT], server[PARENT]);
    COPY(kept_server[CHILD], server[CHILD]);
    for (k : 1 .. EDITS) {
        kept_key[k] = key[k]
    }
    kept_written = written;
    kept_applied = applied
}

/* The state of the backup, under a new name. */
inline restore() {
    printf("server: is restored to head %d\n", kept_head);
    restored--;
    epoch = 1 - epoch;
    head = kept_head;
    COPY(server[PARENT], kept_server[PARENT]);
    COPY(server[CHILD], kept_server[CHILD]);
    for (k : 1 .. EDITS) {
        key[k] = kept_key[k];
        kept_key[k] = 0
    }
    written = kept_written;
    applied = kept_applied;
    kept_head = 0;
    CLEAR(kept_server[PARENT], ABSENT);
    CLEAR(kept_server[CHILD], ABSENT);
    kept_written = 0;
    kept_applied = 0
}
#endif

#if LATE
/* The device gives up; its request is on its way still. */
inline send_away() {
    late--;
    printf("  but gives up; the request is still on its way\n");
    away = true;
    away_cursor = q_cursor;
    away_epoch = q_epoch;
    for (i : 0 .. 1) {
        away_key[i] = q_key[i];
        away_kind[i] = q_kind[i];
        away_on[i] = q_on[i];
        away_base[i] = q_base[i];
        away_a[i] = q_a[i];
        away_b[i] = q_b[i]
    }
}

inline request_away() {
    printf("server: the late request comes\n");
    who = NOBODY;
    q_cursor = away_cursor;
    q_epoch = away_epoch;
    for (i : 0 .. 1) {
        q_key[i] = away_key[i];
        q_kind[i] = away_kind[i];
        q_on[i] = away_on[i];
        q_base[i] = away_base[i];
        q_a[i] = away_a[i];
        q_b[i] = away_b[i]
    }
}

inline clear_away() {
    away = false;
    away_cursor = 0;
    away_epoch = 0;
    for (i : 0 .. 1) {
        away_key[i] = 0;
        away_kind[i] = 0;
        away_on[i] = 0;
        away_base[i] = 0;
        away_a[i] = 0;
        away_b[i] = 0
    }
}
#endif
