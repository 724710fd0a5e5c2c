#include "former_threads.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/object.h>

#include "../archive/spilling_sorter.h"

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

std::optional<ObjectFacts> object_facts(const CaptureContent& capture, const RecordView& record,
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

constexpr uint64_t kOpen = ~uint64_t{0};
constexpr size_t kSwitchesSortedInMemory = size_t{1} << 14;

// That an entry named its owner, from `begin.time` until `end`.
struct Period {
  OwnerChange begin;
  uint64_t end;
  uint64_t number;  // in the order of reading
};
struct PeriodBefore {
  bool operator()(const Period& left, const Period& right) const { return key(left) < key(right); }
  static std::tuple<uint8_t, uint64_t, uint64_t, uint64_t> key(const Period& one) {
    return {one.begin.index, one.begin.time, one.end, one.number};
  }
};

// If one ends as the next begins, the next counts.
struct ChangeBefore {
  bool operator()(const OwnerChange& left, const OwnerChange& right) const {
    return std::tuple(left.time, left.is_known, left.index) <
           std::tuple(right.time, right.is_known, right.index);
  }
};

bool is_earlier(const RingName& left, const RingName& right) {
  return std::tuple(left.koid, left.time) < std::tuple(right.koid, right.time);
}
struct NameBefore {
  bool operator()(const RingName& left, const RingName& right) const {
    return std::tuple(left.koid, left.time, left.name.data()) <
           std::tuple(right.koid, right.time, right.name.data());
  }
};

// Keeps the first failure.
template <typename Sorter>
class Sorted {
 public:
  template <typename T>
  void add(const T& element) {
    if (status_.ok()) status_ = sorter_.add(element);
  }
  template <typename See>
  Status take(const See& see) {
    return status_.ok() ? sorter_.take([&](const auto& one, std::string_view) { see(one); })
                        : status_;
  }
  template <typename T>
  Status take_into(SpooledArray<T>& array) {
    Status kept;
    const Status sorted = take([&](const T& one) {
      if (kept.ok()) kept = array.push_back(one);
    });
    return sorted.ok() ? kept : sorted;
  }

 private:
  Sorter sorter_{SorterRoom{.elements = kSwitchesSortedInMemory}};
  Status status_;
};

}  // namespace

bool FormerOwners::has_name(uint64_t koid) const {
  const auto found =
      std::lower_bound(names.begin(), names.end(), RingName{koid, 0, {}, false, 0}, is_earlier);
  return found != names.end() && found->koid == koid;
}

const RingName* FormerOwners::name_after(uint64_t koid, uint64_t time) const {
  const auto found =
      std::upper_bound(names.begin(), names.end(), RingName{koid, time, {}, false, 0}, is_earlier);
  return found != names.end() && found->koid == koid ? &*found : nullptr;
}

Status FormerOwners::read(const CaptureContent& capture) {
  Sorted<SpillingSorter<Period, PeriodBefore>> periods;
  Sorted<SpillingSorter<RingName, NameBefore>> all_names;
  uint64_t number = 0;
  for (const ThreadFacts& entry : capture.threads()) {
    have_changed = have_changed || entry.has_since;
    if (has_thread_index(entry))
      periods.add(
          Period{{entry.since, entry.index, true, entry.process, entry.koid}, kOpen, number++});
  }
  if (have_changed)
    for (const Ring& ring : capture.rings())
      for (RingCursor cursor(capture, ring); !cursor.is_over(); cursor.step()) {
        const auto facts = object_facts(capture, cursor.record(), cursor.order());
        if (!facts) continue;
        const uint64_t koid = word_at(cursor.record(), 1, cursor.order());
        all_names.add(RingName{koid, cursor.time(), facts->name, facts->is_former, facts->since});
        if (facts->is_former && facts->index != 0)
          periods.add(Period{{facts->since, facts->index, true, facts->process, koid},
                             cursor.time() + 1,
                             number++});
      }

  // An owner that regained its entry has several periods with one begin; the longest counts.
  Sorted<SpillingSorter<OwnerChange, ChangeBefore>> all_changes;
  std::optional<Period> last;
  const auto put = [&] {
    if (!last) return;
    all_changes.add(last->begin);
    if (last->end != kOpen) all_changes.add(OwnerChange{last->end, last->begin.index, false, 0, 0});
  };
  if (Status status = periods.take([&](const Period& one) {
        if (last && (last->begin.index != one.begin.index || last->begin.time != one.begin.time))
          put();
        last = one;
      });
      !status.ok())
    return status;
  put();
  if (Status status = all_changes.take_into(changes_); !status.ok()) return status;
  if (Status status = all_names.take_into(names_); !status.ok()) return status;
  changes = std::as_const(changes_).all();
  names = std::as_const(names_).all();
  return {};
}

}  // namespace barefxt::host
