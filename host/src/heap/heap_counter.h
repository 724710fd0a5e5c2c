// A counter of the live bytes of heaps, for viewers: by the blocks that the trace has, so that it
// begins at 0. Behind a loss it keeps the blocks whose frees may be lost.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>

#include "heap_model.h"

namespace barefxt::host {

class HeapCounter {
 public:
  bool has_events() const { return !owners_.empty(); }
  // Returns the counter behind an event of a heap, valid until the next call. It belongs to the
  // provider's first thread with such an event: so each provider has one.
  std::optional<Event> after(const Event& event, uint64_t provider) {
    const std::optional<HeapEvent> heap = heap_event(event);
    if (!heap || heap->kind == HeapEventKind::kPool) return {};
    Owner& owner = owners_.try_emplace(provider, Owner{event.thread, 0}).first->second;
    const HeapStep step = model_.see(*heap, provider, event.thread.thread, event.timestamp);
    if (step.ended) owner.bytes -= step.ended->bytes;
    if (step.begun != nullptr) owner.bytes += step.begun->bytes;
    words_[kValue] = owner.bytes;
    return Event{
        .type = fxt::EventType::kCounter,
        .timestamp = event.timestamp,
        .thread = owner.thread,
        .category = event.category,
        .name = {kLiveBytes, {}, true},
        .arguments = {reinterpret_cast<const uint8_t*>(words_.data()), 1, false, &strings_},
        .trailing = 0,
        .has_scope = false};
  }

 private:
  static constexpr std::string_view kLiveBytes = "live heap";
  struct Owner {
    ThreadId thread;
    uint64_t bytes;
  };
  // One argument: header, name, value.
  enum Words : uint8_t { kHeader, kName, kValue, kWords };  // unscoped: they are indices
  static std::array<Word, kWords> argument() {
    std::array<Word, kWords> words{};
    words[kHeader] = fxt::ArgumentHeader::make(fxt::ArgumentType::kUint64, kWords,
                                               fxt::StringRef::inline_bytes(kHeapBytes.size()));
    std::memcpy(&words[kName], kHeapBytes.data(), kHeapBytes.size());
    return words;
  }

  HeapModel model_;
  std::map<uint64_t, Owner> owners_;
  std::array<Word, kWords> words_ = argument();
  StringTable strings_;
};

}  // namespace barefxt::host
