#include "call_reader.h"

#include <barefxt/fxt/scheduling.h>

namespace barefxt::host {
namespace {

// By index, or with the process and thread that stand at `at`; nothing where they do not fit.
std::optional<ArchiveThread> thread_of(const RecordView& record, ByteOrder order, uint64_t index,
                                       size_t at) {
  if (index != 0) return ArchiveThread{.index = static_cast<uint8_t>(index)};
  if (record.words() < at + 2) return {};
  return ArchiveThread{
      .index = 0, .process = word_at(record, at, order), .thread = word_at(record, at + 1, order)};
}

}  // namespace

std::optional<SwitchedThreads> threads_of_switch(const RecordView& record, ByteOrder order) {
  using Legacy = fxt::LegacyContextSwitch;
  using Switch = fxt::ContextSwitch;
  const uint64_t subtype = fxt::SchedulingHeader::Subtype::in(record.header);
  if (subtype == fxt::SchedulingHeader::kContextSwitch) {
    if (record.words() < Switch::kFixedWords) return {};
    return SwitchedThreads{
        .outgoing = {.index = 0, .process = 0, .thread = word_at(record, 2, order)},
        .incoming = {.index = 0, .process = 0, .thread = word_at(record, 3, order)},
        .outgoing_state = static_cast<fxt::ThreadState>(Switch::OutgoingState::in(record.header))};
  }
  if (subtype != fxt::SchedulingHeader::kLegacyContextSwitch) return {};
  const uint64_t outgoing_index = Legacy::OutgoingThread::in(record.header);
  const auto outgoing = thread_of(record, order, outgoing_index, Legacy::kFixedWords);
  const auto incoming = thread_of(record, order, Legacy::IncomingThread::in(record.header),
                                  Legacy::kFixedWords + (outgoing_index == 0 ? 2 : 0));
  if (!outgoing || !incoming) return {};
  return SwitchedThreads{
      .outgoing = *outgoing,
      .incoming = *incoming,
      .outgoing_state = static_cast<fxt::ThreadState>(Legacy::OutgoingState::in(record.header))};
}

void CallReader::see_switch(const RecordView& record, ByteOrder order) {
  const uint64_t subtype = fxt::SchedulingHeader::Subtype::in(record.header);
  if (subtype != fxt::SchedulingHeader::kLegacyContextSwitch &&
      subtype != fxt::SchedulingHeader::kContextSwitch)
    return;
  const std::optional<SwitchedThreads> threads = threads_of_switch(record, order);
  has_base_ = threads.has_value();
  if (threads) thread_ = threads->incoming;
}

std::optional<FunctionCall> CallReader::see_call(const RecordView& record, ByteOrder order) {
  using fxt::CallRecord;
  const auto action = static_cast<fxt::CallAction>(CallRecord::Action::in(record.header));
  const uint64_t low = CallRecord::Counter::in(record.header);
  uint64_t ticks = (ticks_ & ~CallRecord::Counter::kMax) | low;
  std::optional<uint64_t> argument;
  std::optional<uint64_t> begin;
  if (CallRecord::is_long(record.header)) {
    const std::optional<ArchiveThread> thread =
        thread_of(record, order, CallRecord::Thread::in(record.header), CallRecord::kLongWords);
    has_base_ = thread.has_value();
    if (!thread) return {};
    thread_ = *thread;
    ticks = ticks_ = word_at(record, 1, order);
    const size_t words_without = CallRecord::kLongWords + (thread_.index == 0 ? 2 : 0);
    const bool has_more = record.words() > words_without;
    if (CallRecord::is_complete(record.header)) {
      if (!has_more) return {};
      begin = word_at(record, words_without, order);
    } else if (action == fxt::CallAction::kEntryWithArgument && has_more) {
      argument = word_at(record, words_without, order);
    }
  }
  if (!has_base_) return {};
  return FunctionCall{.action = action,
                      .function = static_cast<uint32_t>(CallRecord::Function::in(record.header)),
                      .ticks = ticks,
                      .thread = thread_,
                      .argument = argument,
                      .begin = begin};
}

}  // namespace barefxt::host
