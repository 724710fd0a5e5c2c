// The archive writer.
#include <barefxt/host/archive_writer.h>

#include "archive/memory_sink.h"
#include "measured.h"

namespace barefxt::test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;
using host::ArchiveThread;
using host::ArchiveWriter;

// The mix of a kernel's trace: mostly switches, durations and instants with few arguments.
constexpr unsigned kInMix = 7;
void write_mix(ArchiveWriter& writer, unsigned rounds) {
  const ArchiveThread thread = {.index = 3, .process = 0, .thread = 0};
  const ArchiveText name = ArchiveText::indexed(2);
  for (unsigned i = 0; i < rounds; ++i) {
    const uint64_t now = uint64_t{i} * 100;
    writer.legacy_context_switch({now, 1, fxt::ThreadState::kBlocked, thread, {4, 0, 0}, 1, 2});
    host::ArchiveEvent event = {fxt::EventType::kDurationBegin, now + 1, thread, name, name, 0};
    const ArchiveArgument number = ArchiveArgument::uint32(ArchiveText::indexed(5), i);
    (void)writer.event(event, {&number, 1});
    event.type = fxt::EventType::kInstant;
    const ArchiveArgument two[] = {
        ArchiveArgument::uint64(ArchiveText::indexed(6), now),
        ArchiveArgument::string(ArchiveText::indexed(7), ArchiveText::spelled_out("a message"))};
    (void)writer.event(event, two);
    event.type = fxt::EventType::kCounter;
    (void)writer.event(event, {&number, 1});
    event.type = fxt::EventType::kDurationEnd;
    (void)writer.event(event, {});
    event.type = fxt::EventType::kDurationComplete;
    event.trailing_word = now + 50;
    (void)writer.event(event, {});
    (void)writer.thread_wakeup({now, 1, 11}, {});
  }
}

}  // namespace

std::vector<Measured> measured_writing() {
  return {{"writing", "record", 245, [](Amount amount) {
             const unsigned rounds = amount == Amount::kToCount ? 1'000 : 100'000;
             CountingSink sink;
             ArchiveWriter writer(sink, host::ByteOrder::kLittle);
             write_mix(writer, rounds);
             (void)writer.flush();
             return Work{[rounds] {
                           CountingSink to;
                           ArchiveWriter writing(to, host::ByteOrder::kLittle);
                           write_mix(writing, rounds);
                           (void)writing.flush();
                         },
                         double{kInMix} * rounds, static_cast<double>(sink.count())};
           }}};
}

}  // namespace barefxt::test
