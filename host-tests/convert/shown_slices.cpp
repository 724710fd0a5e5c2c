#include "shown_slices.h"

#include <array>

#include "plain_proto.h"

namespace barefxt::test {
namespace {

// One moment of a thread's track, in the order in which a viewer sorts.
struct Moment {
  enum class Kind { kBegin, kEnd, kComplete, kPoint } kind;
  using enum Kind;
  SliceMark mark;
  uint64_t end = 0;  // of a complete duration
  bool is_added = false;
  bool has_label = true;
};

class Tracks {
 public:
  explicit Tracks(Shown& shown) : shown_(shown) {}

  void see(const Moment& moment) {
    std::vector<size_t>& open = open_[moment.mark.thread];
    // Those that are over by now.
    while (!open.empty() && shown_.slices[open.back()].is_complete &&
           ends_[open.back()] <= moment.mark.time)
      open.pop_back();
    if (moment.kind == Moment::kEnd) return end(open, moment);
    ShownSlice slice;
    slice.begin = moment.mark;
    slice.is_complete = moment.kind != Moment::kBegin;
    slice.is_added = moment.is_added;
    slice.around = open;
    if (moment.kind != Moment::kPoint) open.push_back(shown_.slices.size());
    ends_.push_back(moment.end);
    shown_.slices.push_back(slice);
  }
  void finish() {
    for (const auto& [thread, open] : open_)
      for (const size_t slice : open) shown_.open += shown_.slices[slice].is_complete ? 0 : 1;
  }

 private:
  void end(std::vector<size_t>& open, const Moment& moment) {
    if (open.empty() || shown_.slices[open.back()].is_complete) {
      ++shown_.misplaced_ends;
      return;
    }
    ShownSlice& slice = shown_.slices[open.back()];
    if (moment.has_label && slice.begin.label != moment.mark.label) ++shown_.wrong_ends;
    slice.end = moment.mark;
    slice.has_end = true;
    open.pop_back();
  }

  Shown& shown_;
  std::map<uint64_t, std::vector<size_t>> open_;
  std::vector<uint64_t> ends_;
};

class Rows {
 public:
  explicit Rows(Shown& shown) : shown_(shown) {}
  void change(uint64_t cpu, uint64_t time, uint64_t outgoing, uint64_t incoming) {
    const auto found = running_.find(cpu);
    if (found != running_.end()) {
      if (found->second.first != outgoing) ++shown_.mismatched_switches;
      if (found->second.first != 0)
        shown_.rows.push_back({cpu, found->second.first, found->second.second, time});
    }
    running_[cpu] = {incoming, time};
  }

 private:
  Shown& shown_;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> running_;  // thread and since when
};

}  // namespace

std::map<SliceMark, size_t> Shown::depths() const {
  std::map<SliceMark, size_t> found;
  for (const ShownSlice& slice : slices)
    if (!slice.is_added) found[slice.begin] = slice.around.size();
  return found;
}

Shown shown_of_archive(const PlainArchive& archive, ShownLogs logs) {
  constexpr uint64_t kNanoseconds = 1'000'000'000;
  constexpr unsigned kBegin = 2;
  constexpr unsigned kEnd = 3;
  constexpr unsigned kComplete = 4;
  Shown shown;
  uint64_t ticks_per_second = kNanoseconds;
  std::set<uint64_t> idle = {0};
  for (const PlainRecord& record : archive.records) {
    if (record.type == 1) ticks_per_second = record.value;
    if (record.type == 7 && record.name.starts_with("idle/")) idle.insert(record.value);
  }
  const auto time = [&](uint64_t ticks) { return ticks * (kNanoseconds / ticks_per_second); };
  const auto thread = [&](uint64_t koid) { return idle.contains(koid) ? 0 : koid; };
  std::multimap<uint64_t, Moment> moments;  // by time, and in order where that is equal
  Rows rows(shown);
  for (const PlainRecord& record : archive.records) {
    const bool added = is_added(record);
    shown.added += added ? 1 : 0;
    if (record.type == 8 && record.subtype <= 1)
      rows.change(record.cpu, time(record.timestamp), thread(record.thread),
                  thread(record.other_thread));
    const bool is_log = record.type == 9 && logs == ShownLogs::kPoints;
    const bool is_event = record.type == 4 && record.subtype != 1 && record.subtype <= kComplete;
    if (!is_log && !is_event) continue;
    const SliceMark mark = {.is_end = record.subtype == kEnd,
                            .thread = record.thread,
                            .time = time(record.timestamp),
                            .label = record.category + " " + record.name};
    if (!added) shown.marks.insert(mark);
    const Moment::Kind kind = record.subtype == kBegin      ? Moment::kBegin
                              : record.subtype == kEnd      ? Moment::kEnd
                              : record.subtype == kComplete ? Moment::kComplete
                                                            : Moment::kPoint;
    const uint64_t end = kind == Moment::kComplete ? time(record.value) : mark.time;
    moments.emplace(mark.time, Moment{kind, mark, end, added});
  }
  Tracks tracks(shown);
  for (const auto& [when, moment] : moments) tracks.see(moment);
  tracks.finish();
  return shown;
}

Shown shown_of_perfetto(const std::string& trace) {
  Shown shown;
  std::map<uint64_t, uint64_t> threads;     // by track
  std::multimap<uint64_t, Moment> moments;  // by time, and in order where that is equal
  std::multimap<uint64_t, std::array<uint64_t, 3>> switches;      // CPU, outgoing, incoming
  std::multimap<uint64_t, std::pair<uint64_t, bool>> interrupts;  // CPU, whether it begins
  const PlainProto all(trace);
  for (const PlainProto::Field& field : all.fields()) {
    const PlainProto packet(field.bytes);
    if (packet.has(60) && packet.message(60).has(4))
      threads[packet.message(60).number(1)] = packet.message(60).message(4).number(2);
    if (packet.has(1)) {
      const PlainProto bundle = packet.message(1);
      const PlainProto event = bundle.message(2);
      if (event.has(36) || event.has(37))
        interrupts.emplace(event.number(1), std::pair(bundle.number(1), event.has(36)));
      if (!event.has(4)) continue;
      const PlainProto change = event.message(4);
      switches.emplace(event.number(1),
                       std::array{bundle.number(1), change.number(2), change.number(6)});
    }
  }
  for (const PlainProto::Field& field : all.fields()) {
    const PlainProto packet(field.bytes);
    if (!packet.has(11)) continue;
    const PlainProto event = packet.message(11);
    const auto thread = threads.find(event.number(11));
    if (thread == threads.end() || event.number(9) > 3) continue;
    bool added = false;
    for (const PlainProto::Field& annotation : event.all(4))
      added = added || PlainProto(annotation.bytes).text(10) == "barefxt_added";
    shown.added += added ? 1 : 0;
    const bool is_end = event.number(9) == 2;
    const SliceMark mark = {.is_end = is_end,
                            .thread = thread->second,
                            .time = packet.number(8),
                            .label = is_end ? "" : event.text(22) + " " + event.text(23)};
    if (!added) shown.marks.insert(mark);
    const Moment::Kind kind = is_end                 ? Moment::kEnd
                              : event.number(9) == 1 ? Moment::kBegin
                                                     : Moment::kPoint;
    moments.emplace(mark.time, Moment{kind, mark, mark.time, added, false});
  }
  Tracks tracks(shown);
  for (const auto& [time, moment] : moments) tracks.see(moment);
  tracks.finish();
  Rows rows(shown);
  for (const auto& [time, change] : switches) rows.change(change[0], time, change[1], change[2]);
  std::map<uint64_t, uint64_t> open;  // interrupts, by CPU
  for (const auto& [time, half] : interrupts) {
    uint64_t& count = open[half.first];
    shown.misplaced_interrupt_ends += !half.second && count == 0 ? 1 : 0;
    count += half.second ? 1 : count == 0 ? 0 : -1;
  }
  for (const auto& [cpu, count] : open) shown.open_interrupts += count;
  return shown;
}

}  // namespace barefxt::test
