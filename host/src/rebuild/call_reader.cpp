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

bool is_end(uint64_t state) {
  return state == static_cast<uint64_t>(fxt::ThreadState::kDying) ||
         state == static_cast<uint64_t>(fxt::ThreadState::kDead);
}

}  // namespace

std::optional<ArchiveThread> thread_that_ended(const RecordView& record, ByteOrder order) {
  using Legacy = fxt::LegacyContextSwitch;
  using Switch = fxt::ContextSwitch;
  const uint64_t subtype = fxt::SchedulingHeader::Subtype::in(record.header);
  if (subtype == fxt::SchedulingHeader::kLegacyContextSwitch) {
    if (!is_end(Legacy::OutgoingState::in(record.header))) return {};
    return thread_of(record, order, Legacy::OutgoingThread::in(record.header), Legacy::kFixedWords);
  }
  if (subtype != fxt::SchedulingHeader::kContextSwitch ||
      !is_end(Switch::OutgoingState::in(record.header)) || record.words() < Switch::kFixedWords)
    return {};
  return ArchiveThread{.index = 0, .process = 0, .thread = word_at(record, 2, order)};
}

void CallReader::see_switch(const RecordView& record, ByteOrder order) {
  using Legacy = fxt::LegacyContextSwitch;
  using Switch = fxt::ContextSwitch;
  const uint64_t subtype = fxt::SchedulingHeader::Subtype::in(record.header);
  std::optional<ArchiveThread> incoming;
  if (subtype == fxt::SchedulingHeader::kLegacyContextSwitch) {
    const bool outgoing_is_inline = Legacy::OutgoingThread::in(record.header) == 0;
    incoming = thread_of(record, order, Legacy::IncomingThread::in(record.header),
                         Legacy::kFixedWords + (outgoing_is_inline ? 2 : 0));
  } else if (subtype == fxt::SchedulingHeader::kContextSwitch) {
    // It names threads without their process, which who has the table of threads knows.
    if (record.words() >= Switch::kFixedWords)
      incoming = ArchiveThread{.index = 0, .process = 0, .thread = word_at(record, 3, order)};
  } else {
    return;
  }
  has_base_ = incoming.has_value();
  if (incoming) thread_ = *incoming;
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
