/* The protocol of a ring, for spin to explore completely: every interleaving, and every order in which
   its stores may be seen.

   Each step has the name of the function that it stands for: of runtime/src/ring.cpp unless another
   file is named, SegmentWalker and RecordHeaderWord of runtime/include/barefxt/segment.h. One access
   of shared memory is one step, in the order of the code.

   Two writers and a third process: a drain, a snapshot, or stop, dump and start again. The writers run
   freely, as on two CPUs or preempted by each other; or nested, where the second runs to its end
   wherever it interrupts the first, and both share a store buffer.

   Memory is weak in this way: a store waits in its CPU's buffer and leaves it at any time, in any order,
   but after earlier stores to the same place; one with release after all earlier ones; a swap that
   releases empties the buffer first; a relaxed swap does not wait. The CPU itself sees its own stores.
   Loads read what is visible at their moment: those that the code does not order are done at either
   moment (`late` in cross(), and WALK_RELAXED).

   In two places the model is stricter than the code, which has the compiler keep an order, not the
   CPU: who looks from another CPU of a weakly ordered machine, within the moment that a store takes,
   could see it otherwise. A record's payload is seen after its placeholder, and not taken for a
   header (PLACEHOLDER_UNORDERED). And the id of a session in a segment is seen after the count of what
   was overwritten there before it is cleared, and does not count as this session's (prepare_header()).

   Left out: sizes (a record has two words, a segment two records), bytes beside records, threads, the
   trigger, clocks, wrap of the sequence number, halves of 64-bit words, zeroing word by word of a segment that is owned, and
   that a store behind an acquiring swap may be seen before the swap's own.

   Properties, by the name under which ring_checks.h reports them:
     overlap     no two records share a word
     store       a store never lands in a segment that was reused since its reservation
     content     a record that reads as finished is as its writer stored it
     zeroing     no record in use is zeroed; a free segment is zero
     order       no reservation comes between a record's counter reading and its own reservation
     header      a segment's header is complete for all when it opens
     numbers     a session's segments are numbered without gap in the order of their opening
     accounting  at every step, committed = readable + sent + overwritten; in the end
                 attempted = readable + sent + overwritten + dropped
     session     no record is dumped as another session's
     dump        a dump after a stop sends all finished records
     snapshot    records that were finished when a segment was held are read
     writable    three segments at least stay with the writers
     stopped     after stop nothing is reserved and nothing opened
     progress    a writer that tries again lost to another that went on
     left        in the end every segment is without an owner and can be used again
   and that no step ever waits: spin reports that as an invalid end state. */
#include "names.h"
#include "mutations.h"

/* The parameters of a run. They never change, so reading them conflicts with no step: `local`
   declares that to the verifier. */
local byte mutation, mode, control, stops, segments, strong;
#define MUTATION(which) (mutation == which)
#define MODE(which) (mode == which)
#define CONTROL(which) (control == which)

/* The ring's memory, its position, and what is counted as lost. */
byte memory[MAX_SEGMENTS * FIELDS];
short position;
byte lost;
bit closing; /* only where stop is a flag beside the word */

/* Stores that a CPU has done and others do not see yet. */
byte stores[3], may_leave[3];
byte place[3 * ENTRIES], value[3 * ENTRIES], of_record[3 * ENTRIES];
bit is_release[3 * ENTRIES];

/* The true state, as opposed to the ring's knowledge. */
byte capture;                   /* the session */
byte record[MAX_RECORDS];       /* what it has come to */
byte owner[MAX_SEGMENTS * 2];   /* 1 + whose record may be stored at a place */
byte attempted, reservations;
byte opened;                    /* id of the segment that was opened last */
byte stopped;                   /* 1: stop has returned; 2: a session starts, no check looks */
bit interrupting;               /* writer 1 interrupts writer 0 */
byte done;

byte held_records[MAX_SEGMENTS];

hidden byte chosen; hidden byte on; hidden byte at_place; hidden byte loaded;
hidden byte a1; hidden byte a2; hidden byte a3; hidden byte a4;

c_code { \#include "ring_checks.h" }

#include "memory.pml"
#include "segment.pml"
#include "writer.pml"
#include "consumer.pml"

proctype Control(byte me, cpu, rounds) {
  REGISTERS;
  if
  :: CONTROL(DRAINS) ->
    do
    :: rounds > 0 ->
      rounds--;
      reopen();
      if
      :: close_partial()
      :: skip
      fi;
      do
      :: mine < segments -> drain_segment(mine); mine++
      :: else -> mine = 0; break
      od
    :: else -> break
    od
  :: CONTROL(SNAPSHOTS) ->
    do
    :: rounds > 0 -> rounds--; snapshot()
    :: else -> break
    od
  :: CONTROL(STARTS_AGAIN) ->
    stop(); dump(); start_again(); stop(); dump()
  :: CONTROL(DUMPS) -> stop(); dump()
  :: CONTROL(STARTS_AT_ONCE) -> stop(); start_again()
  :: else
  fi;
  done++
}

proctype Memory() {
end:
  do
  :: atomic { may_leave[0] & 1 -> c_code { leave(0, 0); } }
  :: atomic { may_leave[0] & 2 -> c_code { leave(0, 1); } }
  :: atomic { may_leave[0] & 4 -> c_code { leave(0, 2); } }
  :: atomic { may_leave[0] & 8 -> c_code { leave(0, 3); } }
  :: atomic { may_leave[0] & 16 -> c_code { leave(0, 4); } }
  :: atomic { may_leave[0] & 32 -> c_code { leave(0, 5); } }
  :: atomic { may_leave[1] & 1 -> c_code { leave(1, 0); } }
  :: atomic { may_leave[1] & 2 -> c_code { leave(1, 1); } }
  :: atomic { may_leave[1] & 4 -> c_code { leave(1, 2); } }
  :: atomic { may_leave[1] & 8 -> c_code { leave(1, 3); } }
  :: atomic { may_leave[1] & 16 -> c_code { leave(1, 4); } }
  :: atomic { may_leave[1] & 32 -> c_code { leave(1, 5); } }
  :: atomic { may_leave[2] & 1 -> c_code { leave(2, 0); } }
  :: atomic { may_leave[2] & 2 -> c_code { leave(2, 1); } }
  :: atomic { may_leave[2] & 4 -> c_code { leave(2, 2); } }
  :: atomic { may_leave[2] & 8 -> c_code { leave(2, 3); } }
  :: atomic { may_leave[2] & 16 -> c_code { leave(2, 4); } }
  :: atomic { may_leave[2] & 32 -> c_code { leave(2, 5); } }
  od
}

init {
  atomic {
    c_code { configure(); };
    segments = on; on = 0;
    run Writer(0, 0, a1); run Writer(1, a3, a2); run Control(2, 2, a4); run Memory();
    a1 = 0; a2 = 0; a3 = 0; a4 = 0
  };
  done == 3 && stores[0] + stores[1] + stores[2] == 0;
  c_code { check_end(); }
}
