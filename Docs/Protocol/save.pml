/* The save: all that an answer brings, in one transaction. */

/* The result becomes the base, unless something newer is known: a key answers with the revision of then. What the
 * cursor has passed is known, too; of what was deleted, a snapshot leaves nothing else behind. */
#ifdef REPLAY_GOES_BACK
#define IS_NEWER(m, d) true
#else
#ifdef REPLAY_BEFORE_CURSOR
#define IS_NEWER(m, d) (given[DEV(d, i)] > BASE(d, op[m].on).revision)
#else
#define IS_NEWER(m, d) (given[DEV(d, i)] > BASE(d, op[m].on).revision && given[DEV(d, i)] > cursor[d])
#endif
#endif

/* An edit that is replayed may have been carried out over another base, by another copy of this store. If nobody has changed
 * the record since, it comes along, and is merged. Else what follows the edit is stale. */
#ifdef REPLAY_IS_RESULT
#define IS_RESULT(m, d) true
#else
#define IS_RESULT(m, d) \
    (op[m].kind != UPDATE || outcome[DEV(d, i)] == ACCEPTED || TOLD(d, op[m].on).revision != given[DEV(d, i)])
#endif

inline accepted(d, m) {
    if
    :: IS_NEWER(m, d) ->
        r = DEV(d, op[m].on);
        if
        :: op[m].kind == CREATE -> base[r].is = LIVE; base[r].born = given[DEV(d, i)]
        :: op[m].kind == DELETE -> CLEAR(base[r], TOMBSTONE)
        :: else -> skip
        fi;
        base[r].revision = (IS_RESULT(m, d) -> given[DEV(d, i)] : base[r].revision);
        base[r].f[A] = (op[m].f[A] != NONE -> op[m].f[A] : base[r].f[A]);
        base[r].f[B] = (op[m].f[B] != NONE && op[m].kind != DELETE -> op[m].f[B] : base[r].f[B])
    :: else -> skip
    fi;
    if
    :: op[m].kind == DELETE && op[m].on == PARENT -> end_child(d, given[DEV(d, i)])
    :: else -> skip
    fi;
    close(m)
}

/* The parent is not there: the operation waits where the parent's own creation is still to be accepted. Else it is
 * parked, and what follows it on the record with it. */
#ifdef PARKED_ALONE
#define PARKED_WITH(one, m) (one == m)
#else
#define PARKED_WITH(one, m) (one >= m)
#endif
inline blocked(d, m) {
    z = false;
    for (k : 1 .. EDITS) {
        if
        :: k < m && IS_OPEN(k, d, PARENT) && op[k].kind == CREATE -> z = true
        :: else -> skip
        fi
    }
    if
#ifdef BLOCKED_WAITS
    :: true -> skip
#else
    :: !z ->
        for (k : 1 .. EDITS) {
            if
            :: PARKED_WITH(k, m) && IS_OPEN(k, d, CHILD) -> park(k)
            :: else -> skip
            fi
        }
    :: else -> skip
#endif
    fi
}

#ifdef RESYNC
/* Another history: the outbox and what is visible stay, and everything is taken anew. Revisions of another history mean
 * nothing in this one. */
inline begin_resync(d) {
    knows[d] = epoch;
    page[d] = PARENTS;
    cursor[d] = 0;
#ifdef PUT_BACK
    proof[d] = 0;
    by_run[d] = 0;
#endif
    for (i : 0 .. 1) {
        former[DEV(d, i)] = (BASE(d, i).is != ABSENT);
#ifndef OLD_REVISIONS
        BASE(d, i).revision = 0
#endif
    }
}

inline go_on_with_resync(d) {
    moved = true;
    for (i : 0 .. 1) {
        former[DEV(d, i)] = former[DEV(d, i)] && TOLD(d, i).is == UNTOLD
    }
    if
    :: page[d] == CATCHING_UP -> page[d] = CHANGES
    :: else -> page[d]++
    fi
}

/* At the end of a resync: what neither the snapshot nor the changes after it have shown is not there. */
inline take_out(d, record) {
    if
    :: page[d] == CATCHING_UP && TOLD(d, record).is == UNTOLD && former[DEV(d, record)] ->
        TOLD(d, record).is = ABSENT
    :: else -> skip
    fi
}
#endif

/* A refusal of the whole request says nothing of an earlier one. */
#define IS_STILL_UNSURE(d, i) (outcome[DEV(d, 0)] == EPOCH_CHANGED && op[asked[DEV(d, i)]].sent == UNSURE)

inline note_answered(d) {
    for (i : 0 .. 1) {
        if
        :: asked[DEV(d, i)] > 0 && op[asked[DEV(d, i)]].state == OPEN && !IS_STILL_UNSURE(d, i) ->
            op[asked[DEV(d, i)]].sent = ANSWERED
        :: else -> skip
        fi
    }
}

inline forget_answer(d) {
    answered[d] = false;
    next[d] = 0;
#ifdef PUT_BACK
    next_proof[d] = 0;
    next_run[d] = 0;
    next_name[d] = 0;
#endif
    for (i : 0 .. 1) {
        asked[DEV(d, i)] = 0;
        outcome[DEV(d, i)] = 0;
        given[DEV(d, i)] = 0;
        CLEAR(TOLD(d, i), UNTOLD)
    }
}

/* All that an answer brings, in one save: results, then changes, then the cursor. */
inline save(d) {
    printf("device %d: saves the answer\n", d);
    moved = false;
    if
#ifdef RESYNC
    :: outcome[DEV(d, 0)] == EPOCH_CHANGED -> begin_resync(d); moved = true
#endif
    :: outcome[DEV(d, 0)] != EPOCH_CHANGED ->
        for (i : 0 .. 1) {
            if
            :: outcome[DEV(d, i)] == ACCEPTED || outcome[DEV(d, i)] == REPLAYED -> accepted(d, asked[DEV(d, i)])
            :: else -> skip
            fi
        }
#ifdef RESYNC
        take_out(d, PARENT);
        take_out(d, CHILD);
#endif
        merge(d, PARENT);
        merge(d, CHILD);
        for (i : 0 .. 1) {
            if
            :: outcome[DEV(d, i)] == BLOCKED && op[asked[DEV(d, i)]].state == OPEN -> blocked(d, asked[DEV(d, i)])
            :: else -> skip
            fi
        }
        moved = moved || next[d] != cursor[d];
        cursor[d] = next[d];
#ifdef PUT_BACK
        moved = moved || next_name[d] != knows[d];
        knows[d] = next_name[d];
        proof[d] = next_proof[d];
        by_run[d] = next_run[d];
#endif
#ifdef RESYNC
        if
        :: IN_RESYNC(d) -> go_on_with_resync(d)
        :: else -> skip
        fi
#endif
    fi;
    note_answered(d);
    forget_answer(d);
    fold(d);
    every_exchange_gets_further = moved;
    assert(every_exchange_gets_further);
    judge_device(d);
    judge_quiet()
}
