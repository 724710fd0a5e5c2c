// Interrupts that hooks record by number alone: which one a record is about, and the name that a
// person knows it by (interrupt_names.h).
//
// Invariant: a begin and its end get the same name. After a loss the ends of what was open before
// keep theirs, since nothing shows which begin they belong to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <barefxt/fxt/event.h>
#include <barefxt/host/archive_writer.h>
#include <barefxt/host/interrupt_names.h>

#include "capture_content.h"
#include "record_walk.h"

namespace barefxt::host {

// The number in a wakeup by an interrupt that has no records of its own.
std::optional<uint32_t> interrupt_of_wakeup(const CaptureContent& capture, const RecordView& record,
                                            ByteOrder order);

struct NamedInterrupt {
  fxt::EventType type = fxt::EventType::kDurationBegin;  // or kDurationEnd
  ArchiveThread thread;
  std::string_view name;
  uint32_t number = 0;  // of a begin
};

// Gives the interrupts of one CPU their names.
class InterruptNamer {
 public:
  InterruptNamer(const CaptureContent& capture, const InterruptNames& names)
      : capture_(&capture), names_(&names) {}

  // The event to write in place of the CPU's next record; nothing if the record stays as it is.
  std::optional<NamedInterrupt> read(const RecordView& record, ByteOrder order);
  void on_loss() { depth_ = too_deep_ = 0; }

 private:
  // The runtime records 8 within each other; a damaged ring may have more, without names.
  static constexpr size_t kDeepest = 64;

  const CaptureContent* capture_;
  const InterruptNames* names_;
  std::array<std::string_view, kDeepest> open_{};  // empty: without another name
  size_t depth_ = 0;
  size_t too_deep_ = 0;
};

}  // namespace barefxt::host
