#include "waker_finder.h"

#include "interrupt_namer.h"

namespace barefxt::host {

void WakerFinder::read_event(const RecordView& record) {
  using fxt::Event;
  const auto type = static_cast<fxt::EventType>(Event::Subtype::in(record.header));
  const bool is_begin = type == fxt::EventType::kDurationBegin;
  const bool is_end = type == fxt::EventType::kDurationEnd;
  const bool is_complete = type == fxt::EventType::kDurationComplete;
  if (!is_begin && !is_end && !is_complete) return;
  const uint64_t index = Event::Thread::in(record.header);
  if (index == 0 && record.words() < Event::kFixedWords + 2) return;
  const bool of_this_cpu =
      index != 0 ? index == cpu_thread_.index
                 : word_at(record, Event::kFixedWords + 1, ahead_.order()) == cpu_thread_.thread;
  if (!of_this_cpu) return;
  if (is_begin) return judge_.on_interrupt_begin();
  if (is_end) return judge_.on_interrupt_end();
  judge_.on_interrupt(ahead_.clock()(word_at(record, 1, ahead_.order())));
}

void WakerFinder::read_record() {
  const RecordView& record = ahead_.record();
  if (record.type() == fxt::RecordType::kEvent) {
    read_event(record);
  } else if (record.type() == fxt::RecordType::kScheduling) {
    const uint64_t subtype = fxt::SchedulingHeader::Subtype::in(record.header);
    if (subtype == fxt::SchedulingHeader::kThreadWakeup)
      judge_.on_wakeup(ahead_.time(),
                       interrupt_of_wakeup(*capture_, record, ahead_.order()).has_value());
    else if (const auto threads = threads_of_switch(record, ahead_.order()))
      judge_.on_switch(threads->outgoing, threads->incoming);
  }
  judge_.on_record();
}

std::optional<ArchiveThread> WakerFinder::next_waker() {
  while (!judge_.has_answer()) {
    if (ahead_.losses_ahead().any() || ahead_.is_over()) judge_.on_loss();
    if (ahead_.is_over()) break;
    read_record();
    ahead_.step();
  }
  return judge_.take();
}

}  // namespace barefxt::host
