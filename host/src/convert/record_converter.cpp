#include "record_converter.h"

#include <utility>

namespace barefxt::host {

struct TimedConverter::Dispatch {
  TimedConverter& to;

  void operator()(const MagicNumber&) const {}
  void operator()(const ProviderInfo&) const {}
  void operator()(const ProviderSection&) const {}
  void operator()(const Initialization& initialization) const {
    if (initialization.ticks_per_second == 0) to.changes_.add(Change::kNoTicks);
  }
  void operator()(const StringRegistration&) const {}
  void operator()(const ThreadRegistration&) const {}
  void operator()(const Event& event) const {
    if (!event.is_known()) return to.changes_.add(Change::kUnknownEvent);
    if (event.type == fxt::EventType::kDurationComplete && event.trailing < event.timestamp)
      return to.changes_.add(Change::kEndBeforeBegin);
    to.write(event);
  }
  void operator()(const Blob& blob) const {
    if (!repeats_log(blob)) to.changes_.add(Change::kNoPlaceInFormat);
  }
  void operator()(const LargeBlob&) const { to.changes_.add(Change::kNoPlaceInFormat); }
  void operator()(const ProfilerMmap&) const { to.changes_.add(Change::kNoPlaceInFormat); }
  void operator()(const Unknown&) const { to.changes_.add(Change::kUnknownRecord); }
  void operator()(const Malformed&) const {}  // the reader counts them
  template <typename Content>
  void operator()(const Content& content) const {
    to.write(content);
  }
};

void TimedConverter::see(const Record& record, const ProviderState& state) {
  state_ = &state;
  offset_ = record.offset;
  provider_ = record.provider ? *record.provider : kNoProvider;
  full_buffers_.settle(record, !latest_time_,
                       [this](uint32_t provider, auto ticks) { settle(provider, ticks); });
  write_ahead_of(record);
  std::visit(Dispatch{*this}, record.content);
}

Status TimedConverter::finish() {
  full_buffers_.finish([this](uint32_t provider, auto ticks) { settle(provider, ticks); });
  return end();
}

void TimedConverter::settle(uint32_t provider, std::optional<uint64_t> ticks) {
  write_full_buffer(provider, ticks ? nanoseconds(*ticks, *state_) : latest_time_.value_or(0));
}

void TimedConverter::write(const ProviderEvent& event) {
  if (event.event != fxt::ProviderEvent::kBufferFull) return changes_.add(Change::kUnknownEvent);
  full_buffers_.add(event.id);
}

std::optional<uint64_t> TimedConverter::time(uint64_t ticks) {
  const Nanoseconds exact = nanoseconds(ticks, *state_);
  if (exact <= kMaxTime) return static_cast<uint64_t>(exact);
  changes_.add(Change::kUnplacedEvent);
  return std::nullopt;
}

std::optional<uint64_t> TimedConverter::happens_at(uint64_t ticks) {
  const std::optional<uint64_t> now = time(ticks);
  if (now) latest_time_ = *now;
  return now;
}

uint64_t TimedConverter::koid_of(const ThreadId& id) {
  if (id.registered) return id.thread;
  changes_.add(Change::kNamelessThread);
  return kUnknownThreadsProcess + id.ref.value;
}

Converter::Converter(std::unique_ptr<RecordConverter> converter)
    : converter_(std::move(converter)) {}
Converter::~Converter() = default;
void Converter::see(const Record& record, const ProviderState& state) {
  converter_->see(record, state);
}
Status Converter::finish() { return converter_->finish(); }
bool Converter::failed() const { return converter_->failed(); }
const ChangeCounts& Converter::changes() const { return converter_->changes(); }

}  // namespace barefxt::host
