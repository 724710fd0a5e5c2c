/* The steps that all processes are made of: one access of shared memory each. */

/* Accesses of memory. Each is one step, and none of a writer that is interrupted. */
#define RUNS !(interrupting && me == 0)


inline load(result, where) {
  d_step { RUNS; on = cpu; at_place = where; c_code { loaded = load(on, at_place); }; result = loaded; loaded = 0; on = 0; at_place = 0 }
}
inline put(where, what, whose, releasing) {
  atomic {
    RUNS && stores[cpu] < ENTRIES;
    d_step {
      place[cpu * ENTRIES + stores[cpu]] = where;
      value[cpu * ENTRIES + stores[cpu]] = what;
      of_record[cpu * ENTRIES + stores[cpu]] = whose;
      is_release[cpu * ENTRIES + stores[cpu]] = releasing;
      stores[cpu]++;
      on = cpu; c_code { stored(on); }; on = 0
    }
  }
}
inline read_counter() { d_step { RUNS; ticks = reservations } }
inline store(where, what) { put(where, what, 0, 0) }
inline store_release(where, what) { put(where, what, 0, 1) }
#define FLUSH on = cpu; c_code { flush(on); }; on = 0

inline swap_state_now(slot, seen, state, ok) {
  FLUSH;
  if
  :: memory[AT(slot, STATE)] == seen -> memory[AT(slot, STATE)] = state; ok = 1; c_code { check_memory(); }
  :: else -> ok = 0
  fi
}
inline swap_state(slot, seen, state, ok) { d_step { RUNS; swap_state_now(slot, seen, state, ok) } }
