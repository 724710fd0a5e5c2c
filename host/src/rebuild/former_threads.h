// Whose a thread index was at which time, where the target gave entries of the gone to others.
//
// Between two owners, and where the record that names an owner is lost, an index is nobody's: a
// record with it is then of an unknown thread, and not of the wrong one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <barefxt/host/capture.h>

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

// In order of time; the owners at the start have time 0. Reads all records where an entry changed
// hands, and none elsewhere.
std::vector<OwnerChange> owner_changes(const Capture& capture);

// What the arguments of a kernel object record say: of the process of a thread, and where an entry
// became another's with this record, that from `since` until its time the entry named this.
struct ObjectFacts {
  uint64_t process = 0;
  bool is_former = false;
  uint64_t since = 0;
  uint8_t index = 0;  // 0: records did not name it by an index
};
// Nothing of other records.
std::optional<ObjectFacts> object_facts(const Capture& capture, const RecordView& record,
                                        ByteOrder order);

}  // namespace barefxt::host
