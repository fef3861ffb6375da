/* What befalls the server, the network and the stores: lost answers, forgotten keys, a restored server, late requests, a
 * store that is copied or rolled back. */

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

/* The state of the backup, under a new name; or under its own, and by another run. */
inline restore() {
    printf("server: is restored to head %d\n", kept_head);
    restored--;
#ifdef PUT_BACK
    gone_back = true;
    end_of_run = kept_head;
#else
    epoch = 1 - epoch;
#endif
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

#if COPIED
#define COPIES_OPEN(k) (op[k].state == OPEN && op[k].by == 0 && k <= last)

/* A copy of the store of device 0. The operations of the copy take numbers of their own, and keep their keys. What was
 * given up is left out of it: the numbers do not suffice. */
#define MAY_KEEP (copied > 0 && !is_kept && has_open[0] && made < EDITS && !answered[0] && \
    gave_up[DEV(0, PARENT)] == 0 && gave_up[DEV(0, CHILD)] == 0)

inline keep_store() {
    printf("device 0: its store is copied\n");
    copied--;
    is_kept = true;
    COPY(kept_base[PARENT], BASE(0, PARENT));
    COPY(kept_base[CHILD], BASE(0, CHILD));
    kept_cursor = cursor[0];
    kept_aware = aware[0];
    last = made;
    for (k : 1 .. EDITS) {
        if
        :: COPIES_OPEN(k) && made < EDITS ->
            made++;
            op[made].state = KEPT;
            op[made].kind = op[k].kind;
            op[made].on = op[k].on;
            op[made].sent = op[k].sent;
            op[made].key = op[k].key;
            op[made].f[A] = op[k].f[A];
            op[made].f[B] = op[k].f[B];
            settled = settled | BIT(made)
        :: else -> skip
        fi
    }
}

/* Device 1 gets the copy in the place of a store with nothing open in it. */
#define MAY_COPY (!has_open[1] && !answered[1] && gave_up[DEV(1, PARENT)] == 0 && gave_up[DEV(1, CHILD)] == 0)

inline use_copy(d) {
    printf("device %d: goes on with the copy\n", d);
    is_kept = false;
    was_copied = true;
    COPY(BASE(d, PARENT), kept_base[PARENT]);
    COPY(BASE(d, CHILD), kept_base[CHILD]);
    cursor[d] = kept_cursor;
    CLEAR(kept_base[PARENT], ABSENT);
    CLEAR(kept_base[CHILD], ABSENT);
    kept_cursor = 0;
    aware[d] = aware[d] | kept_aware;
    kept_aware = 0;
    for (k : 1 .. EDITS) {
        if
        :: op[k].state == KEPT -> op[k].state = OPEN; op[k].by = d
        :: else -> skip
        fi
    }
    fold(d);
    tidy()
}

/* What was written since and never sent is lost with the store: that is no loss of the exchange. */
inline roll_back() {
    printf("device 0: its store is rolled back\n");
    forget_answer(0);
    gave_up[DEV(0, PARENT)] = 0;
    gave_up[DEV(0, CHILD)] = 0;
    z = 0;                      /* what the copy has as well: that is still to be sent */
    for (k : 1 .. EDITS) {
        z = z | (op[k].state == KEPT -> BITS(op[k].f[A]) | BITS(op[k].f[B]) : 0)
    }
    for (k : 1 .. EDITS) {
        if
        :: op[k].state == OPEN && op[k].by == 0 ->
            settled = settled | ((BITS(op[k].f[A]) | BITS(op[k].f[B])) & ~z);
            op[k].state = CLOSED
        :: else -> skip
        fi
    }
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
#ifdef PUT_BACK
    away_proof = q_proof;
    away_run = q_run;
#endif
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
#ifdef PUT_BACK
    q_proof = away_proof;
    q_run = away_run;
#endif
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
#ifdef PUT_BACK
    away_proof = 0;
    away_run = 0;
#endif
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
