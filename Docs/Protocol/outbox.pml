/* The outbox: what a person does becomes operations, which the fold shows and requests carry. */

#define FIELD_A 1
#define FIELD_B 2
#define FIRST_A 3

inline close(m) {
    op[m].state = CLOSED;
    moved = true
}

/* Edits of an operation that needs no acceptance any more. */
inline settle(m) {
    printf("  operation %d needs no acceptance any more\n", m);
    settled = settled | BIT(m) | BITS(op[m].f[A]) | BITS(op[m].f[B]);
    close(m)
}

inline park(m) {
    printf("  operation %d is parked\n", m);
    parked = parked | BIT(m) | BITS(op[m].f[A]) | BITS(op[m].f[B]);
    close(m)
}

/* The fold: base, then the open operations in order. A deletion of the parent hides the child, and a new parent under
 * the same id does not bring it back. */
inline fold(d) {
    x = (BASE(d, PARENT).is == LIVE);
    y = (BASE(d, CHILD).is == LIVE);
    has_open[d] = false;
    z = 0;                      /* fields with an open operation: 1 the parent's, 2 and 4 the child's */
    shown[d] = VALUE(BASE(d, CHILD).f[A]);
    for (k : 1 .. EDITS) {
        if
        :: op[k].state == OPEN && op[k].by == d ->
            has_open[d] = true;
            if
            :: op[k].kind == DELETE && op[k].on == PARENT -> x = 0; y = 0
            :: op[k].kind == DELETE && op[k].on == CHILD -> y = 0
            :: else ->
                if
                :: op[k].on == PARENT -> x = (op[k].kind == CREATE -> 1 : x); z = z | 1
                :: else ->
                    y = (op[k].kind == CREATE -> 1 : y);
                    shown[d] = (op[k].f[A] != NONE -> VALUE(op[k].f[A]) : shown[d]);
                    z = z | (op[k].f[A] != NONE -> 2 : 0) | (op[k].f[B] != NONE -> 4 : 0)
                fi
            fi
        :: else -> skip
        fi
    }
    y = y && x;
    visible[DEV(d, PARENT)] = x;
    visible[DEV(d, CHILD)] = y;
    /* What a person can see now: values, and that something was deleted. */
    aware[d] = aware[d] |
        ((x && !(z & 1)) || BASE(d, PARENT).is == TOMBSTONE -> BITS(BASE(d, PARENT).f[A]) : 0) |
        ((y && !(z & 2)) || BASE(d, CHILD).is == TOMBSTONE -> BITS(BASE(d, CHILD).f[A]) : 0) |
        (y && !(z & 4) -> BITS(BASE(d, CHILD).f[B]) : 0)
}

/* Whether an operation may still be changed: under one key only one content leaves a device. */
#ifdef SENT_CHANGED
#define UNSENT(m) true
#else
#define UNSENT(m) (op[m].sent == NEVER)
#endif

inline set_field(field, edit) {
    settled = settled | BITS(field);
    field = edit
}

/* A person acts: an operation is appended, or merged into the last one of the record where that was never sent. */
inline edit(d, what, record, field) {
    made++;
    seen[made] = aware[d];
    aware[d] = aware[d] | BIT(made);
    undone = undone | (field == FIRST_A -> BIT(made) : 0);
    last = 0;
    x = 0;                      /* how many operations of the record are open */
    z = false;                  /* an operation of the child stands behind the parent's last one */
    for (k : 1 .. EDITS) {
        if
        :: IS_OPEN(k, d, record) -> last = k; z = false; x++
        :: op[k].state == OPEN && op[k].by == d && op[k].on != record && record == PARENT -> z = true
        :: else -> skip
        fi
    }
    if
    :: last > 0 && UNSENT(last) && what == UPDATE && op[last].kind != DELETE ->
        op[made].state = CLOSED;
        if
        :: field == FIELD_B -> set_field(op[last].f[B], made)
        :: else -> set_field(op[last].f[A], made)
        fi
    :: last > 0 && UNSENT(last) && !z && what == DELETE && op[last].kind != DELETE ->
        op[made].state = CLOSED;
        settled = settled | BIT(last) | BITS(op[last].f[A]) | BITS(op[last].f[B]);
        if
        :: op[last].kind == UPDATE -> op[last].kind = DELETE; op[last].f[A] = made; op[last].f[B] = NONE
        :: else ->
            /* Another copy of this store may have sent what this device has not. */
            settled = settled | BIT(made);
            gave_up[DEV(d, record)] = (BASE(d, record).is == ABSENT && x == 1 -> made : 0);
            op[made].f[A] = op[last].f[A];
            op[made].f[B] = op[last].f[B];
            close(last)
        fi
    :: else ->
        op[made].state = OPEN;
        op[made].kind = what;
#if COPIED
        op[made].key = made;
#endif
        gave_up[DEV(d, record)] = (what == CREATE -> 0 : gave_up[DEV(d, record)]);
        op[made].on = record;
        op[made].by = d;
        op[made].f[A] = (what == UPDATE && field == FIELD_B -> NONE : made);
        op[made].f[B] = (record == CHILD && (what == CREATE || field == FIELD_B) -> made : NONE);
        if
        :: record == PARENT && what == CREATE -> op[made].f[B] = 0
        :: else -> skip
        fi
    fi;
    printf("device %d: edit %d: %e the %e, operation %d\n", d, made, what, (record == PARENT -> parent : child),
        (op[made].state == OPEN -> made : last));
    fold(d);
    tidy()
}

#define HAS_PLACE(m) (y == 0 || (y == 1 && q_on[0] != op[m].on))

#ifdef SENT_IN_RESYNC
#define MAY_SEND(d) true
#else
#define MAY_SEND(d) !IN_RESYNC(d)
#endif

/* The request: the outbox from its beginning, up to the second operation of a record. Nothing in a snapshot, because
 * what is here was not compared with this epoch yet. */
inline request(d, with_outbox) {
    who = d;
    q_cursor = cursor[d];
    q_epoch = knows[d];
#ifdef PUT_BACK
    q_proof = proof[d];
    q_run = by_run[d];
#endif
    printf("device %d: asks for what follows %d\n", d, q_cursor);
    q_op[0] = 0; q_op[1] = 0;
    q_key[0] = 0; q_key[1] = 0;
    y = 0;
    z = with_outbox && MAY_SEND(d);
    for (k : 1 .. EDITS) {
        if
        :: z && op[k].state == OPEN && op[k].by == d ->
            if
            :: HAS_PLACE(k) ->
                q_op[y] = k;
                q_key[y] = KEY_OF(k);
                q_kind[y] = op[k].kind;
                q_on[y] = op[k].on;
                q_base[y] = BASE(d, op[k].on).revision;
                q_a[y] = op[k].f[A];
                q_b[y] = op[k].f[B];
                op[k].sent = (op[k].sent == NEVER || op[k].sent == ANSWERED -> ASKED : UNSURE);
                printf("device %d: sends operation %d with base %d\n", d, k, q_base[y]);
                y++
            :: else -> z = false
            fi
        :: else -> skip
        fi
    }
}

/* What plays no part any more looks the same in every state. */
inline tidy() {
    z = 0;                      /* edits that may still reach the server */
    for (k : 1 .. EDITS) {
        if
        :: op[k].state == OPEN || op[k].state == KEPT ->
            z = z | BIT(k) | BIT(KEY_OF(k)) | BITS(op[k].f[A]) | BITS(op[k].f[B])
        :: op[k].state == CLOSED ->
            op[k].kind = 0; op[k].on = 0; op[k].by = 0; op[k].sent = 0; op[k].f[A] = 0; op[k].f[B] = 0
        :: else -> skip
        fi
    }
#if LATE
    for (i : 0 .. 1) {
        z = z | BITS(away_key[i]) | (away_key[i] -> BITS(away_a[i]) | BITS(away_b[i]) : 0)
    }
#endif
    for (k : 1 .. EDITS) {
        if
        :: !HAS(z, k) && op[k].state == CLOSED ->
            seen[k] = 0; key[k] = 0; key_kind[k] = 0; key_a[k] = 0; key_b[k] = 0
        :: else -> skip
        fi
    }
    applied = applied & z;
    forgot = forgot & z
}
