#include "ring_survey.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/reference.h>
#include <barefxt/fxt/scheduling.h>

#include "../rebuild/ring_cursor.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kFirstOwnKoid = 0x7d000000;  // from here on they are the tracer's

class Surveyor {
 public:
  Surveyor(const CaptureContent& capture, RingSurvey& survey, std::span<const OwnerChange> owners)
      : capture_(capture), survey_(survey), owners_(owners) {
    std::unordered_set<uint64_t> named;  // the first entry of a koid names it
    for (const ThreadFacts& thread : capture.threads()) {
      if (named.insert(thread.koid).second && thread.name.starts_with("idle"))
        idle_.insert(thread.koid);
    }
  }

  void see(const RingCursor& cursor) {
    const RecordView& record = cursor.record();
    order_ = cursor.order();
    record_ = &record;
    for (; !owners_.empty() && owners_.front().time <= cursor.time(); owners_ = owners_.subspan(1))
      owner_[owners_.front().index] = owners_.front().koid;
    switch (record.type()) {
      case fxt::RecordType::kEvent:
        see_event();
        break;
      case fxt::RecordType::kScheduling:
        see_scheduling(cursor.time());
        break;
      case fxt::RecordType::kKernelObject:
        if (record.words() > 1) keep(survey_.names.described_koids, word(1));
        break;
      default:
        break;
    }
  }

 private:
  static void keep(std::set<uint64_t>& koids, uint64_t koid) {
    if (koids.size() < NameSurvey::kMaxKoids) koids.insert(koid);
  }

  uint64_t word(size_t index) const {
    return load_word(record_->bytes.data() + index * fxt::kWordBytes, order_);
  }

  // The koid of a thread that is named by its index.
  uint64_t of_index(uint64_t index) {
    survey_.names.indices.set(index);
    return owner_[index] != 0 ? owner_[index] : index;
  }
  uint64_t of_koid(uint64_t koid) {
    if (koid == 0)
      ++survey_.names.unregistered;
    else if (koid < kFirstOwnKoid)
      keep(survey_.names.koids, koid);
    return koid;
  }

  bool is_idle(uint64_t koid) { return idle_.contains(koid); }

  // A text at word `at`, or in the table; moves on behind it.
  std::string text(uint16_t value, size_t& at) {
    const fxt::StringRef ref{value};
    if (ref.is_inline()) {
      const size_t begin = at * fxt::kWordBytes;
      at += ref.inline_words();
      if (at > record_->words()) return {};
      return {reinterpret_cast<const char*>(record_->bytes.data()) + begin, ref.bytes()};
    }
    if (ref.is_empty()) return {};
    const std::optional<std::string_view> found = capture_.string(value);
    if (!found) ++survey_.names.missing_strings;
    return std::string(found.value_or(std::string_view()));
  }

  void see_event() {
    using Event = fxt::Event;
    const auto type = static_cast<fxt::EventType>(Event::Subtype::in(record_->header));
    const auto thread = static_cast<uint8_t>(Event::Thread::in(record_->header));
    size_t at = Event::kFixedWords;
    bool on_cpu = false;
    if (thread != 0) {
      on_cpu = of_index(thread) >= kFirstOwnKoid;
    } else {
      at += fxt::ThreadRef::in_line().inline_words();
      if (at > record_->words()) return;
      on_cpu = of_koid(word(at - 1)) >= kFirstOwnKoid;
    }
    const bool in_table =
        fxt::StringRef{static_cast<uint16_t>(Event::Category::in(record_->header))}.is_indexed();
    const bool is_nested =
        type == fxt::EventType::kDurationBegin || type == fxt::EventType::kDurationEnd;
    if (!in_table && !is_nested) return;
    (void)text(static_cast<uint16_t>(Event::Category::in(record_->header)), at);
    const std::string name = text(static_cast<uint16_t>(Event::Name::in(record_->header)), at);
    if (!on_cpu) return;
    if (type == fxt::EventType::kDurationBegin) survey_.interrupts.enter(name);
    if (type == fxt::EventType::kDurationEnd) survey_.interrupts.leave(name);
  }

  void see_scheduling(uint64_t time) {
    if (record_->words() < 2) return;
    const uint64_t header = record_->header;
    uint64_t outgoing = 0;
    uint64_t incoming = 0;
    if (const auto subtype = fxt::SchedulingHeader::Subtype::in(header);
        subtype == fxt::SchedulingHeader::kLegacyContextSwitch) {
      using Switch = fxt::LegacyContextSwitch;
      const uint64_t out = Switch::OutgoingThread::in(header);
      const uint64_t in = Switch::IncomingThread::in(header);
      const size_t words =
          Switch::kFixedWords + (out == 0 ? size_t{2} : 0) + (in == 0 ? size_t{2} : 0);
      if (record_->words() < words) return;
      outgoing = out != 0 ? of_index(out) : of_koid(word(Switch::kFixedWords + 1));
      incoming = in != 0 ? of_index(in) : of_koid(word(words - 1));
    } else if (subtype == fxt::SchedulingHeader::kContextSwitch &&
               record_->words() >= fxt::ContextSwitch::kFixedWords) {
      outgoing = word(2);
      incoming = word(3);
      if (outgoing == 0 || incoming == 0) ++survey_.names.unregistered;
    } else {
      return;
    }
    survey_.switches.see(time, outgoing, incoming, is_idle(incoming));
  }

  const CaptureContent& capture_;
  RingSurvey& survey_;
  std::span<const OwnerChange> owners_;  // that are still to come
  std::array<uint64_t, 256> owner_{};    // koids by index
  const RecordView* record_ = nullptr;
  ByteOrder order_ = ByteOrder::kLittle;
  std::unordered_set<uint64_t> idle_;  // koids
};

void add_losses(const Losses& losses, RingSurvey& survey) {
  if (losses.in_ring) {
    survey.lost_records += losses.in_ring->records;
    survey.lost_bytes += losses.in_ring->bytes;
  }
  if (losses.on_line) {
    survey.line_lost_records += losses.on_line->records;
    if (!losses.on_line->known) survey.line_lost_unknown = true;
  }
}

}  // namespace

RingSurvey survey_ring(const CaptureContent& capture, const Ring& ring,
                       std::span<const OwnerChange> owners) {
  RingSurvey survey;
  survey.cpu = ring.cpu;
  Surveyor surveyor(capture, survey, owners);
  RingCursor cursor(capture, ring);
  for (; !cursor.is_over(); cursor.step()) {
    if (cursor.losses_ahead().any()) {
      add_losses(cursor.losses_ahead(), survey);
      survey.switches.end_stretch();
      survey.interrupts.end_stretch();
    }
    const uint64_t bytes = cursor.record().bytes.size();
    ++survey.records;
    survey.bytes += bytes;
    survey.largest_bytes = std::max(survey.largest_bytes, bytes);
    if (cursor.record_has_time()) survey.clock.see(cursor.time());
    surveyor.see(cursor);
  }
  add_losses(cursor.losses_ahead(), survey);
  survey.switches.end_stretch();
  survey.interrupts.end_stretch();
  survey.recorded_bytes =
      ring.end ? ring.end->totals.bytes : std::max(ring.behind_pieces.bytes, survey.bytes);
  if (ring.end) survey.unfinished_records = ring.end->unfinished_records;
  return survey;
}

}  // namespace barefxt::host
