// Records that rebuild, a conversion or the target's tracer adds to an archive, apart from what the
// target's code records.
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

// The first argument, a string, of records that the host adds where others are missing: at a loss,
// the end of a duration that it cut, and switches around it; at an end, the ends of durations
// within, or the begin that it lacks.
inline constexpr std::string_view kAddedArgument = "barefxt_added";
inline constexpr std::string_view kAddedAtLoss = "loss";
inline constexpr std::string_view kAddedByOuterEnd = "outer_end";
inline constexpr std::string_view kAddedForLostBegin = "lost_begin";

inline bool is_added(const Arguments& arguments) {
  if (arguments.size() == 0) return false;
  const Argument first = *arguments.begin();
  return first.type == fxt::ArgumentType::kString && first.name.bytes == kAddedArgument;
}

// A log once more, right ahead of it, in the form that Perfetto shows (perfetto_logs.h): no blob of
// the target's.
inline constexpr std::string_view kLogPacketsName = "barefxt_log";

inline bool repeats_log(const Blob& blob) {
  return blob.type == static_cast<unsigned>(fxt::BlobType::kPerfetto) &&
         blob.name.bytes == kLogPacketsName;
}

}  // namespace barefxt::host
