/* The model's invariants, checked after every store that becomes visible, and the memory itself:
   store buffers, one per CPU, that stores leave in any order that the code allows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutations.h"
#include "names.h"

extern void (*uerror)(char*); /* the verifier: ends the search with an error */

static int from_environment(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

#define MEMORY(slot, field) now.memory[AT(slot, field)]
#define STATE_OF(slot) MEMORY(slot, STATE)
#define CAPTURE_OF(slot) (MEMORY(slot, ID) / 32)

/* A record's state: its capture * 8 and these. */
#define RESERVED 1
#define COMMITTED 2
#define SENT 4

static void require(int holds, const char* property) {
  static char text[80];
  if (holds) return;
  snprintf(text, sizeof text, "PROPERTY %s", property);
  uerror(text);
}

static int holds_records(int state) {
  return state == LIVE || state == LEAVING || state == HELD || state == HELD_LEAVING;
}

/* Marks the finished records of a segment as any walker would find them. */
static int find_records(int slot, unsigned char* found) {
  int end = MEMORY(slot, END), at = 0, count = 0;
  if (end == 0) end = 1 + WORDS;
  while (at < end - 1) {
    int word = MEMORY(slot, at), record;
    if (word == 0) {
      at += 1;
      continue;
    }
    if (word >= 128) {
      at += 2;
      continue;
    }
    require(word % 2 == 0, "content"); /* a payload where a header belongs */
    record = (word - 2) / 2;
    require(at + 2 <= end - 1, "content");
    require(MEMORY(slot, at + 1) == PAYLOAD_OF(record), "content");
    require(!found[record], "content"); /* twice */
    found[record] = 1;
    ++count;
    at += 2;
  }
  return count;
}

static int sum_of_overwritten(void) {
  int slot, sum = 0;
  for (slot = 0; slot < now.segments; ++slot)
    if (CAPTURE_OF(slot) == now.capture)
      sum += STATE_OF(slot) == CLAIMED ? MEMORY(slot, OWC) : MEMORY(slot, OVR);
  return sum;
}

/* Exact at every instruction, for any reader of the memory: each committed record can be read, was
   sent, or is counted as overwritten; and is what its writer stored. */
static void check_memory(void) {
  unsigned char found[MAX_RECORDS] = {0};
  int slot, record, missing = 0, held = 0;
  for (slot = 0; slot < now.segments; ++slot) {
    if (STATE_OF(slot) == HELD || STATE_OF(slot) == HELD_LEAVING) ++held;
    if (holds_records(STATE_OF(slot)) && CAPTURE_OF(slot) == now.capture) find_records(slot, found);
  }
  for (record = 0; record < MAX_RECORDS; ++record) {
    int is = now.record[record];
    if (is / 8 != now.capture) {
      require(!found[record], "session"); /* dumped as another session's */
      continue;
    }
    if (found[record]) require(is & COMMITTED, "content");
    if ((is & COMMITTED) && !found[record] && !(is & SENT)) ++missing;
  }
  if (now.stopped != 2) require(missing == sum_of_overwritten(), "accounting");
  if (now.control == SNAPSHOTS) require(now.segments - held >= 3, "writable");
}

/* Stores become visible. */

static void make_visible(int place, int value, int record) {
  if (place >= WHOLE_SEGMENT) {
    int slot = (place - WHOLE_SEGMENT) % 10, word;
    require(now.owner[slot * 2] == 0 && now.owner[slot * 2 + 1] == 0, "zeroing");
    for (word = 0; word < WORDS; ++word) MEMORY(slot, word) = 0;
    MEMORY(slot, END) = 0;
    if (place >= WITH_HEADER)
      MEMORY(slot, ID) = MEMORY(slot, LOST) = MEMORY(slot, OVR) = MEMORY(slot, OWC) = 0;
  } else {
    int slot = place / FIELDS, field = place % FIELDS;
    if (field < WORDS) {
      require(now.owner[slot * 2 + field / 2] == record + 1, "store");
      if (value == HEADER_OF(record)) now.record[record] |= COMMITTED;
    }
    now.memory[place] = value;
  }
  check_memory();
}

#define ENTRY(cpu, i) ((cpu) * ENTRIES + (i))

/* Returns true if a store to `many`, a place or a whole segment, changes the value at `one`. */
static int covers(int many, int one) {
  if (many < WHOLE_SEGMENT) return many == one;
  if (one >= WHOLE_SEGMENT) return many % 10 == one % 10;
  return many % 10 == one / FIELDS && one % FIELDS <= (many >= WITH_HEADER ? OWC : END);
}

/* Stores of one CPU become visible in any order, but those to one place in theirs, and a release
   after all before it. */
static int can_leave(int cpu, int i) {
  int j;
  if (now.is_release[ENTRY(cpu, i)]) return i == 0;
  for (j = 0; j < i; ++j) {
    int earlier = now.place[ENTRY(cpu, j)], later = now.place[ENTRY(cpu, i)];
    if (covers(earlier, later) || covers(later, earlier)) return 0;
  }
  return 1;
}

static void look_what_may_leave(int cpu) {
  int i;
  now.may_leave[cpu] = 0;
  for (i = 0; i < now.stores[cpu]; ++i)
    if (can_leave(cpu, i)) now.may_leave[cpu] |= 1 << i;
}

static void leave(int cpu, int i) {
  int place = now.place[ENTRY(cpu, i)], value = now.value[ENTRY(cpu, i)],
      record = now.of_record[ENTRY(cpu, i)], j;
  for (j = i; j + 1 < now.stores[cpu]; ++j) {
    now.place[ENTRY(cpu, j)] = now.place[ENTRY(cpu, j + 1)];
    now.value[ENTRY(cpu, j)] = now.value[ENTRY(cpu, j + 1)];
    now.of_record[ENTRY(cpu, j)] = now.of_record[ENTRY(cpu, j + 1)];
    now.is_release[ENTRY(cpu, j)] = now.is_release[ENTRY(cpu, j + 1)];
  }
  --now.stores[cpu];
  j = now.stores[cpu];
  now.place[ENTRY(cpu, j)] = now.value[ENTRY(cpu, j)] = 0;
  now.of_record[ENTRY(cpu, j)] = now.is_release[ENTRY(cpu, j)] = 0;
  look_what_may_leave(cpu);
  make_visible(place, value, record);
}

static void flush(int cpu) {
  while (now.stores[cpu] > 0) leave(cpu, 0);
}

static void stored(int cpu) {
  if (now.strong)
    flush(cpu);
  else
    look_what_may_leave(cpu);
}

/* A CPU sees its own stores. */
static int load(int cpu, int place) {
  int i;
  for (i = now.stores[cpu] - 1; i >= 0; --i)
    if (covers(now.place[ENTRY(cpu, i)], place)) return now.value[ENTRY(cpu, i)];
  return now.memory[place];
}

/* A record is reserved: by the swap of the position, at the place it had before or, in a crossing,
   at the start of `slot`. */
static void reserve(int slot, int offset, int record, int ticks) {
  require(!now.stopped, "stopped");
  require(ticks == now.reservations, "order"); /* another came between the counter and the swap */
  require(now.owner[slot * 2 + (offset - 1) / 2] == 0, "overlap");
  now.owner[slot * 2 + (offset - 1) / 2] = record + 1;
  now.record[record] = now.capture * 8 + RESERVED;
  ++now.reservations;
}

/* A segment is opened: by then all must see the content of its header. */
static void open_segment(int slot, int id, int lost) {
  require(!now.stopped, "stopped");
  require(MEMORY(slot, ID) == id, "header");
  require(MEMORY(slot, LOST) >= lost, "header");
  require(MEMORY(slot, END) == 0, "header");
  require(id == now.opened + 1, "numbers");
  now.opened = id;
}

static void forget_owners(int slot) { now.owner[slot * 2] = now.owner[slot * 2 + 1] = 0; }

/* HeldSegments::next() of held_segments.h: a dump takes the held segments in the order of their
   sequence numbers. */
static void check_dump(void) {
  unsigned char dumped[MAX_RECORDS] = {0}, found[MAX_RECORDS] = {0};
  int sequence = 0, slot, taken = 0;
  for (slot = 0; slot < now.segments; ++slot)
    if (holds_records(STATE_OF(slot)) && CAPTURE_OF(slot) == now.capture) find_records(slot, found);
  for (;;) {
    int best = -1;
    for (slot = 0; slot < now.segments; ++slot) {
      int its;
      if ((STATE_OF(slot) != HELD && STATE_OF(slot) != HELD_LEAVING) ||
          CAPTURE_OF(slot) != now.capture || (taken >> slot & 1))
        continue;
      its = MEMORY(slot, ID) % 32;
      if (its < sequence) continue;
      if (best < 0 || its < MEMORY(best, ID) % 32) best = slot;
    }
    if (best < 0) break;
    find_records(best, dumped);
    taken |= 1 << best;
    sequence = MEMORY(best, ID) % 32 + 1;
  }
  require(memcmp(dumped, found, sizeof dumped) == 0, "dump");
}

/* A consumer's reading of a record: its header, then its payload. */
static void check_read(int slot, int at, int word, int payload) {
  int record = (word - 2) / 2;
  require(word % 2 == 0 && payload == PAYLOAD_OF(record), "content");
  require(now.owner[slot * 2 + at / 2] == record + 1, "content");
  if (now.control != DRAINS) return;
  require(!(now.record[record] & SENT), "content");
  now.record[record] |= SENT;
}

static int count_committed(int slot) {
  int i, count = 0;
  for (i = 0; i < 2; ++i)
    if (now.owner[slot * 2 + i] && (now.record[now.owner[slot * 2 + i] - 1] & COMMITTED)) ++count;
  return count;
}

/* The newest closed segment of the session that a snapshot may take. */
static void choose_newest(void) {
  int slot;
  chosen = now.segments;
  for (slot = 0; slot < now.segments; ++slot) {
    int may = STATE_OF(slot) == LIVE || STATE_OF(slot) == LEAVING;
    if (!may || MEMORY(slot, END) == 0 || CAPTURE_OF(slot) != now.capture) continue;
    if (chosen == now.segments || MEMORY(slot, ID) > MEMORY(chosen, ID)) chosen = slot;
  }
}

/* A ring as it is after `records` records, one after the other, undisturbed. */
static void write_earlier_records(int records) {
  int slot = 0, offset = 1, i;
  for (i = 0; i < records; ++i) {
    if (offset == 1 + WORDS) {
      MEMORY(slot, END) = offset;
      ++slot;
      offset = 1;
    }
    if (offset == 1) {
      MEMORY(slot, ID) = now.capture * 32 + slot;
      MEMORY(slot, STATE) = LIVE;
    }
    MEMORY(slot, offset - 1) = HEADER_OF(EARLIER_RECORD(i));
    MEMORY(slot, offset) = PAYLOAD_OF(EARLIER_RECORD(i));
    now.owner[slot * 2 + (offset - 1) / 2] = EARLIER_RECORD(i) + 1;
    now.record[EARLIER_RECORD(i)] = now.capture * 8 + RESERVED + COMMITTED;
    offset += 2;
  }
  MEMORY(slot, ID) = now.capture * 32 + slot;
  MEMORY(slot, STATE) = LIVE;
  now.position = POSITION(1 + slot, slot, offset);
  now.opened = MEMORY(slot, ID);
  check_memory();
}

/* The run's parameters; in the registers, what its processes get. */
static void configure(void) {
  now.mode = from_environment("MODEL_MODE", ONE_SHOT);
  now.control = from_environment("MODEL_CONTROL", NOTHING);
  now.strong = from_environment("MODEL_STRONG", 0);
  now.stops = from_environment("MODEL_WRITER_STOPS", 0);
  now.mutation = from_environment("MODEL_MUTATION", 0);
  on = now.segments = from_environment("MODEL_SEGMENTS", 3);
  a1 = from_environment("MODEL_RECORDS_0", 2);
  a2 = from_environment("MODEL_RECORDS_1", 2);
  a3 = from_environment("MODEL_NESTED", 0) ? 0 : 1;
  a4 = from_environment("MODEL_ROUNDS", 2);
  now.capture = 1;
  now.attempted = from_environment("MODEL_EARLIER", 0);
  write_earlier_records(now.attempted);
}

/* When everybody is done: attempted = read + dropped + overwritten, and nothing is unfinished. */
static void check_end(void) {
  int record, slot, there = 0,
                    restarted = now.control == STARTS_AGAIN || now.control == STARTS_AT_ONCE;
  unsigned char found[MAX_RECORDS] = {0};
  check_memory();
  for (slot = 0; slot < now.segments; ++slot) {
    require(STATE_OF(slot) != CLAIMED && STATE_OF(slot) != LEAVING && STATE_OF(slot) != HELD &&
                STATE_OF(slot) != HELD_LEAVING,
            "left");
    /* No writer will close it: it would never be used again. */
    if (STATE_OF(slot) == LIVE || STATE_OF(slot) == RETIRED)
      require(MEMORY(slot, END) || (IS_OPEN(now.position) && SLOT(now.position) == slot), "left");
    if (STATE_OF(slot) == FREE) {
      int word;
      for (word = 0; word < WORDS; ++word) require(MEMORY(slot, word) == 0, "zeroing");
      require(MEMORY(slot, END) == 0, "zeroing");
      /* Only the drain opens a full ring again: otherwise it would never be used, either. */
      require(OFFSET(now.position) != FULL || now.mode != ONE_SHOT, "left");
    }
    if (STATE_OF(slot) == LIVE && CAPTURE_OF(slot) == now.capture) find_records(slot, found);
  }
  for (record = 0; record < MAX_RECORDS; ++record) {
    int is = now.record[record];
    if (is == 0) continue;
    require(is & COMMITTED, "accounting");
    if ((is & SENT) || found[record]) ++there;
  }
  if (!restarted) require(there + sum_of_overwritten() + now.lost == now.attempted, "accounting");
}
