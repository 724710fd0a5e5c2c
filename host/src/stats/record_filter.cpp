// Looks whether a record is among those that are chosen.
#include <algorithm>
#include <unordered_map>
#include <variant>

#include <barefxt/host/selection.h>

#include "survey.h"

namespace barefxt::host {

struct RecordFilter::Known {
  std::map<uint64_t, ThreadName> names;
  bool to_nanoseconds;
  std::unordered_map<uint64_t, bool> threads;  // whether it is chosen
};

void RecordFilter::Deleter::operator()(Known* known) const { delete known; }

Result<Stretch> stretch_of(const Selection& selection, uint64_t ticks_per_second,
                           const std::string& file) {
  const Stretch stretch{selection.from ? selection.from->ticks(ticks_per_second) : 0,
                        selection.to ? selection.to->ticks(ticks_per_second) : ~uint64_t{0}};
  if (stretch.from <= stretch.to) return stretch;
  return Error{"this stretch of time ends before it begins", file,
               "give --from a time before that of --to"};
}

Result<RecordFilter> RecordFilter::make(const Selection& selection, Source& source, Form form) {
  RecordFilter filter;
  if (selection.is_all()) return filter;
  Statistics statistics;
  const Survey seen = survey(source, form, statistics);
  source.release_before(0);  // it is read again
  if (!seen.several_rates && seen.rate) statistics.ticks_per_second = *seen.rate;
  const auto stretch = stretch_of(selection, statistics.ticks_per_second, source.name());
  if (!stretch.ok()) return stretch.error();
  filter.selection_ = selection;
  filter.stretch_ = stretch.value();
  filter.known_.reset(new Known{std::move(statistics.names), seen.several_rates, {}});
  return filter;
}

std::optional<uint64_t> RecordFilter::time_of(const Record& record,
                                              const ProviderState& provider) const {
  std::optional<uint64_t> time = timestamp_of(record);
  if (!time) return std::nullopt;
  const auto* event = std::get_if<Event>(&record.content);
  if (event != nullptr && event->type == fxt::EventType::kDurationComplete) time = event->trailing;
  return time_in_unit(*time, provider, known_ != nullptr && known_->to_nanoseconds);
}

bool RecordFilter::keeps(const Record& record, const ProviderState& provider) {
  const bool is_timed = selection_.from || selection_.to;
  const auto time = is_timed ? time_of(record, provider) : std::nullopt;
  const bool is_kept = (!is_timed || (time && stretch_.has(*time))) && keeps_at_any_time(record);
  kept_ += is_kept ? 1 : 0;
  return is_kept;
}

bool RecordFilter::keeps_thread(uint64_t koid) {
  const auto decided = known_->threads.find(koid);
  if (decided != known_->threads.end()) return decided->second;
  const auto named = known_->names.find(koid);
  const bool is_kept = selection_.has_thread(
      koid, named == known_->names.end() ? std::string_view() : named->second.name);
  constexpr size_t kMaxDecided = size_t{1} << 16;
  if (known_->threads.size() < kMaxDecided) known_->threads.emplace(koid, is_kept);
  return is_kept;
}

bool RecordFilter::keeps_at_any_time(const Record& record) {
  if (keeps_all() ||
      (selection_.threads.empty() && selection_.cpus.empty() && !selection_.is_by_label()))
    return true;
  const Properties properties = properties_of(record);
  const std::span<const uint64_t> threads(properties.threads.data(), properties.thread_count);
  if (!selection_.threads.empty() &&
      std::none_of(threads.begin(), threads.end(),
                   [&](uint64_t koid) { return keeps_thread(koid); }))
    return false;
  if (!selection_.cpus.empty()) {
    std::optional<unsigned> cpu = properties.cpu;
    if (!cpu && threads.size() == 1) {
      const auto named = known_->names.find(threads[0]);
      if (named != known_->names.end()) cpu = cpu_of_name(named->second.name);
    }
    if (!cpu || !selection_.has_cpu(*cpu)) return false;
  }
  if (!selection_.is_by_label()) return true;
  if (!selection_.categories.empty() && properties.category == nullptr) return false;
  if (!selection_.names.empty() && properties.name == nullptr) return false;
  const auto bytes = [](const Text* text) {
    return text == nullptr ? std::string_view() : text->bytes;
  };
  return selection_.has_label(bytes(properties.category), bytes(properties.name));
}

namespace {

struct Looker {
  Properties& properties;

  void thread(uint64_t koid) const { properties.threads[properties.thread_count++] = koid; }
  void thread(const ThreadId& id) const {
    if (id.registered) thread(id.thread);
  }
  void operator()(const Event& event) const {
    thread(event.thread);
    properties.category = &event.category;
    properties.name = &event.name;
  }
  void operator()(const LegacyContextSwitch& change) const {
    thread(change.outgoing);
    thread(change.incoming);
    properties.cpu = change.cpu;
  }
  void operator()(const ContextSwitch& change) const {
    thread(change.outgoing);
    thread(change.incoming);
    properties.cpu = change.cpu;
  }
  void operator()(const ThreadWakeup& wakeup) const {
    thread(wakeup.thread);
    properties.cpu = wakeup.cpu;
  }
  void operator()(const Blob& blob) const { properties.name = &blob.name; }
  void operator()(const LargeBlob& blob) const {
    if (blob.format == fxt::LargeBlob::kFormatEvent) thread(blob.thread);
    properties.category = &blob.category;
    properties.name = &blob.name;
  }
  template <typename View>
  void operator()(const View& view) const {
    if constexpr (requires { view.timestamp; }) thread(view.thread);
  }
};

}  // namespace

Properties properties_of(const Record& record) {
  Properties properties;
  std::visit(Looker{properties}, record.content);
  return properties;
}

}  // namespace barefxt::host
