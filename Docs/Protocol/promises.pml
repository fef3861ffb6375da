/* What is demanded of an exchange, and the history that it is judged by. Nothing here guides a device or the server. */

#define EDIT_BITS 7
#define BITS(edit) (((edit) == NONE || (edit) == 0) -> 0 : BIT(edit))
#define HAS(set, edit) (((set) >> (edit)) & 1)

/* Sets of edits. */
byte aware[2];          /* what has been visible on a device, its own edits among it */
byte seen[EDITS + 1];   /* what had been visible where an edit was made, when it was made */
unsigned written : EDIT_BITS;           /* in the history of the server */
unsigned overwritten : EDIT_BITS;       /* by an edit that had seen it, or that lists it */
unsigned listed : EDIT_BITS;            /* kept on a device as a conflict that can be restored */
unsigned parked : EDIT_BITS;            /* kept on a device as an operation that could not be accepted */
unsigned settled : EDIT_BITS;           /* by a later edit of the same device, or equal to what the server has */
unsigned put_back : EDIT_BITS;          /* theirs had the value of the base again: nothing had changed */
unsigned undone : EDIT_BITS;            /* wrote the value of the beginning */

/* Sets of mutations, by their keys. */
unsigned applied : EDIT_BITS;           /* have taken effect */
unsigned forgot : EDIT_BITS;            /* whose keys the server has forgotten */

#ifdef REFUSALS_KEPT
unsigned refused : EDIT_BITS;           /* whose refusals the server keeps */
#endif

bit was_copied;                         /* a copy of a store is in use */

#if COPIED
byte kept_aware;        /* whoever goes on with a copy knows what its edits were made of */
#endif

#if RESTORED
unsigned kept_written : EDIT_BITS;
unsigned kept_applied : EDIT_BITS;
#endif

#define VALUE(edit) (HAS(undone, edit) -> 0 : (edit))

/* The promises, as pan names them where one is broken. */
SCRATCH byte no_edit_is_lost;
SCRATCH byte mutations_take_effect_once;
SCRATCH byte no_child_without_its_parent;
SCRATCH byte deleted_records_stay_deleted;
SCRATCH byte the_cursor_passes_no_change;
SCRATCH byte everybody_agrees;
SCRATCH byte every_exchange_gets_further;
SCRATCH byte everything_settles;

/* Mutation `m` with edit `by` replaces what `was` wrote: it had seen that, or that is listed. */
inline judge_overwriting(m, by, was) {
    if
    :: (was) == 0 || (was) == (by) ->
        mutations_take_effect_once = !HAS(applied, m) || HAS(forgot, m) || was_copied;
        assert(mutations_take_effect_once)
    :: else ->
        no_edit_is_lost = HAS(seen[by] | listed | settled | put_back, was);
        assert(no_edit_is_lost);
        /* A second time only where the key was forgotten, or where the edit has become a part of another mutation in a copy
         * of the store; and what it takes away is listed, or put back by a later edit. */
        mutations_take_effect_once =
            !HAS(applied, m) || (HAS(forgot, m) && HAS(listed | settled, was)) ||
            (was_copied && (!HAS(written, by) || HAS(listed | settled | put_back, was)));
        assert(mutations_take_effect_once);
        overwritten = overwritten | BIT(was)
    fi
}

/* Whether mutation `m` of the request says what it said when its key was kept. A key that comes with anything else is a new
 * one. */
#ifdef KEY_OF_TWO_PAYLOADS
#define SAYS_THE_SAME(m) true
#else
#define SAYS_THE_SAME(m) \
    (key_kind[q_key[m]] == q_kind[m] && key_a[q_key[m]] == q_a[m] && key_b[q_key[m]] == q_b[m])
#endif

/* Mutation `m` of the request creates or deletes: never a second time in one history. */
inline judge_repetition(m) {
    mutations_take_effect_once = !HAS(applied, q_key[m]) || (was_copied && !SAYS_THE_SAME(m));
    assert(mutations_take_effect_once)
}

/* A create by edit `by` replaces the tombstone that `was` left: on purpose, hence knowing of it. */
inline judge_resurrection(by, was) {
    deleted_records_stay_deleted = HAS(seen[by], was);
    assert(deleted_records_stay_deleted);
    overwritten = overwritten | BIT(was)
}

inline judge_server() {
    no_child_without_its_parent = (server[CHILD].is != LIVE || server[PARENT].is == LIVE);
    assert(no_child_without_its_parent)
}

#define MISSED(d, r) \
    (server[r].revision <= cursor[d] && BASE(d, r).revision < server[r].revision && \
    !(server[r].is == TOMBSTONE && BASE(d, r).is == ABSENT))

#ifdef EPOCH_IGNORED
#define KNOWS_EPOCH(d) true
#elif defined(PUT_BACK)
#ifdef RUN_IGNORED
#define KNOWS_EPOCH(d) (knows[d] == epoch)
#else
#define KNOWS_EPOCH(d) (knows[d] == epoch && IS_PROVEN(by_run[d], proof[d]))
#endif
#else
#define KNOWS_EPOCH(d) (knows[d] == epoch)
#endif

/* After each save: what the cursor has passed is in the store. A snapshot tells of no tombstones. */
inline judge_device(d) {
    if
    :: KNOWS_EPOCH(d) && !IN_RESYNC(d) ->
        the_cursor_passes_no_change = !MISSED(d, PARENT) && !MISSED(d, CHILD);
        assert(the_cursor_passes_no_change)
    :: else -> skip
    fi
}

#define EQUAL(one, other) \
    (one.is == other.is && one.revision == other.revision && one.born == other.born && one.f[A] == other.f[A] && \
    one.f[B] == other.f[B])
#define AGREES(d, r) \
    (visible[DEV(d, r)] == (server[r].is == LIVE) && \
    (server[r].is == LIVE -> EQUAL(BASE(d, r), server[r]) : BASE(d, r).is != LIVE))

/* What a person has made and deleted before it was sent is there. */
#define IS_BACK(d, r) (gave_up[DEV(d, r)] > 0 && visible[DEV(d, r)])

/* Nothing to send, nothing to hear. */
#define QUIET(d) (!answered[d] && !has_open[d] && cursor[d] == head && KNOWS_EPOCH(d) && !IN_RESYNC(d))

/* When both devices are quiet. Operations that are parked are shown beside the records, not in them. */
inline judge_quiet() {
    if
    :: QUIET(0) && QUIET(1) ->
        everybody_agrees = AGREES(0, PARENT) && AGREES(0, CHILD) && AGREES(1, PARENT) && AGREES(1, CHILD);
        assert(everybody_agrees);
        deleted_records_stay_deleted = !IS_BACK(0, PARENT) && !IS_BACK(0, CHILD) && !IS_BACK(1, PARENT) && !IS_BACK(1, CHILD);
        assert(deleted_records_stay_deleted);
        no_edit_is_lost = ((written | overwritten | listed | parked | settled | put_back) == (1 << (made + 1)) - 2);
        assert(no_edit_is_lost)
    :: else -> skip
    fi
}
