/* The server: a request is one transaction. Its mutations are carried out in order, then changes are read. */

#define NOBODY 2
SCRATCH byte who;                /* whom to answer */

inline tell(record) {
    if
    :: who != NOBODY -> COPY(TOLD(who, record), server[record])
    :: else -> skip
    fi
}

/* Whether a deletion of the parent would take along a change of the child that the device has not heard of. */
#ifdef CHILDREN_UNSEEN
#define TAKES_UNSEEN(m) false
#else
#define TAKES_UNSEEN(m) \
    (q_on[m] == PARENT && server[CHILD].is == LIVE && server[CHILD].revision > q_cursor && \
    server[CHILD].revision != q_own[CHILD])
#endif

#ifdef NO_BASE
#define BASE_FITS(m) true
#else
#ifdef NO_CAS
#define BASE_FITS(m) (q_kind[m] == UPDATE || server[q_on[m]].revision == q_base[m])
#else
#define BASE_FITS(m) (server[q_on[m]].revision == q_base[m])
#endif
#endif

#ifdef RESURRECTS
#define TOMBSTONE_FITS(m) true
#else
#define TOMBSTONE_FITS(m) (server[q_on[m]].revision == q_base[m])
#endif

#ifdef NO_KEYS
#define KEY_KNOWN(m) false
#else
#define KEY_KNOWN(m) (key[q_key[m]] > 0 && SAYS_THE_SAME(m))
#endif

#ifdef NOT_BLOCKED
#define PARENT_MISSING(m) false
#else
#define PARENT_MISSING(m) (q_on[m] == CHILD && server[PARENT].is != LIVE)
#endif

inline write_field(field, m, edit) {
    if
    :: (edit) != NONE ->
        judge_overwriting(q_key[m], edit, field);
        field = edit;
        written = written | BITS(edit)
    :: else -> skip
    fi
}

inline bury(record, m) {
    judge_overwriting(q_key[m], q_a[m], server[record].f[A]);
    judge_overwriting(q_key[m], q_a[m], server[record].f[B]);
    head++;
    CLEAR(server[record], TOMBSTONE);
    server[record].revision = head;
    server[record].f[A] = q_a[m]
}

/* Mutation `m` of the request fits: it takes effect, with the next revision. */
inline apply(m) {
    if
    :: q_kind[m] == CREATE ->
        judge_repetition(m);
        if
        :: server[q_on[m]].is == TOMBSTONE -> judge_resurrection(q_key[m], server[q_on[m]].f[A])
        :: else -> skip
        fi;
        head++;
        CLEAR(server[q_on[m]], LIVE);
        server[q_on[m]].revision = head;
        server[q_on[m]].born = head;
        server[q_on[m]].f[A] = q_a[m];
        server[q_on[m]].f[B] = q_b[m];
        written = written | BIT(q_key[m]) | BITS(q_a[m]) | BITS(q_b[m]);
        q_own[q_on[m]] = head;
        q_given[m] = head
    :: q_kind[m] == UPDATE ->
        write_field(server[q_on[m]].f[A], m, q_a[m]);
        write_field(server[q_on[m]].f[B], m, q_b[m]);
        head++;
        server[q_on[m]].revision = head;
        q_own[q_on[m]] = head;
        q_given[m] = head
    :: q_kind[m] == DELETE ->
        judge_repetition(m);
        bury(q_on[m], m);
        q_own[q_on[m]] = head;
        q_given[m] = head;
        if
        :: q_on[m] == PARENT && server[CHILD].is == LIVE ->
            bury(CHILD, m);
#ifdef TOMBSTONES_UNTOLD
            q_own[CHILD] = head
#endif
        :: else -> skip
        fi;
        written = written | BITS(q_a[m])
    fi;
    key[q_key[m]] = q_given[m];
    key_kind[q_key[m]] = q_kind[m];
    key_a[q_key[m]] = q_a[m];
    key_b[q_key[m]] = q_b[m];
    applied = applied | BIT(q_key[m]);
    q_outcome[m] = ACCEPTED;
    judge_server()
}

inline carry_out_mutation(m) {
    if
    :: KEY_KNOWN(m) ->
        q_outcome[m] = REPLAYED;
        q_given[m] = key[q_key[m]];
        if
        :: q_kind[m] == UPDATE && server[q_on[m]].revision == q_given[m] -> tell(q_on[m])
        :: else -> skip
        fi
#ifdef REFUSALS_KEPT
    :: !KEY_KNOWN(m) && HAS(refused, q_key[m]) -> q_outcome[m] = STALE
#define UNKNOWN(m) (!KEY_KNOWN(m) && !HAS(refused, q_key[m]))
#else
#define UNKNOWN(m) (!KEY_KNOWN(m))
#endif
    :: UNKNOWN(m) && q_kind[m] == CREATE ->
        if
        :: server[q_on[m]].is == LIVE -> q_outcome[m] = EXISTS
        :: server[q_on[m]].is == TOMBSTONE && !TOMBSTONE_FITS(m) -> q_outcome[m] = DELETED
        :: else -> q_outcome[m] = (PARENT_MISSING(m) -> BLOCKED : NOTHING)
        fi
    :: UNKNOWN(m) && q_kind[m] != CREATE ->
        if
        :: server[q_on[m]].is != LIVE -> q_outcome[m] = DELETED
        :: server[q_on[m]].is == LIVE && !BASE_FITS(m) -> q_outcome[m] = STALE
        :: else -> q_outcome[m] = (q_kind[m] == DELETE && TAKES_UNSEEN(m) -> STALE : NOTHING)
        fi
    fi;
    if
    :: q_outcome[m] == NOTHING -> apply(m)
    :: q_outcome[m] == STALE || q_outcome[m] == EXISTS || q_outcome[m] == DELETED ->
        tell(q_on[m]);
#ifdef REFUSALS_KEPT
        refused = refused | BIT(q_key[m])
#endif
    :: else -> skip
    fi;
    printf("server: operation %d: %e, revision %d, head %d\n", q_op[m], q_outcome[m], q_given[m], head)
}

/* A change after the cursor, unless a result of this request tells of it. */
#define IS_NEWS(record) (server[record].revision > q_cursor && server[record].revision != q_own[record])

inline tell_changes() {
    next[who] = head;
    if
#ifdef RESYNC
    /* The snapshot: live records, parents first; the cursor is the head at its start. */
    :: page[who] == PARENTS ->
        if
        :: server[PARENT].is == LIVE -> tell(PARENT)
        :: else -> skip
        fi
    :: page[who] == CHILDREN ->
        next[who] = cursor[who];
        if
        :: server[CHILD].is == LIVE && server[CHILD].revision <= cursor[who] -> tell(CHILD)
        :: else -> skip
        fi
#endif
#ifdef PAGES
    /* Pages of one change: the older of two. */
    :: !IN_SNAPSHOT(who) && IS_NEWS(PARENT) && IS_NEWS(CHILD) ->
        if
        :: server[PARENT].revision < server[CHILD].revision -> tell(PARENT); next[who] = server[PARENT].revision
        :: else -> tell(CHILD); next[who] = server[CHILD].revision
        fi
    :: !IN_SNAPSHOT(who) && !(IS_NEWS(PARENT) && IS_NEWS(CHILD)) ->
#else
    :: !IN_SNAPSHOT(who) ->
#endif
        if
        :: IS_NEWS(PARENT) -> tell(PARENT)
        :: else -> skip
        fi;
        if
        :: IS_NEWS(CHILD) -> tell(CHILD)
        :: else -> skip
        fi
    fi
}

/* Whether all that a device knows is of this history. */
#ifdef PUT_BACK
#ifdef RUN_IGNORED
#define KNOWS_HISTORY (q_proof <= head)
#else
#define KNOWS_HISTORY IS_PROVEN(q_run, q_proof)
#endif
#else
#define KNOWS_HISTORY (q_epoch == epoch)
#endif

inline carry_out() {
    q_own[PARENT] = 0; q_own[CHILD] = 0;
    q_outcome[0] = NOTHING; q_outcome[1] = NOTHING;
    q_given[0] = 0; q_given[1] = 0;
    if
#ifndef EPOCH_IGNORED
    :: !KNOWS_HISTORY ->
        q_outcome[0] = EPOCH_CHANGED;
#ifdef PUT_BACK
        epoch = (q_epoch == epoch -> 1 - epoch : epoch)
#endif
    :: KNOWS_HISTORY ->
#else
    :: true ->
#endif
        if
        :: q_key[0] != 0 -> carry_out_mutation(0)
        :: else -> skip
        fi;
        if
        :: q_key[1] != 0 -> carry_out_mutation(1)
        :: else -> skip
        fi;
        if
        :: who != NOBODY -> tell_changes()
        :: else -> skip
        fi
    fi;
    if
    :: who != NOBODY ->
#ifdef PUT_BACK
#ifdef PLACE_PROVES
        next_proof[who] = next[who];
#else
        next_proof[who] = head;
#endif
        next_run[who] = gone_back && next_proof[who] > end_of_run;
        next_name[who] = epoch;
#endif
        for (i : 0 .. 1) {
            asked[DEV(who, i)] = q_op[i];
            outcome[DEV(who, i)] = q_outcome[i];
            given[DEV(who, i)] = q_given[i]
        }
    :: else -> skip
    fi
}
