// The place in a ring at which a sweep's path begins: in the middle of a segment, at its edge, at
// the end of the last; and the mode in which it records.
#pragma once

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "sweep/paths.h"

namespace kernel::sweep {

struct Mode {
  const char* name;
  barefxt_mode mode;
};
inline constexpr Mode kModes[] = {
    {"one_shot", BAREFXT_MODE_ONE_SHOT},
    {"circular", BAREFXT_MODE_CIRCULAR},
    {"streaming", BAREFXT_MODE_STREAMING},
};

enum class Room : uint8_t {
  kAmple,    // for all that is written
  kExact,    // for what the path writes, or for another's record instead
  kNothing,  // for no record at all
};

struct Place {
  const char* name;
  uint32_t segments;    // of the ring
  uint32_t full;        // of these, before the open one
  Room room;            // in the open one
  uint32_t unfinished;  // segments, the oldest first, with a record that is never committed
  bool closed;          // the ring is full already
  bool only_bounded;    // not where the oldest is overwritten
  bool only_circular;
  bool loses;  // whether records may be dropped here
  bool stops;  // a trigger was pulled: recording ends where the next segment would be opened
  bool held;   // a snapshot holds the segment that would be next
};

inline constexpr Place kPlaces[] = {
    {"open", 4, 0, Room::kAmple, 0, false, false, false, false, false, false},
    {"edge", 4, 0, Room::kExact, 0, false, false, false, false, false, false},
    {"crossing", 4, 0, Room::kNothing, 0, false, false, false, false, false, false},
    {"overwriting", 4, 3, Room::kNothing, 0, false, false, true, false, false, false},
    {"overwriting_edge", 4, 3, Room::kExact, 0, false, false, true, false, false, false},
    {"passing_over", 4, 3, Room::kNothing, 1, false, false, true, false, false, false},
    {"held_up", 4, 3, Room::kNothing, 3, false, false, true, true, false, false},
    {"next_is_held", 4, 3, Room::kNothing, 0, false, false, true, false, false, true},
    {"last", 3, 2, Room::kNothing, 0, false, true, false, true, false, false},
    {"last_edge", 3, 2, Room::kExact, 0, false, true, false, true, false, false},
    {"full", 3, 2, Room::kNothing, 0, true, true, false, true, false, false},
    {"triggered", 4, 1, Room::kNothing, 0, false, false, false, true, true, false},
};
inline constexpr const Place& kOpen = kPlaces[0];
constexpr bool exists_in(const Place& place, const Mode& mode) {
  return mode.mode == BAREFXT_MODE_CIRCULAR ? !place.only_bounded : !place.only_circular;
}

// Starts a session and takes its ring there. `path_bytes`: what the path writes, for Room::kExact.
void go_to(const Mode& mode, const Place& place, Runs runs, uint32_t path_bytes);
// The same for a session in the memory of the one before, which may have interrupted writers: at
// its very beginning, with any `place`.
void start_again(const Mode& mode, const Place& place, Runs runs);
// True: sessions with several segments write back for a reset that loses the caches. The next boot
// leaves out records that are not written back, although a reset of this machine keeps them.
extern bool cleans_caches;
// The id of the session.
uint32_t capture();
// Commits what go_to left unfinished.
void finish_place();

// Records without content, to use up room: marked, so that they are known again.
void write_filler(uint32_t bytes);
// The smallest, at a place that the caller has reserved itself by moving the position on from
// `position`.
void write_filler_at(barefxt::PositionWord position, uint64_t ticks);
inline constexpr uint32_t kMinFillerBytes = 3 * sizeof(uint64_t);
bool is_filler(const barefxt::fxt::Word* words);

// The fillers attempted in this session and not lost by go_to itself.
const barefxt::Amount& fillers_attempted();

// Records that go_to left unfinished.
uint32_t unfinished_by_place();

// The totals of losses when the path began. If the place loses records, they are just below the
// carry into their upper half.
const barefxt::Amount& lost_before();

}  // namespace kernel::sweep
