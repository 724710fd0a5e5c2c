// Events of heaps in archives: instants that `rebuild` makes of the target's records.
#pragma once

#include <optional>
#include <string_view>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/host/record.h>

namespace barefxt::host {

inline constexpr std::string_view kHeapCategory = "heap";
inline constexpr std::string_view kHeapAddress = "address";
inline constexpr std::string_view kHeapBytes = "bytes";
inline constexpr std::string_view kHeapCaller = "caller";
inline constexpr std::string_view kHeapPool = "pool";
inline constexpr std::string_view kHeapPoolName = "name";
inline constexpr std::string_view kHeapPoolUsed = "used";

inline std::string_view heap_event_name(fxt::HeapAction action) {
  switch (action) {
    case fxt::HeapAction::kAlloc:
      return "alloc";
    case fxt::HeapAction::kFree:
      return "free";
    default:
      return "realloc";
  }
}

enum class HeapEventKind : uint8_t { kAlloc, kFree, kResize, kPool };

struct HeapEvent {
  HeapEventKind kind;
  uint64_t address = 0;  // 0 of an allocation: it failed
  uint64_t bytes = 0;
  uint64_t caller = 0;
  uint64_t used = 0;      // of a pool, when it was recorded
  std::string_view name;  // of a pool
};

// Nothing where an event is about something else, or lacks what it is about.
inline std::optional<HeapEvent> heap_event(const Event& event) {
  if (event.category.bytes != kHeapCategory || event.type != fxt::EventType::kInstant) return {};
  const std::string_view name = event.name.bytes;
  HeapEvent heap{};
  if (name == heap_event_name(fxt::HeapAction::kAlloc))
    heap.kind = HeapEventKind::kAlloc;
  else if (name == heap_event_name(fxt::HeapAction::kFree))
    heap.kind = HeapEventKind::kFree;
  else if (name == heap_event_name(fxt::HeapAction::kResize))
    heap.kind = HeapEventKind::kResize;
  else if (name == kHeapPool)
    heap.kind = HeapEventKind::kPool;
  else
    return {};
  bool has_address = false;
  bool has_bytes = heap.kind == HeapEventKind::kFree;
  for (const Argument& argument : event.arguments) {
    const bool is_count =
        argument.type == fxt::ArgumentType::kUint32 || argument.type == fxt::ArgumentType::kUint64;
    const bool is_pointer = argument.type == fxt::ArgumentType::kPointer;
    if (is_pointer && argument.name.bytes == kHeapAddress) {
      heap.address = argument.bits;
      has_address = true;
    } else if (is_pointer && argument.name.bytes == kHeapCaller) {
      heap.caller = argument.bits;
    } else if (is_count && argument.name.bytes == kHeapBytes) {
      heap.bytes = argument.bits;
      has_bytes = true;
    } else if (is_count && argument.name.bytes == kHeapPoolUsed) {
      heap.used = argument.bits;
    } else if (argument.type == fxt::ArgumentType::kString &&
               argument.name.bytes == kHeapPoolName) {
      heap.name = argument.string.bytes;
    }
  }
  if (!has_address || !has_bytes) return {};
  return heap;
}

}  // namespace barefxt::host
