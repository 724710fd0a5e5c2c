/* The third process: drain, snapshot, dump and start. */

/* A consumer's reading of a segment: its finished records, header first. */
inline read_records(slot) {
  start_walk(slot);
  do
  :: if
    :: MUTATION(WALK_RELAXED) && at < limit -> load(id, AT(slot, at + 1))
    :: else
    fi;
    next(slot);
    if
    :: word >= 128
    :: word != 0 && word < 128 ->
      if
      :: MUTATION(WALK_RELAXED)
      :: else -> load(id, AT(slot, at + 1))
      fi;
      d_step {
        a1 = id; a2 = word; a3 = slot; a4 = at;
        c_code { check_read(a3, a4, a2, a1); };
        a1 = 0; a2 = 0; a3 = 0; a4 = 0;
        finished++
      }
    :: else -> break
    fi;
    d_step { at = at + 2; id = 0 }
  od;
  end_walk();
  atomic { bare = 0; id = 0 }
}

/* The consumer of a ring that streams. */
inline close_partial() {
  do
  :: from = position;
    if
    :: IS_OPEN(from) && OFFSET(from) > 1 -> cross(0)
    :: else -> result = DROPPED
    fi;
    if
    :: result == TRY_AGAIN
    :: else -> break
    fi
  od;
  atomic { from = 0; fresh = 0; result = 0 }
}
inline reopen() {
  from = position;
  if
  :: OFFSET(from) == FULL ->
    do
    :: fresh < segments && !found ->
      claim_free(fresh);
      fresh = (found -> fresh : fresh + 1)
    :: else -> break
    od;
    if
    :: !found
    :: else ->
      /* The next of the sequence: one more than that of the last. */
      load(id, AT(SLOT(from), ID));
      id = (id / 32 == capture -> id + 1 : capture * 32);
      prepare_header(fresh, id);
      release(fresh, LIVE);
      to = POSITION(SEQUENCE_PART(from) + 1, fresh, 1);
      if
      :: MUTATION(REOPEN_BY_STORE) -> from = position
      :: else
      fi;
      swap_position(fresh, 0, 1, 1);
      if
      :: ok
      :: else -> release(fresh, FREE)
      fi
    fi
  :: else
  fi;
  d_step { from = 0; to = 0; id = 0; found = 0; fresh = 0; counted = 0; ok = 0; lost_before = 0 }
}
inline drain_segment(slot) {
  load(seen, AT(slot, STATE));
  if
  :: seen == LIVE ->
    look_through(slot);
    if
    :: whole || MUTATION(DRAIN_UNFINISHED) ->
      swap_state(slot, seen, HELD, ok);
      if
      :: ok ->
        finished = 0;
        read_records(slot);
        d_step { on = slot; c_code { forget_owners(on); }; on = 0 };
        /* No dump is here that might be reading it. */
        store_release(AT(slot, STATE), CLAIMED);
        if
        :: MUTATION(ZERO_AFTER_FREE) ->
          store_release(AT(slot, STATE), FREE);
          store(WHOLE_SEGMENT + slot, 0)
        :: MUTATION(FREE_RELAXED) ->
          store(WHOLE_SEGMENT + slot, 0);
          store(AT(slot, STATE), FREE)
        :: else ->
          store(WHOLE_SEGMENT + slot, 0);
          store_release(AT(slot, STATE), FREE)
        fi;
        d_step { seen = 0; ok = 0; whole = 0; finished = 0 };
        reopen()
      :: else
      fi
    :: else
    fi
  :: else
  fi;
  d_step { seen = 0; ok = 0; whole = 0; finished = 0 }
}

/* let_go() of held_segments.h */
inline let_go(slot) {
  swap_state(slot, HELD_LEAVING, LEAVING, ok);
  if
  :: ok
  :: !ok && MUTATION(LET_GO_BY_STORE) -> store_release(AT(slot, STATE), LIVE)
  :: !ok && !MUTATION(LET_GO_BY_STORE) -> swap_state(slot, HELD, LIVE, ok)
  fi;
  ok = 0
}

/* A snapshot: the newest closed segments are held, at least three stay with the writers. Which is
   the newest is chosen in one step; the swap finds out whether that still holds. */
inline snapshot() {
  close_partial();
  n = (MUTATION(HOLD_ALL) -> segments : segments - 3);
  do
  :: n > 0 ->
    n--;
    d_step { c_code { choose_newest(); }; mine = chosen; chosen = 0; seen = (mine < segments -> memory[AT(mine, STATE)] : 0) };
    if
    :: mine < segments ->
      d_step {
        swap_state_now(mine, seen, (seen == LEAVING -> HELD_LEAVING : HELD), ok);
        if
        :: ok -> on = mine; c_code { loaded = count_committed(on); }; held_records[mine] = loaded; on = 0; loaded = 0
        :: else
        fi
      };
      ok = 0
    :: else
    fi;
    d_step { seen = 0; mine = 0 }
  :: else -> break
  od;
  do
  :: n < segments ->
    load(seen, AT(n, STATE));
    if
    :: seen == HELD || seen == HELD_LEAVING ->
      read_records(n);
      d_step { a1 = finished; a2 = n; c_code { require(a1 >= now.held_records[a2], "snapshot"); }; a1 = 0; a2 = 0; held_records[n] = 0; finished = 0 };
      let_go(n)
    :: else
    fi;
    d_step { seen = 0; n++ }
  :: else -> break
  od;
  n = 0
}

/* HeldSegments::hold_all() and hold() of held_segments.h, in a stopped ring: not what is empty, since
   that may have been prepared and not opened. */
inline hold_all() {
  n = 0;
  do
  :: n < segments ->
    load(word, AT(n, ID));
    finished = (word / 32 == capture);
    word = 0;
    if
    :: finished ->
      do
      :: swap_state(n, LIVE, HELD, ok);
        if
        :: ok -> break
        :: else
        fi;
        swap_state(n, LEAVING, HELD_LEAVING, ok);
        if
        :: ok -> break
        :: else
        fi;
        load(seen, AT(n, STATE));
        if
        :: seen == LIVE || seen == LEAVING
        :: else -> break
        fi
      od;
      seen = 0;
      if
      :: ok && !MUTATION(EMPTY_HELD) ->
        start_walk(n);
        next(n);
        finished = (end != 0 || word != 0);
        end_walk();
        atomic { word = 0; bare = 0 };
        if
        :: !finished -> let_go(n)
        :: else
        fi
      :: else
      fi
    :: else
    fi;
    atomic { finished = 0; ok = 0; n++ }
  :: else -> break
  od;
  n = 0
}
inline release_all() {
  n = 0;
  do
  :: n < segments ->
    load(seen, AT(n, STATE));
    if
    :: seen == HELD || seen == HELD_LEAVING -> let_go(n)
    :: else
    fi;
    d_step { seen = 0; n++ }
  :: else -> break
  od;
  n = 0
}
inline dump() {
  hold_all();
  d_step { RUNS; c_code { check_dump(); } };
  release_all()
}

/* bool take_over() of session.cpp: whole. */
inline take_over(slot) {
  do
  :: load(seen, AT(slot, STATE));
    if
    :: seen == CLAIMED || seen == LEAVING -> whole = 0; break
    :: else ->
      swap_state(slot, seen, CLAIMED, ok);
      if
      :: !ok
      :: ok && seen == FREE -> whole = 1; break
      :: else ->
        look_through(slot);
        finished = 0;
        whole = whole || MUTATION(START_UNFINISHED);
        if
        :: whole
        :: !whole && MUTATION(START_BY_STORE) -> store_release(AT(slot, STATE), RETIRED)
        :: else -> swap_state(slot, CLAIMED, RETIRED, ok)
        fi;
        break
      fi
    fi
  od;
  atomic { seen = 0; ok = 0 }
}

/* open_ring() of session.cpp. */
inline start_again() {
  d_step { capture++; lost = 0; stopped = 2 };
  n = 0; fresh = segments;
  do
  :: n < segments ->
    take_over(n);
    if
    :: whole ->
      d_step { on = n; c_code { forget_owners(on); }; on = 0 };
      store(WITH_HEADER + n, 0);
      if
      :: fresh == segments -> fresh = n
      :: else -> store_release(AT(n, STATE), FREE)
      fi
    :: else
    fi;
    d_step { whole = 0; ok = 0; seen = 0; n++ }
  :: else -> break
  od;
  if
  :: fresh == segments
  :: else -> store(AT(fresh, ID), capture * 32); store_release(AT(fresh, STATE), LIVE)
  fi;
  atomic {
    FLUSH; stopped = 0; c_code { check_memory(); };
    if
    :: fresh == segments ->
      position = POSITION(SEQUENCE_PART(position) + 1, SLOT(position), FULL);
      opened = capture * 32 - 1
    :: else ->
      position = POSITION(SEQUENCE_PART(position) + 1, fresh, 1);
      opened = capture * 32
    fi
  };
  d_step { fresh = 0; n = 0 }
}
