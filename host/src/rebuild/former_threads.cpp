#include "former_threads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

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
  const fxt::StringRef own{static_cast<uint16_t>(Object::Name::in(record.header))};
  if (own.is_inline() && own.bytes() <= (record.words() - 2) * fxt::kWordBytes)
    facts.name = {reinterpret_cast<const char*>(record.bytes.data()) + 2 * fxt::kWordBytes,
                  own.bytes()};
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

namespace {

// What a record said of an entry that its owner has got back since does not count.
class Periods {
 public:
  void add(const OwnerChange& begin, uint64_t end) {
    Period& period = periods_[{begin.index, begin.time}];
    if (period.end <= end) period = {begin, end};
  }
  void put(std::vector<OwnerChange>& changes) const {
    for (const auto& [key, period] : periods_) {
      changes.push_back(period.begin);
      if (period.end != kOpen) changes.push_back({period.end, period.begin.index, false, 0, 0});
    }
  }
  static constexpr uint64_t kOpen = ~uint64_t{0};

 private:
  struct Period {
    OwnerChange begin;
    uint64_t end = 0;
  };
  std::map<std::pair<uint8_t, uint64_t>, Period> periods_;
};

void collect(const Capture& capture, Periods& periods, std::vector<RingName>& names) {
  for (const Ring& ring : capture.rings()) {
    for (RingCursor cursor(capture, ring); !cursor.is_over(); cursor.step()) {
      const auto facts = object_facts(capture, cursor.record(), cursor.order());
      if (!facts) continue;
      const uint64_t koid = word_at(cursor.record(), 1, cursor.order());
      names.push_back({koid, cursor.time(), facts->name, facts->is_former, facts->since});
      if (facts->is_former && facts->index != 0)
        periods.add({facts->since, facts->index, true, facts->process, koid}, cursor.time() + 1);
    }
  }
}

bool is_before(const RingName& left, const RingName& right) {
  return std::tuple(left.koid, left.time) < std::tuple(right.koid, right.time);
}

}  // namespace

bool FormerOwners::has_name(uint64_t koid) const {
  const auto found =
      std::lower_bound(names.begin(), names.end(), RingName{koid, 0, {}, false, 0}, is_before);
  return found != names.end() && found->koid == koid;
}

const RingName* FormerOwners::name_after(uint64_t koid, uint64_t time) const {
  const auto found =
      std::upper_bound(names.begin(), names.end(), RingName{koid, time, {}, false, 0}, is_before);
  return found != names.end() && found->koid == koid ? &*found : nullptr;
}

FormerOwners former_owners(const Capture& capture) {
  FormerOwners owners;
  Periods periods;
  for (const ThreadFacts& entry : capture.threads()) {
    owners.have_changed = owners.have_changed || entry.has_since;
    if (has_thread_index(entry))
      periods.add({entry.since, entry.index, true, entry.process, entry.koid}, Periods::kOpen);
  }
  if (owners.have_changed) collect(capture, periods, owners.names);
  periods.put(owners.changes);
  // Where one ends as the next begins, the next counts.
  std::sort(owners.changes.begin(), owners.changes.end(),
            [](const OwnerChange& left, const OwnerChange& right) {
              return std::tuple(left.time, left.is_known, left.index) <
                     std::tuple(right.time, right.is_known, right.index);
            });
  std::sort(owners.names.begin(), owners.names.end(), is_before);
  return owners;
}

}  // namespace barefxt::host
