// Events that rebuild or the target's tracer adds to an archive, apart from what the target's code
// records.
#pragma once

#include <barefxt/host/record.h>

namespace barefxt::host {

inline bool is_complete(const Event& event) {
  return event.type == fxt::EventType::kDurationComplete && event.trailing >= event.timestamp;
}

// Records are missing in this stretch.
inline bool is_loss(const Event& event) {
  return is_complete(event) && event.name.bytes == "drop_stats" &&
         (event.category.bytes == "barefxt" || event.category.bytes == "kernel:meta");
}

}  // namespace barefxt::host
