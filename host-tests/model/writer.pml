/* The writers: ring.cpp, and the stop, which may come from them. */

/* bool end_look(): ok. */
inline end_look(slot, then) {
  do
  :: swap_state(slot, LEAVING, then, ok);
    if
    :: ok -> break
    :: else ->
      swap_state(slot, HELD_LEAVING, HELD, ok);
      if
      :: ok -> ok = 0; break
      :: else
      fi
    fi
  od
}

/* bool overwrite() */
inline overwrite(slot) {
  swap_state(slot, seen, LEAVING, ok);
  if
  :: ok ->
    look_through(slot);
    atomic { RUNS; whole = (whole || MUTATION(REUSE_UNCHECKED)) && position == from };
    if
    :: !whole -> end_look(slot, LIVE)
    :: else ->
      load(word, AT(slot, OVR));
      d_step { counted = word + finished; word = 0 };
      if
      :: MUTATION(COUNT_AFTER_CLAIM)
      :: else -> store(AT(slot, OWC), counted)
      fi;
      end_look(slot, CLAIMED);
      if
      :: ok ->
        d_step { found = 1; on = slot; c_code { forget_owners(on); }; on = 0 };
        if
        :: MUTATION(COUNT_AFTER_CLAIM) -> store(AT(slot, OWC), counted)
        :: else
        fi;
        store(WHOLE_SEGMENT + slot, 0)
      :: else
      fi
    fi;
    whole = 0; finished = 0
  :: else
  fi;
  ok = 0
}

/* bool claim_free(): found. */
inline claim_free(slot) {
  if
  :: MUTATION(CLAIM_BY_STORE) -> ok = 1; store(AT(slot, STATE), CLAIMED)
  :: else -> swap_state(slot, FREE, CLAIMED, ok)
  fi;
  if
  :: ok ->
    found = 1;
    load(counted, AT(slot, OVR));
    store(AT(slot, OWC), counted)
  :: else
  fi;
  ok = 0
}

/* Claim claim_segment(): found, fresh; another. */
inline claim_segment(after) {
  d_step { fresh = after; i = 1; found = 0; another = 0 };
  do
  :: i < segments && !found ->
    d_step { fresh = (fresh + 1) % segments; i++ };
    load(seen, AT(fresh, STATE));
    if
    :: seen == CLAIMED || seen == LEAVING -> another = 1
    :: seen == FREE ->
      claim_free(fresh);
      another = another || !found
    :: seen == LIVE || (seen == HELD && MUTATION(HELD_IGNORED)) ->
      load(end, AT(fresh, END));
      if
      :: !end -> another = another || !MUTATION(OPEN_UNNOTICED)
      :: end && MODE(CIRCULAR) -> end = 0; overwrite(fresh)
      :: else -> end = 0
      fi
    :: else
    fi;
    seen = 0
  :: else -> break
  od;
  i = 0
}

/* void release() */
inline release(slot, state) {
  store(AT(slot, OVR), counted);
  store_release(AT(slot, STATE), state)
}

/* A session's header: its id, and the losses so far. */
inline prepare_header(slot, id) {
  load(word, AT(slot, ID));
  if
  :: word / 32 != id / 32 -> counted = 0; store(AT(slot, OWC), 0)
  :: else
  fi;
  word = 0;
  /* In this order for other CPUs, too: stricter than the code, see ring.pml. */
  put(AT(slot, ID), id, 0, 1);
  atomic { RUNS; lost_before = lost };
  if
  :: MUTATION(LOST_AFTER_PUBLISHING)
  :: else -> store(AT(slot, LOST), lost_before)
  fi
}

/* The swap of the position, in `from` and `to`. With a size it reserves a record in `slot`. */
inline swap_position(slot, size, acquiring, opens) {
  d_step {
    RUNS;
    if
    :: acquiring -> FLUSH
    :: else
    fi;
    if
    :: position == from ->
      position = to; ok = 1;
      if
      :: opens -> a1 = slot; a2 = id; a3 = lost_before; c_code { open_segment(a1, a2, a3); }
      :: else
      fi;
      if
      :: size -> a1 = slot; a2 = (opens -> 1 : OFFSET(from)); a3 = mine; a4 = ticks;
        c_code { reserve(a1, a2, a3, a4); }
      :: else
      fi;
      a1 = 0; a2 = 0; a3 = 0; a4 = 0
    :: else -> ok = 0
    fi
  }
}

#define AFTER(position) (SEQUENCE_PART(position) + (MUTATION(NO_SEQUENCE) -> 0 : 1))

/* A writer that tries again lost to another that went on: so the tries of all are bounded by the
   work done. */
inline lost_race(with) {
  d_step { RUNS; a1 = (position == with && !MUTATION(NO_SEQUENCE) && !MUTATION(STOP_FORGETS_SEQUENCE)); c_code { require(!a1, "progress"); }; a1 = 0 }
}

/* Crossing cross(): of a writer or, with size 0, of a caller that closes the open segment. */
#define TRY_AGAIN 0
#define IS_RESERVED 1
#define DROPPED 2
inline cross(size) {
  claim_segment(SLOT(from));
  if
  :: !found ->
    if
    :: RUNS && position != from -> lost_race(from); result = TRY_AGAIN
    :: RUNS && position == from ->
      result = DROPPED;
      if
      :: !another && !MODE(CIRCULAR) && size ->
        to = POSITION(SEQUENCE_PART(from) + 1, SLOT(from), FULL);
        swap_position(0, 0, 1, 0);
        if
        :: ok -> store_release(AT(SLOT(from), END), OFFSET(from))
        :: else
        fi;
        ok = 0
      :: else
      fi
    fi
  :: else ->
    /* The load of the open segment's header is not ordered before the second look at the position. */
    late = 0;
    if
    :: load(id, AT(SLOT(from), ID))
    :: late = 1
    fi;
    /* The second look spares work, and the trigger, which is left out, a number of another session.
       No property hangs on it: what was prepared with the next session's id cannot be published,
       since that takes the position that the segment was claimed at. Nor does it deceive anybody
       before it is given back: who starts a session or holds segments makes it his by a swap, and
       then sees that it is empty. FOLLOW_POSITION takes the position from the second look. */
    if
    :: atomic {
        RUNS && (position == from || (MUTATION(FOLLOW_POSITION) && IS_OPEN(position)));
        from = position
      };
      if
      :: late -> load(id, AT(SLOT(from), ID))
      :: else
      fi;
      id = id + 1;
      if
      :: MUTATION(END_BEFORE_SWAP) -> store_release(AT(SLOT(from), END), OFFSET(from))
      :: else
      fi;
      prepare_header(fresh, id);
      if
      :: MUTATION(LIVE_AFTER_POSITION)
      :: MUTATION(PUBLISH_RELAXED) -> store(AT(fresh, OVR), counted); store(AT(fresh, STATE), LIVE)
      :: else -> release(fresh, LIVE)
      fi;
      if
      :: !MUTATION(COUNTER_BEFORE_POSITION) -> read_counter()
      :: else
      fi;
      to = POSITION(AFTER(from), fresh, 1 + size);
      swap_position(fresh, size, !MUTATION(PUBLISH_RELAXED), 1);
      if
      :: ok ->
        result = IS_RESERVED;
        if
        :: MUTATION(LIVE_AFTER_POSITION) -> release(fresh, LIVE)
        :: MUTATION(LOST_AFTER_PUBLISHING) -> store(AT(fresh, LOST), lost)
        :: else
        fi;
        if
        :: MUTATION(END_BEFORE_SWAP)
        :: else -> store_release(AT(SLOT(from), END), OFFSET(from))
        fi
      :: else ->
        lost_race(from);
        release(fresh, FREE); result = TRY_AGAIN
      fi;
      ok = 0
    :: RUNS && position != from && !(MUTATION(FOLLOW_POSITION) && IS_OPEN(position)) ->
      lost_race(from);
      release(fresh, FREE); result = TRY_AGAIN
    fi;
    id = 0; late = 0; lost_before = 0
  fi;
  d_step { found = 0; another = 0; counted = 0; to = 0 }
}

#define REGISTERS \
  byte seen, fresh, i, word, end, limit, at, zeros, again, finished, counted, id, lost_before, ticks, mine, n, result; \
  bit ok, found, another, whole, bare, late, slow; \
  short from, to

/* stop_recording() of session.cpp. */
inline stop() {
  d_step {
    RUNS; FLUSH;
    from = position;
    if
    :: MUTATION(STOP_BESIDE_THE_WORD) -> closing = 1
    :: else -> position = POSITION((MUTATION(STOP_FORGETS_SEQUENCE) -> 0 : SEQUENCE_PART(from)), SLOT(from), STOPPED)
    fi;
    stopped = 1
  };
  if
  :: IS_OPEN(from) -> store_release(AT(SLOT(from), END), OFFSET(from))
  :: else
  fi;
  from = 0
}

/* reserve_slowly(), try_reserve(), and what follows a reservation. */
proctype Writer(byte me, cpu, records) {
  REGISTERS;
  do
  :: n < records ->
    atomic { RUNS; attempted++; mine = RECORD_OF(me, n); n++; interrupting = (me == 1 && cpu == 0 -> 1 : interrupting) };
    result = TRY_AGAIN; slow = 0;
    do
    :: result == TRY_AGAIN ->
      if
      :: MUTATION(COUNTER_BEFORE_POSITION) -> read_counter()
      :: else
      fi;
      atomic {
        RUNS; from = position;
        if
        :: closing -> from = 0
        :: else
        fi
      };
      if
      :: OFFSET(from) == STOPPED -> attempted--; break
      :: OFFSET(from) == FULL -> result = DROPPED
      :: IS_OPEN(from) && OFFSET(from) + 2 <= 1 + WORDS ->
        if
        :: !MUTATION(COUNTER_BEFORE_POSITION) -> read_counter()
        :: else
        fi;
        to = from + 2;
        /* The first try is that of try_reserve(), whose swap is relaxed. */
        swap_position(SLOT(from), 2, slow, 0);
        if
        :: ok -> result = IS_RESERVED; fresh = SLOT(from); i = OFFSET(from) - 1
        :: else -> lost_race(from)
        fi;
        slow = 1;
        ok = 0
      :: else ->
        cross(2); i = 0
      fi
    :: result == IS_RESERVED ->
      if
      :: MUTATION(NO_PLACEHOLDER)
      :: MUTATION(HEADER_FIRST) -> put(AT(fresh, i), HEADER_OF(mine), mine, 0)
      :: else -> put(AT(fresh, i), PLACEHOLDER_OF(mine), mine, 0)
      fi;
      put(AT(fresh, i + 1), PAYLOAD_OF(mine), mine, (!MUTATION(PLACEHOLDER_UNORDERED)));
      put(AT(fresh, i), HEADER_OF(mine), mine, (!MUTATION(COMMIT_RELAXED)));
      break
    :: result == DROPPED -> d_step { RUNS; lost++ }; break
    od;
    atomic { from = 0; to = 0; ticks = 0; mine = 0; fresh = 0; i = 0; result = 0;
      interrupting = (me == 1 -> 0 : interrupting) }
  :: else -> break
  od;
  if
  :: me == 0 && stops -> stop()
  :: else
  fi;
  done++
}
