// Counts the records of an archive, learns names and judges the order of time, record by record.
#pragma once

#include <array>
#include <variant>

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/host/print.h>

#include "survey.h"

namespace barefxt::host {

template <typename View, size_t... I>
constexpr size_t place_of_view(std::index_sequence<I...>) {
  return ((std::is_same_v<View, std::variant_alternative_t<I, Content>> ? I : 0) + ...);
}
template <typename View>
inline constexpr size_t kPlaceOfView =
    place_of_view<View>(std::make_index_sequence<std::variant_size_v<Content>>());

class Surveyor {
 public:
  Surveyor(const Reader& reader, Statistics& statistics)
      : reader_(reader), statistics_(statistics) {}

  template <typename View>
  [[gnu::always_inline]] void see(const View& view) {
    if constexpr (std::is_same_v<View, Malformed>) {
      is_behind_damage_ = survey_.rate.has_value();
    } else {
      ++kinds_[kPlaceOfView<View>];
      look(view);
    }
  }

  // Adds the counts of records so far.
  void count(Statistics& statistics) const {
    // Two of the alternatives share a name, so this adds.
    for (size_t i = 0; i < kinds_.size(); ++i) {
      if (kinds_[i] > 0) statistics.records_by_kind[std::string(record_name(i))] += kinds_[i];
      statistics.records += kinds_[i];
    }
  }
  // Time and order as known so far.
  const Survey& survey() const { return survey_; }

  Survey finish() {
    count(statistics_);
    survey_.losses = survey_.several_rates ? std::move(in_nanoseconds_) : std::move(in_ticks_);
    survey_.losses.finish([&](uint64_t thread) -> LossTimes::CpuOrAll {
      const auto name = statistics_.names.find(thread);
      if (name == statistics_.names.end()) return std::nullopt;
      return cpu_of_name(name->second.name);
    });
    return std::move(survey_);
  }

 private:
  static constexpr size_t kMaxNames = size_t{1} << 20;
  static constexpr size_t kMaxNameBytes = size_t{32} << 20;

  [[gnu::always_inline]] void look(const Event& event) {
    const bool complete = event.type == fxt::EventType::kDurationComplete;
    time(complete ? event.trailing : event.timestamp);
    if (complete && is_loss(event)) lose(event);
    if (is_job(event)) survey_.has_jobs = true;
    if (event.type == fxt::EventType::kInstant && event.name.bytes == "calls_left_out") [[unlikely]]
      leave_out(event);
    if (!statistics_.waits_recorded) [[unlikely]]
      statistics_.waits_recorded = event.category.bytes == "lock" || event.name.bytes == "blocks";
    if (!statistics_.wakeups_recorded) [[unlikely]]
      statistics_.wakeups_recorded = event.name.bytes == "thread_wakeup";
  }
  [[gnu::always_inline]] void look(const LegacyContextSwitch& change) {
    time(change.timestamp);
    statistics_.priorities_recorded = true;
  }
  [[gnu::always_inline]] void look(const ThreadWakeup& wakeup) {
    time(wakeup.timestamp);
    statistics_.wakeups_recorded = true;
  }
  void leave_out(const Event& event) {
    if (event.category.bytes != "barefxt") return;
    const auto count = [&](std::string_view name) {
      const auto argument = event.arguments.find(name);
      const bool is_count = argument && argument->type == fxt::ArgumentType::kUint64;
      return is_count ? argument->bits : uint64_t{0};
    };
    // Each capture has one.
    LeftOutCallsStatistics sum = statistics_.calls_left_out.value_or(LeftOutCallsStatistics{});
    sum.too_short += count("too_short");
    sum.too_deep += count("too_deep");
    sum.without_end += count("without_end");
    sum.open += count("open");
    statistics_.calls_left_out = sum;
  }
  // Returns whether a name of `bytes` fits in place of `known`, or as a new one if that is null.
  // Counts its bytes, or the record as left out.
  bool has_room(const std::string* known, size_t bytes) {
    const size_t others = name_bytes_ - (known == nullptr ? 0 : known->size());
    const bool is_full = known == nullptr && statistics_.names.size() +
                                                     statistics_.process_names.size() +
                                                     statistics_.object_names.size() >=
                                                 kMaxNames;
    if (is_full || others + bytes > kMaxNameBytes) {
      ++statistics_.left_out;
      return false;
    }
    name_bytes_ = others + bytes;
    return true;
  }
  void look(const KernelObject& object) {
    const auto is = [&](fxt::KernelObjectType type) {
      return object.object_type == static_cast<unsigned>(type);
    };
    if (is(fxt::KernelObjectType::kProcess)) {
      const auto known = statistics_.process_names.find(object.koid);
      const bool is_new = known == statistics_.process_names.end();
      if (has_room(is_new ? nullptr : &known->second, object.name.bytes.size()))
        statistics_.process_names[object.koid] = std::string(object.name.bytes);
      return;
    }
    if (!is(fxt::KernelObjectType::kThread)) {
      const auto known = statistics_.object_names.find(object.koid);
      const bool is_new = known == statistics_.object_names.end();
      if (has_room(is_new ? nullptr : &known->second, object.name.bytes.size()))
        statistics_.object_names[object.koid] = std::string(object.name.bytes);
      return;
    }
    const auto known = statistics_.names.find(object.koid);
    const bool is_new = known == statistics_.names.end();
    if (!has_room(is_new ? nullptr : &known->second.name, object.name.bytes.size())) return;
    ThreadName& entry = statistics_.names[object.koid];
    entry.name = std::string(object.name.bytes);
    const auto process = object.arguments.find("process");
    if (process && process->type == fxt::ArgumentType::kKoid) entry.process = process->bits;
  }
  void look(const ProviderInfo& provider) {
    if (statistics_.target.empty()) statistics_.target = std::string(provider.name);
  }
  void look(const ProfilerModule& module) {
    time(module.timestamp);
    if (statistics_.build_id.empty()) statistics_.build_id = std::string(module.build_id);
  }
  void look(const ProviderEvent& event) {
    if (event.event == fxt::ProviderEvent::kBufferFull) ++statistics_.buffer_full_events;
  }
  void look(const LargeBlob& blob) {
    if (blob.format == fxt::LargeBlob::kFormatEvent) time(blob.timestamp);
  }
  template <typename View>
  [[gnu::always_inline]] void look(const View& view) {
    if constexpr (requires { view.timestamp; }) time(view.timestamp);
  }

  [[gnu::always_inline]] void time(uint64_t time) {
    const uint64_t rate = reader_.provider().ticks_per_second;
    if (survey_.rate && *survey_.rate != rate) survey_.several_rates = true;
    survey_.rate = rate;
    if (time < survey_.last_time) survey_.ordered = false;
    if (is_behind_damage_) [[unlikely]]
      pass_damage(time);
    survey_.last_time = time;
  }

  // Records of any CPU may be missing between the record ahead of damage and the one behind it.
  [[gnu::noinline]] void pass_damage(uint64_t time) {
    is_behind_damage_ = false;
    const Loss loss = {std::min(survey_.last_time, time), std::max(survey_.last_time, time)};
    in_ticks_.add_for_all(loss);
    const ProviderState& provider = reader_.provider();
    in_nanoseconds_.add_for_all(
        {time_in_unit(loss.begin, provider, true), time_in_unit(loss.end, provider, true)});
  }

  [[gnu::noinline]] void lose(const Event& event) {
    const uint64_t thread = event.thread.thread;
    in_ticks_.add(thread, {event.timestamp, event.trailing});
    const ProviderState& provider = reader_.provider();
    in_nanoseconds_.add(thread, {time_in_unit(event.timestamp, provider, true),
                                 time_in_unit(event.trailing, provider, true)});
  }

  const Reader& reader_;
  Statistics& statistics_;
  Survey survey_;
  LossTimes in_ticks_;
  LossTimes in_nanoseconds_;
  std::array<uint64_t, std::variant_size_v<Content>> kinds_{};
  size_t name_bytes_ = 0;          // of threads, processes and objects
  bool is_behind_damage_ = false;  // and ahead of the next record with a time
};

}  // namespace barefxt::host
