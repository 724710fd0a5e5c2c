// Whose a thread index was at which time, where the target gave entries of the gone to others.
//
// Between two owners, and where the record that names an owner is lost, an index has no owner. A
// record with it gets an unknown thread then, and never a wrong one.
//
// Invariant: memory is bounded, however often entries change hands: changes and names are sorted
// and kept in temporary files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <barefxt/host/spooled_array.h>

#include "capture_content.h"
#include "ring_cursor.h"

namespace barefxt::host {

// From `time` on, until the next change of this index.
struct OwnerChange {
  uint64_t time = 0;
  uint8_t index = 0;
  bool is_known = false;
  uint64_t process = 0;
  uint64_t koid = 0;
};

// A name that is in a ring.
struct RingName {
  uint64_t koid = 0;
  uint64_t time = 0;
  std::string_view name;  // into the capture's frames
  bool is_former = false;
  uint64_t since = 0;  // of a former one
};

class FormerOwners {
 public:
  // Reads all records where an entry changed hands, and none elsewhere. Once.
  Status read(const CaptureContent& capture);

  bool have_changed = false;  // whether any entry has
  // In order of time; the owners at the start have time 0.
  std::span<const OwnerChange> changes;
  // In order of koid and time.
  std::span<const RingName> names;

  bool has_name(uint64_t koid) const;
  // The next name of that koid in a ring, behind that time; null: there is none.
  const RingName* name_after(uint64_t koid, uint64_t time) const;

 private:
  SpooledArray<OwnerChange> changes_;
  SpooledArray<RingName> names_;
};

// The arguments of a kernel object record. They give a thread's process. If a table entry became
// another thread's with this record (`is_former`), the entry named the record's thread from `since`
// until the record's time.
struct ObjectFacts {
  uint64_t process = 0;
  bool is_former = false;
  uint64_t since = 0;
  uint8_t index = 0;      // 0: records did not name it by an index
  std::string_view name;  // where it is in the record itself
};
// Nothing of other records.
std::optional<ObjectFacts> object_facts(const CaptureContent& capture, const RecordView& record,
                                        ByteOrder order);

}  // namespace barefxt::host
