#include "sweep/calls_look.h"

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

#include "sweep/place.h"
#include "sweep/sled_calls.h"

namespace kernel::sweep {
namespace {

using barefxt::SegmentHeader;
using barefxt::SegmentWalker;
using barefxt::fxt::ArgumentHeader;
using barefxt::fxt::CallAction;
using barefxt::fxt::CallRecord;
using barefxt::fxt::Event;
using barefxt::fxt::RecordHeader;
using barefxt::fxt::RecordType;
using barefxt::fxt::Word;
using Switch = barefxt::fxt::LegacyContextSwitch;

const SegmentHeader* next_from(uint32_t sequence) {
  const SegmentHeader* next = nullptr;
  const barefxt::Ring& ring = barefxt::rings[0];
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    if (!barefxt::holds_records(barefxt::state_of(segment))) continue;
    if (!barefxt::is_of(segment, capture()) || segment.sequence < sequence) continue;
    if (next == nullptr || segment.sequence < next->sequence) next = &segment;
  }
  return next;
}

}  // namespace

CallsLook::CallsLook(const Threads& threads, const Way& way) : threads_(threads), way_(way) {
  uint32_t sequence = 0;
  while (const SegmentHeader* segment = next_from(sequence)) {
    has_base_ = false;
    SegmentWalker walker(*segment);
    SegmentWalker::Record record;
    while (walker.next(record)) look_at(record);
    if (walker.bare_reservations() != 0) fail("unfinished");
    sequence = segment->sequence + 1;
  }
  for (const Stack& stack : stacks_)
    if (stack.depth != 0) fail("no_exit");
}

// By index, or by the koid that stands at `koid`.
unsigned CallsLook::thread_of(Word index, const Word* koid) {
  for (unsigned which = 0; which < 2; ++which) {
    const Word own = Event::Thread::in(thread(which).reference);
    if (index != 0 ? own == index : own == 0 && *koid == thread(which).koid) return which;
  }
  fail("thread");
  return 0;
}

void CallsLook::look_at(const SegmentWalker::Record& record) {
  const Word* words = record.words;
  const Word header = words[0];
  if (!record.finished) return fail("unfinished");
  if (is_filler(words)) return look_at_time(words[1]);
  if (CallRecord::is_call(header)) return look_at_call(words);
  if (RecordHeader::type(header) == RecordType::kEvent) return look_at_event(words);
  if (RecordHeader::type(header) != RecordType::kScheduling) return fail("torn");
  const bool outgoing_is_inline = Switch::OutgoingThread::in(header) == 0;
  look_at_time(words[1]);
  thread_ = thread_of(Switch::IncomingThread::in(header),
                      words + Switch::kFixedWords + (outgoing_is_inline ? 3 : 1));
}

void CallsLook::look_at_call(const Word* words) {
  const Word header = words[0];
  const uint64_t function = CallRecord::Function::in(header);
  if (CallRecord::is_long(header) && CallRecord::is_complete(header))
    return look_at_whole_call(words, function);
  uint64_t time = (last_long_ & ~CallRecord::Counter::kMax) | CallRecord::Counter::in(header);
  if (CallRecord::is_long(header)) {
    time = last_long_ = words[1];
    thread_ = thread_of(CallRecord::Thread::in(header), words + CallRecord::kLongWords + 1);
    has_base_ = true;
  }
  if (!has_base_) return fail("no_base");
  look_at_time(time);
  const auto action = static_cast<CallAction>(CallRecord::Action::in(header));
  Stack& stack = stacks_[thread_];
  if (action == CallAction::kExit || action == CallAction::kTailExit) {
    if (stack.depth == 0) return fail("no_entry");
    --stack.depth;
    if (stack.function[stack.depth] != function) fail("wrong_exit");
    return;
  }
  ++calls;
  const Called called = called_by_number(way_, function);
  if (called != kCalled) ++entries[called][thread_];
  const bool has_argument = action == CallAction::kEntryWithArgument;
  if (called == kCalledInterrupted && has_argument != way_.has_argument) fail("argument");
  const auto low = static_cast<uintptr_t>(kSweptArgument);
  if (has_argument && words[CallRecord::SizeWords::in(header)-1] != low) fail("argument");
  if (stack.depth == kDepth) return fail("too_deep");
  stack.function[stack.depth++] = function;
}

// They come when they end: what lies within has come before.
void CallsLook::look_at_whole_call(const Word* words, uint64_t function) {
  const Word header = words[0];
  const uint64_t end = words[1];
  const uint64_t begin = words[CallRecord::SizeWords::in(header)-1];
  look_at_time(end);
  if (begin > end) fail("begins_late");
  const unsigned which =
      thread_of(CallRecord::Thread::in(header), words + CallRecord::kLongWords + 1);
  Spans& spans = spans_[which];
  while (spans.count != 0 && spans.begin[spans.count - 1] >= begin) --spans.count;
  if (spans.count != 0 && spans.end[spans.count - 1] > begin) fail("crossed");
  if (spans.count == kDepth) return fail("too_deep");
  spans.begin[spans.count] = begin;
  spans.end[spans.count] = end;
  ++spans.count;
  ++calls;
  const Called called = called_by_number(way_, function);
  if (called != kCalled) ++entries[called][which];
}

void CallsLook::look_at_event(const Word* words) {
  const Word header = words[0];
  look_at_time(words[1]);
  if (way_.events == 0) return fail("torn");
  const EventNames names = sled_calls.event_names();
  const Word index = Event::Thread::in(header);
  const Word* at = words + Event::kFixedWords;
  if (thread_of(index, at + 1) != 0) fail("thread");
  if (index == 0) at += 2;
  const bool is_typed = Event::Name::in(header) == names.typed;
  if (!is_typed && Event::Name::in(header) != names.custom) fail("name");
  if (Event::Category::in(header) != names.category) fail("category");
  if (is_typed && ArgumentHeader::Uint32::in(*at++) != kSweptType) fail("type");
  if (ArgumentHeader::BlobBytes::in(*at) != sizeof kSweptPayload) return fail("payload");
  const auto* bytes = reinterpret_cast<const char*>(at + 1);
  for (size_t i = 0; i < sizeof kSweptPayload; ++i)
    if (bytes[i] != kSweptPayload[i]) fail("payload");
  if (at + 1 + barefxt::fxt::words_for_bytes(sizeof kSweptPayload) !=
      words + RecordHeader::SizeWords::in(header))
    fail("size");
  ++events[is_typed ? 1 : 0];
}

void CallsLook::look_at_time(uint64_t time) {
  if (time < last_time_) fail("time_runs_back");
  last_time_ = time;
}

}  // namespace kernel::sweep
