// From records to moments, and the sums that need no order.
#include <algorithm>

#include "survey.h"

namespace barefxt::host {
namespace {

constexpr std::uint32_t kEveryCpu = ~std::uint32_t{0};
constexpr std::uint64_t kNanosecond = 1'000'000'000;

bool is_loss(const Event& event) {
  return event.type == fxt::EventType::kDurationComplete && event.name.bytes == "drop_stats" &&
         (event.category.bytes == "barefxt" || event.category.bytes == "kernel:meta");
}

// The thread that a wakeup event is about: a koid argument, or else the event's own.
std::uint64_t woken_thread(const Event& event) {
  for (const Argument& argument : event.arguments) {
    if (argument.type == fxt::ArgumentType::kKoid && argument.name.bytes != "waker") {
      return argument.bits;
    }
  }
  return event.thread.thread;
}

std::optional<std::uint64_t> amount(const Event& event, std::string_view name) {
  const auto argument = event.arguments.find(name);
  if (!argument || (argument->type != fxt::ArgumentType::kUint64 &&
                    argument->type != fxt::ArgumentType::kUint32)) {
    return std::nullopt;
  }
  return argument->bits;
}

}  // namespace

std::uint64_t Translator::unit(std::uint64_t ticks, const ProviderState& provider) const {
  if (!to_nanoseconds_ || provider.ticks_per_second == 0) return ticks;
  const auto wide = static_cast<unsigned __int128>(ticks) * kNanosecond / provider.ticks_per_second;
  return static_cast<std::uint64_t>(wide);
}

void Translator::cover(std::uint64_t from, std::uint64_t to) {
  statistics_.first = statistics_.timed ? std::min(statistics_.first, from) : from;
  statistics_.last = statistics_.timed ? std::max(statistics_.last, to) : to;
  statistics_.timed = true;
}

std::optional<Moment> Translator::translate(const Record& record, const ProviderState& provider) {
  if (const auto* happened = std::get_if<Event>(&record.content)) return event(*happened, provider);
  const auto timestamp = timestamp_of(record);
  if (!timestamp) return std::nullopt;
  const std::uint64_t time = unit(*timestamp, provider);
  cover(time, time);
  if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
    return Moment{time,        legacy->outgoing.thread, legacy->incoming.thread, 0,
                  legacy->cpu, MomentKind::kSwitch};
  }
  if (const auto* change = std::get_if<ContextSwitch>(&record.content)) {
    return Moment{time, change->outgoing, change->incoming, 0, change->cpu, MomentKind::kSwitch};
  }
  if (const auto* wakeup = std::get_if<ThreadWakeup>(&record.content)) {
    return Moment{time, wakeup->thread, 0, 0, wakeup->cpu, MomentKind::kWakeup};
  }
  return std::nullopt;
}

std::optional<Moment> Translator::event(const Event& event, const ProviderState& provider) {
  const std::uint64_t time = unit(event.timestamp, provider);
  const std::uint64_t thread = event.thread.thread;
  if (event.type == fxt::EventType::kDurationComplete && event.trailing >= event.timestamp) {
    const std::uint64_t end = unit(event.trailing, provider);
    cover(time, end);
    if (is_loss(event)) return loss(event, time, end);
    const std::uint32_t label = labels_.number_of(event.category.bytes, event.name.bytes);
    return Moment{end, thread, time, label, 0, MomentKind::kComplete};
  }
  cover(time, time);
  switch (event.type) {
    case fxt::EventType::kInstant:
      if (event.name.bytes != "thread_wakeup") return std::nullopt;
      return Moment{time, woken_thread(event), 0, 0, 0, MomentKind::kWakeup};
    case fxt::EventType::kCounter:
      counter(event);
      return std::nullopt;
    case fxt::EventType::kDurationBegin:
    case fxt::EventType::kDurationEnd: {
      const bool begin = event.type == fxt::EventType::kDurationBegin;
      const std::uint32_t label =
          begin ? labels_.number_of(event.category.bytes, event.name.bytes) : 0;
      return Moment{time, thread, 0, label, 0, begin ? MomentKind::kBegin : MomentKind::kEnd};
    }
    case fxt::EventType::kFlowBegin:
    case fxt::EventType::kFlowStep:
    case fxt::EventType::kFlowEnd:
      flow(event);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Label Translator::label_of(const Event& event) const {
  return {std::string(event.category.bytes), std::string(event.name.bytes)};
}

void Translator::counter(const Event& event) {
  for (const Argument& argument : event.arguments) {
    if (!argument.is_numeric()) continue;
    auto key = std::tuple(label_of(event), event.trailing, std::string(argument.name.bytes));
    if (statistics_.counters.size() >= kMostSeries && !statistics_.counters.contains(key)) {
      ++statistics_.left_out;
      continue;
    }
    CounterStatistics& series = statistics_.counters[std::move(key)];
    double real = argument.as_double();
    __int128 whole = 0;
    if (argument.type == fxt::ArgumentType::kDouble) {
      series.real = true;
    } else {
      whole = argument.type == fxt::ArgumentType::kInt32   ? __int128{argument.as_int32()}
              : argument.type == fxt::ArgumentType::kInt64 ? __int128{argument.as_int64()}
                                                           : static_cast<__int128>(argument.bits);
      real = static_cast<double>(whole);
    }
    const bool first = series.samples == 0;
    series.least = first ? whole : std::min(series.least, whole);
    series.most = first ? whole : std::max(series.most, whole);
    series.least_real = first ? real : std::min(series.least_real, real);
    series.most_real = first ? real : std::max(series.most_real, real);
    series.last = whole;
    series.last_real = real;
    ++series.samples;
  }
}

void Translator::flow(const Event& event) {
  const Label label = label_of(event);
  if (statistics_.flows.size() >= kMostSeries && !statistics_.flows.contains(label)) {
    ++statistics_.left_out;
    return;
  }
  FlowStatistics& flows = statistics_.flows[label];
  if (event.type == fxt::EventType::kFlowBegin) {
    ++flows.begun;
  } else if (event.type == fxt::EventType::kFlowStep) {
    ++flows.steps;
  } else {
    ++flows.ended;
  }
}

Moment Translator::loss(const Event& event, std::uint64_t begin, std::uint64_t end) {
  const auto where = event.arguments.find("where");
  const auto name = statistics_.names.find(event.thread.thread);
  const std::string thread = name == statistics_.names.end() ? "" : name->second.name;
  std::string place = where && where->type == fxt::ArgumentType::kString
                          ? std::string(where->string.bytes)
                          : std::string("unknown");
  LossStatistics& loss = statistics_.losses[{thread, std::move(place)}];
  const auto records = amount(event, "records");
  const auto bytes = amount(event, "bytes");
  loss.first = loss.times == 0 ? begin : std::min(loss.first, begin);
  loss.last = std::max(loss.last, end);
  ++loss.times;
  loss.records += records.value_or(0);
  loss.bytes += bytes.value_or(0);
  loss.records_unknown = loss.records_unknown || !records;
  loss.bytes_unknown = loss.bytes_unknown || !bytes;
  return {end,
          event.thread.thread,
          begin,
          0,
          cpu_of_name(thread).value_or(kEveryCpu),
          MomentKind::kLoss};
}

}  // namespace barefxt::host
