#include "former_threads.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/object.h>

namespace barefxt::host {
namespace {

bool has_thread_index(const ThreadFacts& entry) {
  return entry.kind != 0 && entry.index != 0 &&
         wire::is_thread(static_cast<wire::ThreadsEntryKind>(entry.kind));
}

size_t words_of_text(uint64_t ref) {
  return fxt::StringRef{static_cast<uint16_t>(ref)}.inline_words();
}

}  // namespace

std::optional<ObjectFacts> object_facts(const Capture& capture, const RecordView& record,
                                        ByteOrder order) {
  using Object = fxt::KernelObject;
  using Header = fxt::ArgumentHeader;
  if (record.type() != fxt::RecordType::kKernelObject || record.words() < 2) return {};
  ObjectFacts facts;
  size_t at = 2 + words_of_text(Object::Name::in(record.header));
  for (size_t left = Object::ArgumentCount::in(record.header); left != 0; --left) {
    if (at >= record.words()) break;
    const uint64_t header = word_at(record, at, order);
    const size_t words = Header::SizeWords::in(header);
    if (words == 0 || words > record.words() - at) break;
    const fxt::StringRef ref{static_cast<uint16_t>(Header::Name::in(header))};
    const std::string_view name =
        ref.is_indexed() ? capture.string(ref.value).value_or("") : std::string_view();
    const auto type = static_cast<fxt::ArgumentType>(Header::Type::in(header));
    const bool has_word = words >= 2;
    if (type == fxt::ArgumentType::kKoid && has_word && name == "process")
      facts.process = word_at(record, at + 1, order);
    if (type == fxt::ArgumentType::kUint64 && has_word && name == wire::FormerEntry::kSince) {
      facts.since = word_at(record, at + 1, order);
      facts.is_former = true;
    }
    if (type == fxt::ArgumentType::kUint32 && name == wire::FormerEntry::kIndex)
      facts.index = static_cast<uint8_t>(Header::Uint32::in(header));
    at += words;
  }
  return facts;
}

std::vector<OwnerChange> owner_changes(const Capture& capture) {
  std::vector<OwnerChange> changes;
  bool has_changed = false;
  for (const ThreadFacts& entry : capture.threads()) {
    if (!has_thread_index(entry)) continue;
    has_changed = has_changed || entry.since != 0;
    changes.push_back({entry.since, entry.index, true, entry.process, entry.koid});
  }
  if (has_changed) {
    for (const Ring& ring : capture.rings()) {
      for (RingCursor cursor(capture, ring); !cursor.is_over(); cursor.step()) {
        const auto facts = object_facts(capture, cursor.record(), cursor.order());
        if (!facts || !facts->is_former || facts->index == 0) continue;
        const uint64_t koid = word_at(cursor.record(), 1, cursor.order());
        changes.push_back({facts->since, facts->index, true, facts->process, koid});
        changes.push_back({cursor.time() + 1, facts->index, false, 0, 0});
      }
    }
  }
  // Where one ends as the next begins, the next counts.
  std::stable_sort(changes.begin(), changes.end(), [](const auto& left, const auto& right) {
    return std::tuple(left.time, left.is_known) < std::tuple(right.time, right.is_known);
  });
  return changes;
}

}  // namespace barefxt::host
