/* The merge: base, theirs and the open operations of a record. */

/* Whether theirs differs from the base, by value: who set a value and put it back has changed nothing. */
#define IS_CHANGED(d, record, field) \
    (BASE(d, record).is != LIVE || \
    VALUE(TOLD(d, record).f[field]) != VALUE(BASE(d, record).f[field]))
#define IS_PUT_BACK(d, record, field) \
    (!IS_CHANGED(d, record, field) && TOLD(d, record).f[field] != BASE(d, record).f[field])

inline note_put_back(d, record, field) {
    if
    :: HAS(listed, BASE(d, record).f[field]) -> listed = listed | BITS(TOLD(d, record).f[field])
    :: else -> put_back = put_back | BITS(TOLD(d, record).f[field])
    fi
}

/* Whether the server may have carried out an operation, and others have changed the record since: an earlier request
 * with it got no answer. Its key tells, unless that was forgotten. */
#ifdef DOUBT_IGNORED
#define IS_UNSURE(d, m) false
#else
#define IS_UNSURE(d, m) \
    (op[m].sent == UNSURE || (op[m].sent == ASKED && asked[DEV(d, 0)] != m && asked[DEV(d, 1)] != m))
#endif

/* Whether theirs wins instead of ours: never. */
#ifdef OURS_DROPPED
#define GIVES_WAY(d, record, field) IS_CHANGED(d, record, field)
#else
#ifdef DIFFERENCE_OF_VALUES
#define GIVES_WAY(d, record, field) \
    (BASE(d, record).is == LIVE && VALUE(x) == VALUE(BASE(d, record).f[field]))
#else
#define GIVES_WAY(d, record, field) false
#endif
#endif

/* Whether an operation goes again as it was, whole: it may have arrived, this answer does not tell, and its key will. */
#define DIFFERS(record, m, d, field) \
    (op[m].f[field] != NONE && VALUE(op[m].f[field]) != VALUE(TOLD(d, record).f[field]))
#ifdef SENT_NARROWED
#define IS_WHOLE(d, record, m) false
#else
#define IS_WHOLE(d, record, m) \
    ((op[m].sent == UNSURE || op[m].sent == ASKED) && asked[DEV(d, 0)] != m && asked[DEV(d, 1)] != m && \
    (DIFFERS(record, m, d, A) || DIFFERS(record, m, d, B)))
#endif

/* One field of the merge. An operation has a field if it names it, whatever the value. Where theirs is neither the
 * base nor one of ours, ours wins and theirs is listed. What is equal to theirs, and not behind another open operation
 * on the field, need not be sent. */
inline merge_field(d, record, field) {
    x = 0;                      /* ours has the field */
    y = 0;                      /* theirs is one of ours */
    z = true;                   /* no open operation on the field so far */
    w = false;                  /* ours may have been carried out before theirs */
    for (k : 1 .. EDITS) {
        if
        :: IS_OPEN(k, d, record) && op[k].kind == DELETE -> z = false
        :: IS_OPEN(k, d, record) && op[k].kind != DELETE && op[k].f[field] != NONE ->
            x = op[k].f[field];
            w = w || IS_UNSURE(d, k);
            if
            :: VALUE(op[k].f[field]) == VALUE(TOLD(d, record).f[field]) ->
                y = true;
                settled = settled | BITS(TOLD(d, record).f[field]);
                if
                :: z && !IS_WHOLE(d, record, k) -> settled = settled | BITS(op[k].f[field]); op[k].f[field] = NONE
                :: else -> z = false
                fi
            :: else -> z = false
            fi
        :: else -> skip
        fi
    }
    if
    :: x > 0 && !y && GIVES_WAY(d, record, field) ->
        for (k : 1 .. EDITS) {
            if
            :: IS_OPEN(k, d, record) && op[k].kind != DELETE -> op[k].f[field] = NONE
            :: else -> skip
            fi
        }
    :: x > 0 && !y && !GIVES_WAY(d, record, field) && (IS_CHANGED(d, record, field) || w) ->
        listed = listed | BITS(TOLD(d, record).f[field])
    :: x > 0 && !y && !GIVES_WAY(d, record, field) && !w && IS_PUT_BACK(d, record, field) ->
        note_put_back(d, record, field)
    :: else -> skip
    fi
}

/* Ours a deletion: it wins, and what is new in theirs is listed. */
inline list_change(d, record, field) {
    if
    :: IS_CHANGED(d, record, field) -> listed = listed | BITS(TOLD(d, record).f[field])
    :: IS_PUT_BACK(d, record, field) -> note_put_back(d, record, field)
    :: else -> skip
    fi
}

#ifdef RESYNC
/* A base of a former epoch: it was accepted there, and where this epoch has something else, only devices have it. */
inline list_former(d, record, field) {
    if
    :: former[DEV(d, record)] && BASE(d, record).f[field] != TOLD(d, record).f[field] ->
        listed = listed | BITS(BASE(d, record).f[field])
    :: else -> skip
    fi
}
#endif

#ifdef FORMER_LIVES
#define IS_NEW_LIFE(d, record) false
#else
#define IS_NEW_LIFE(d, record) \
    (BASE(d, record).is == LIVE && TOLD(d, record).born > BASE(d, record).born)
#endif

#define IS_REFUSED(d, record, i) \
    (outcome[DEV(d, i)] == EXISTS && op[asked[DEV(d, i)]].on == record && op[asked[DEV(d, i)]].kind == CREATE)
#define IS_TO_APPLY(d, record) \
    (TOLD(d, record).revision > BASE(d, record).revision || TOLD(d, record).is == ABSENT || \
    IS_REFUSED(d, record, 0) || IS_REFUSED(d, record, 1))

#define IS_EMPTY(m) (op[m].f[A] == NONE && op[m].f[B] == NONE)

/* What the server has done to the child with a deletion of the parent, unless the child is of what was made since. The
 * revision stays, so that the server's own word for the child is news. A deletion of the child itself stays as well, and
 * the life that it is of. */
#ifdef CARRIED_TOO_FAR
#define IS_OLDER(d, at) true
#else
#define IS_OLDER(d, at) (BASE(d, CHILD).revision < (at))
#endif
inline end_child(d, at) {
    z = false;
    for (k : 1 .. EDITS) {
        z = z || (IS_OPEN(k, d, CHILD) && op[k].kind == DELETE)
    }
    if
    :: BASE(d, CHILD).is == LIVE && IS_OLDER(d, at) && !z -> BASE(d, CHILD).is = TOMBSTONE
    :: else -> skip
    fi
}

/* A record that was made and deleted here before it was sent, and comes all the same, is deleted. What it has beside
 * what was given up is listed. */
inline list_beside(record, d, field) {
    if
    :: op[m_up].f[field] != TOLD(d, record).f[field] -> listed = listed | BITS(TOLD(d, record).f[field])
    :: else -> skip
    fi
}

inline delete_again(d, record) {
    m_up = gave_up[DEV(d, record)];
    gave_up[DEV(d, record)] = 0;
    printf("  operation %d deletes what was given up\n", m_up);
    list_beside(record, d, A);
    list_beside(record, d, B);
    moved = true;
    op[m_up].state = OPEN;
    op[m_up].kind = DELETE;
    op[m_up].on = record;
    op[m_up].by = d;
#if COPIED
    op[m_up].key = m_up;
#endif
    op[m_up].f[A] = m_up;
    op[m_up].f[B] = NONE
}

#ifdef GIVEN_UP_FORGOTTEN
#define COMES_BACK(d, record) false
#else
#define COMES_BACK(d, record) \
    (gave_up[DEV(d, record)] > 0 && BASE(d, record).is == ABSENT && TOLD(d, record).is == LIVE)
#endif

/* The one merge: base, theirs (what the answer told of the record) and the open operations. */
inline merge(d, record) {
    if
    :: TOLD(d, record).is != UNTOLD && IS_TO_APPLY(d, record) ->
        gave_up[DEV(d, record)] = (TOLD(d, record).is == TOMBSTONE -> 0 : gave_up[DEV(d, record)]);
        if
        :: COMES_BACK(d, record) -> delete_again(d, record); COPY(BASE(d, record), TOLD(d, record))
        :: else -> skip
        fi;
        moved = moved || TOLD(d, record).revision != BASE(d, record).revision;
        last = 0;               /* our last deletion of the record */
        r = 0;                  /* our deletion of its parent */
        for (k : 1 .. EDITS) {
            if
            :: IS_OPEN(k, d, record) && op[k].kind == DELETE -> last = k
            :: record == CHILD && IS_OPEN(k, d, PARENT) && op[k].kind == DELETE -> r = k
            :: else -> skip
            fi
        }
        /* A deletion is of one life of a record. Where that has ended, it is done, and so is what came before it. */
        if
        :: last > 0 && (TOLD(d, record).is != LIVE || IS_NEW_LIFE(d, record)) ->
            for (k : 1 .. EDITS) {
                if
                :: k <= last && IS_OPEN(k, d, record) -> settle(k)
                :: else -> skip
                fi
            }
            if
            :: record == PARENT && TOLD(d, record).is == LIVE -> end_child(d, TOLD(d, record).born)
            :: record == PARENT && TOLD(d, record).is == TOMBSTONE -> end_child(d, TOLD(d, record).revision)
            :: record == PARENT && TOLD(d, record).is == ABSENT -> end_child(d, 15)
            :: else -> skip
            fi;
            last = 0
        :: else -> skip
        fi;
        if
        :: TOLD(d, record).is == LIVE ->
            if
            :: last > 0 || r > 0 -> list_change(d, record, A); list_change(d, record, B)
            :: else -> skip
            fi;
            merge_field(d, record, A);
            merge_field(d, record, B);
            /* A create of what exists goes on as an edit; an operation with nothing left to send is accepted. Behind
             * a deletion of ours nothing exists. */
            z = true;
            for (k : 1 .. EDITS) {
                if
                :: IS_OPEN(k, d, record) && op[k].kind == DELETE -> z = false
                :: z && IS_OPEN(k, d, record) && op[k].kind != DELETE ->
                    if
                    :: op[k].kind == CREATE && !IS_WHOLE(d, record, k) -> op[k].kind = UPDATE; moved = true
                    :: else -> skip
                    fi;
                    if
                    :: IS_EMPTY(k) -> settle(k)
                    :: else -> skip
                    fi
                :: else -> skip
                fi
            }
        :: else ->
            for (k : 1 .. EDITS) {
                if
                :: IS_OPEN(k, d, record) && !(TOLD(d, record).is == ABSENT && op[k].kind == CREATE) -> park(k)
                :: else -> skip
                fi
            }
        fi;
#ifdef RESYNC
        list_former(d, record, A);
        list_former(d, record, B);
#endif
        COPY(BASE(d, record), TOLD(d, record))
    :: else -> skip
    fi
}
