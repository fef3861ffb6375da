/* Two devices, one server, a record and its parent: the exchange of sync protocol 2. README.md explains it.
 *
 * This file has the state, the processes, and what may happen when. A configuration is a set of -D flags; Scripts/model
 * has the ones that are checked. The flags with which the model must fail stand where the rule is that they break.
 */

/* How much may happen. */
#ifndef EDITS
#define EDITS 3                 /* actions of people, by both devices together: at most 5 */
#endif
#ifndef UNHEARD
#define UNHEARD 0               /* answers that are lost after the commit, or devices that crash before their save */
#endif
#ifndef LATE
#define LATE 0                  /* requests whose device gives up: they are lost, or reach the server later */
#endif
#ifndef FORGOTTEN
#define FORGOTTEN 0             /* keys that the server forgets */
#endif
#ifndef RESTORED
#define RESTORED 0              /* 1: the server may be restored from an older state, once */
#endif
#ifndef COPIED
#define COPIED 0                /* 1: the store of device 0 is kept, and used once: by device 1, or by device 0 again */
#endif
/* -DPUT_BACK: nobody gives the restored history another name. */
/* -DPULLS: a request may leave without the outbox.     -DPAGES: an answer has one change.
 * -DFRESH: device 1 has never synced.                  -DRECORD=ABSENT: the child is not there at the start. */
#ifndef RECORD
#define RECORD LIVE
#endif

/* What people may do; the parent's field is the only one that it has. */
#ifndef MAY
#define MAY EDIT_A + EDIT_B + DELETE_CHILD + CREATE_CHILD
#endif
#define EDIT_A 1
#define EDIT_B 2
#define UNDO_A 4                /* sets the first field to the value that it had at the start */
#define DELETE_CHILD 8
#define CREATE_CHILD 16
#define EDIT_PARENT 32
#define DELETE_PARENT 64
#define CREATE_PARENT 128

/* The two records. A parent has one field, a child two. */
#define PARENT 0
#define CHILD 1
mtype = { parent, child }       /* their names in a story */

/* What a version says of its record. UNTOLD: an answer says nothing of it. */
#define ABSENT 0
#define LIVE 1
#define TOMBSTONE 2
#define UNTOLD 3

#define A 0
#define B 1

/* A field holds the number of the edit that wrote it, 0 at the start; a tombstone in its first field that of the edit
 * that deleted. */
typedef Version {
    unsigned is : 2;
    unsigned revision : 4;
    unsigned born : 4;          /* created_revision */
    byte f[2]
}

#define COPY(to, from) \
    to.is = from.is; to.revision = from.revision; to.born = from.born; to.f[A] = from.f[A]; to.f[B] = from.f[B]
#define CLEAR(version, what) \
    version.is = what; version.revision = 0; version.born = 0; version.f[A] = 0; version.f[B] = 0

mtype = { CREATE, UPDATE, DELETE }

#define UNMADE 0
#define OPEN 1
#define CLOSED 2                /* accepted, merged into another, superseded or parked: promises.pml knows which */
#define KEPT 3                  /* in a copy of its device's store that nobody uses yet */

/* Whether a request with an operation may have left: never; yes, and it is not answered; yes, and an earlier one got no
 * answer; yes, and the last one is answered. */
#define NEVER 0
#define ASKED 1
#define UNSURE 2
#define ANSWERED 3

/* An operation of an outbox. Its number is that of the edit that began it, and the order of the numbers is the order in
 * which operations were made. Its key is this number and what it says, so that it has another key as soon as it says
 * something else; one in a copy of a store has the key of the original. NONE: the operation leaves this field as it is. */
#define NONE 7
typedef Operation {
    unsigned state : 2;
    mtype kind;
    bit on;                     /* PARENT or CHILD */
    bit by;                     /* the device */
    unsigned sent : 2;          /* whether a request with it may have left */
#if COPIED
    unsigned key : 3;
#endif
    byte f[2]
}

Operation op[EDITS + 1];        /* from 1 on */
unsigned made : 3;              /* edits so far */

#define BIT(edit) (1 << (edit))
#define DEV(d, r) ((d) * 2 + (r))
#define BASE(d, r) base[DEV(d, r)]
#define TOLD(d, r) told[DEV(d, r)]
#define IS_OPEN(k, d, r) (op[k].state == OPEN && op[k].by == (d) && op[k].on == (r))

/* The server: the head, both records, and what it knows of keys. */
unsigned head : 4;
Version server[2];
byte key[EDITS + 1];            /* the revision that an accepted mutation was given; 0: unknown or forgotten */
byte key_kind[EDITS + 1];       /* what it said: the digest of its payload */
byte key_a[EDITS + 1];
byte key_b[EDITS + 1];
bit epoch;

/* The devices: what they know of the server (the base of open operations, and else what is visible). */
Version base[4];                /* DEV(device, record) */
byte cursor[2];
bit knows[2];                   /* the epoch that the device knows */
bit visible[4];                 /* the fold of base and open operations shows this record */
byte shown[2];                  /* the value of the child's first field in this fold */
bit has_open[2];                /* the outbox is not empty */
/* DEV(device, record): the edit that deleted a record which was made here and never sent, while that is remembered. */
byte gave_up[4];

/* The answer on its way to a device: what it says of the two operations sent, and of the two records. */
mtype = { ACCEPTED, REPLAYED, STALE, EXISTS, DELETED, BLOCKED, EPOCH_CHANGED }
#define NOTHING 0
bit answered[2];
byte asked[4];                  /* DEV(device, place in the request): the operation, 0: none */
byte outcome[4];
byte given[4];                  /* the revision of what was accepted */
Version told[4];                /* DEV(device, record) */
byte next[2];                   /* the cursor after this answer */

#ifdef PUT_BACK
/* A restore ends the first run of the server and begins the second one. Each cursor names the head of its answer, and
 * the run that had made that head. */
bit gone_back;                  /* the second run has begun */
unsigned end_of_run : 4;        /* the last revision of the first run that is left */
byte proof[2];                  /* the head that the device's cursor names */
bit by_run[2];                     /* and its run */
byte next_proof[2];             /* what the cursor after this answer names */
bit next_run[2];
bit next_name[2];               /* the epoch of this answer */

/* Nothing of the first run lies past the end of it. */
#define IS_PROVEN(of_run, revision) (!gone_back || (of_run) == 1 || (revision) <= end_of_run)
#endif

/* What may still go wrong. */
unsigned unheard : 2 = UNHEARD;
unsigned late : 2 = LATE;
unsigned forgotten : 2 = FORGOTTEN;
unsigned restored : 2 = RESTORED;
unsigned copied : 2 = COPIED;

#if COPIED
/* A copy of the store of device 0. Its operations are in state KEPT. */
bit is_kept;
Version kept_base[2];
byte kept_cursor;
#define KEY_OF(k) op[k].key
#else
#define KEY_OF(k) (k)
#endif

#if RESTORED
/* A backup of the server. */
bit kept;
unsigned kept_head : 4;
Version kept_server[2];
byte kept_key[EDITS + 1];
#endif

#if RESTORED || defined(FRESH)
#define RESYNC
#endif
#ifdef RESYNC
/* The place of a device in its first sync, or in a resync. */
#define CHANGES 0               /* no resync: changes after the cursor */
#define PARENTS 1
#define CHILDREN 2
#define CATCHING_UP 3           /* what changed meanwhile; then what was not shown is taken out */
byte page[2];
bit former[4];                  /* the base is of a former epoch, and this one has not shown the record yet */
#define IN_RESYNC(d) (page[d] != CHANGES)
#define IN_SNAPSHOT(d) (page[d] == PARENTS || page[d] == CHILDREN)
#else
#define IN_RESYNC(d) false
#define IN_SNAPSHOT(d) false
#endif

#if LATE
/* A request that is still on its way though its device has given up. */
bit away;
byte away_key[2];
byte away_kind[2];
bit away_on[2];
byte away_base[2];
byte away_a[2];
byte away_b[2];
unsigned away_cursor : 4;
bit away_epoch;
#ifdef PUT_BACK
unsigned away_proof : 4;
bit away_run;
#endif
#endif

/* The request that is being carried out; it lives within one step. A search by breadth, for the shortest story, cannot
 * do without these in the state. */
#ifdef SHORTEST
#define SCRATCH
#else
#define SCRATCH hidden
#endif
SCRATCH byte q_op[2];
SCRATCH byte q_key[2];
SCRATCH byte q_kind[2];
SCRATCH byte q_on[2];
SCRATCH byte q_base[2];
SCRATCH byte q_a[2];
SCRATCH byte q_b[2];
SCRATCH byte q_cursor;
SCRATCH byte q_epoch;
SCRATCH byte q_proof;
SCRATCH byte q_run;
SCRATCH byte q_outcome[2];
SCRATCH byte q_given[2];
SCRATCH byte q_own[2];          /* for each record: the revision that this request gave it */

/* Scratch of a step. */
SCRATCH byte i;
SCRATCH byte k;
SCRATCH byte r;
SCRATCH byte x;
SCRATCH byte y;
SCRATCH byte z;
SCRATCH byte w;
SCRATCH byte last;
SCRATCH byte moved;
SCRATCH byte m_up;

#include "promises.pml"
#include "server.pml"
#include "faults.pml"
#include "outbox.pml"
#include "merge.pml"
#include "save.pml"

/* The devices begin alike, so the first who acts is called 0. */
#ifdef FRESH
#define IS_TURN(d) true
#else
#define IS_TURN(d) (made > 0 || d == 0)
#endif
#define MAY_ACT(d, what) (made < EDITS && ((MAY) & (what)) && IS_TURN(d))
#define SEES(d, record) (visible[DEV(d, record)])

#ifdef DEAF
#define HAS_REASON_TO_SYNC(d) (has_open[d])
#else
#define HAS_REASON_TO_SYNC(d) (!QUIET(d))
#endif

/* Sending and carrying out are one step: whatever happens between the two is seen by neither. */
inline exchange(d, with_outbox) {
    request(d, with_outbox);
    carry_out();
    answered[d] = true;
    tidy()
}

proctype Device(bit d) {
end:
    do
    /* A person acts. */
    :: d_step { MAY_ACT(d, EDIT_A) && SEES(d, CHILD) -> edit(d, UPDATE, CHILD, FIELD_A) }
    :: d_step { MAY_ACT(d, EDIT_B) && SEES(d, CHILD) -> edit(d, UPDATE, CHILD, FIELD_B) }
    :: d_step { MAY_ACT(d, UNDO_A) && SEES(d, CHILD) && shown[d] != 0 -> edit(d, UPDATE, CHILD, FIRST_A) }
    :: d_step { MAY_ACT(d, DELETE_CHILD) && SEES(d, CHILD) -> edit(d, DELETE, CHILD, 0) }
    :: d_step { MAY_ACT(d, CREATE_CHILD) && !SEES(d, CHILD) && SEES(d, PARENT) -> edit(d, CREATE, CHILD, 0) }
    :: d_step { MAY_ACT(d, EDIT_PARENT) && SEES(d, PARENT) -> edit(d, UPDATE, PARENT, FIELD_A) }
    :: d_step { MAY_ACT(d, DELETE_PARENT) && SEES(d, PARENT) -> edit(d, DELETE, PARENT, 0) }
    :: d_step { MAY_ACT(d, CREATE_PARENT) && !SEES(d, PARENT) -> edit(d, CREATE, PARENT, 0) }

    /* The device syncs. */
    :: d_step { !answered[d] && HAS_REASON_TO_SYNC(d) -> exchange(d, true) }
    :: d_step { answered[d] -> save(d); tidy() }
#ifdef PULLS
    /* Its share of the outbox was halved down to nothing. */
    :: d_step { !answered[d] && has_open[d] && cursor[d] < head && !IN_RESYNC(d) -> exchange(d, false) }
#endif
#if UNHEARD
    /* The answer is lost after the commit, or the device crashes before its save: its store is as it was. */
    :: d_step { answered[d] && unheard > 0 -> lose_answer(d); tidy() }
#endif
#if LATE
    /* The device gives up before the server has the request. */
    :: d_step { !answered[d] && has_open[d] && late > 0 && !away -> request(d, true); send_away(); tidy() }
#endif
#ifdef TWO_SAVES
    /* A crash between a save of the cursor and one of the rest. */
    :: d_step { answered[d] && outcome[DEV(d, 0)] != EPOCH_CHANGED ->
        cursor[d] = next[d]; forget_answer(d); judge_device(d) }
#endif
    od
}

/* What befalls the server, the network and the stores. */
proctype Weather() {
end:
    do
#if FORGOTTEN
    :: d_step { forgotten > 0 && MATTERS(1) -> forget(1) }
#if EDITS > 1
    :: d_step { forgotten > 0 && MATTERS(2) -> forget(2) }
#endif
#if EDITS > 2
    :: d_step { forgotten > 0 && MATTERS(3) -> forget(3) }
#endif
#if EDITS > 3
    :: d_step { forgotten > 0 && MATTERS(4) -> forget(4) }
#endif
#if EDITS > 4
    :: d_step { forgotten > 0 && MATTERS(5) -> forget(5) }
#endif
#endif
#if LATE
    :: d_step { away -> request_away(); carry_out(); clear_away(); tidy() }
    :: d_step { away -> clear_away(); tidy() }
#endif
#if COPIED
    :: d_step { MAY_KEEP -> keep_store(); tidy() }
    :: d_step { is_kept && MAY_COPY -> use_copy(1) }
    :: d_step { is_kept -> roll_back(); use_copy(0) }
#endif
#if RESTORED
    :: d_step { restored > 0 && !kept -> back_up() }
    :: d_step { restored > 0 && kept -> restore(); tidy() }
#endif
    :: false
    od
}

/* When nothing else can happen, nothing is left to do. */
proctype Watch() {
    timeout -> everything_settles = QUIET(0) && QUIET(1); assert(everything_settles)
}

init {
    d_step {
        server[PARENT].is = LIVE; server[PARENT].revision = 1; server[PARENT].born = 1; head = 1;
        if
        :: RECORD == LIVE -> server[CHILD].is = LIVE; server[CHILD].revision = 2; server[CHILD].born = 2; head = 2
        :: else -> skip
        fi;
        for (i : 0 .. 3) {
            COPY(base[i], server[i % 2]);
            visible[i] = (server[i % 2].is == LIVE);
            told[i].is = UNTOLD
        }
        cursor[0] = head;
        cursor[1] = head;
#ifdef FRESH
        for (i : 2 .. 3) {
            CLEAR(base[i], ABSENT);
            visible[i] = false
        }
        cursor[1] = 0;
        page[1] = PARENTS
#endif
    }
    atomic { run Device(0); run Device(1); run Weather(); run Watch() }
}
