// Counting records, learning names, judging order.
#include "survey.h"

#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/host/print.h>

namespace barefxt::host {
namespace {

constexpr std::size_t kMostNames = std::size_t{1} << 20;

}  // namespace

void Surveyor::see(const Record& record, const ProviderState& provider) {
  if (record.is_malformed()) return;
  ++statistics_.records;
  ++kinds_[record.content.index()];
  if (const auto* object = std::get_if<KernelObject>(&record.content)) return name(*object);
  if (const auto* event = std::get_if<ProviderEvent>(&record.content)) {
    if (event->event == fxt::ProviderEvent::kBufferFull) ++statistics_.buffer_full_events;
    return;
  }
  const auto timestamp = timestamp_of(record);
  if (!timestamp) return;
  if (survey_.rate && *survey_.rate != provider.ticks_per_second) survey_.several_rates = true;
  survey_.rate = provider.ticks_per_second;
  std::uint64_t time = *timestamp;
  const auto* event = std::get_if<Event>(&record.content);
  if (event != nullptr && event->type == fxt::EventType::kDurationComplete) time = event->trailing;
  if (time < survey_.last_time) survey_.ordered = false;
  survey_.last_time = time;
}

void Surveyor::finish() {
  // Two of the alternatives share a name, so this adds.
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i] > 0) statistics_.records_by_kind[std::string(record_name(i))] += kinds_[i];
  }
}

void Surveyor::name(const KernelObject& object) {
  const bool thread = object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kThread);
  if (!thread || statistics_.names.size() >= kMostNames) return;
  ThreadName& entry = statistics_.names[object.koid];
  entry.name = std::string(object.name.bytes);
  const auto process = object.arguments.find("process");
  if (process && process->type == fxt::ArgumentType::kKoid) entry.process = process->bits;
}

}  // namespace barefxt::host
