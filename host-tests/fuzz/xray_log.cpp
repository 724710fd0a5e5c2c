// Anything, as a log of XRay's flight data recorder. It becomes a log that is read back without
// damage, with the same calls, and changes no more; and an archive that keeps its promises.
#include <barefxt/host/convert_xray.h>

#include "archive/memory_sink.h"
#include "fuzzing.h"
#include "reader/plain_decoder.h"

namespace barefxt::test::fuzz_xray_log {
namespace {

using Log = std::unique_ptr<host::XrayLog>;

std::vector<uint8_t> rewritten(const host::XrayLog& log, unsigned version) {
  MemorySink sink;
  if (!host::xray_to_fdr(log, version, sink).ok()) die_of("a log cannot be written");
  return sink.bytes();
}

// Calls that nest, as they are read thread by thread.
uint64_t nested_calls(const host::XrayLog& log) {
  uint64_t calls = 0;
  for (const host::XrayLog::Thread& thread : log.threads()) {
    host::XrayThreadReader::OpenCalls open(host::XrayThreadReader::kMaxOpen);
    host::XrayThreadReader reader(log, thread, open);
    while (const host::XrayRecord* record = reader.next())
      if (record->kind != host::XrayKind::kCustomEvent &&
          record->kind != host::XrayKind::kTypedEvent)
        ++calls;
  }
  return calls;
}

void rewrite_or_die(const host::XrayLog& log, unsigned version) {
  const std::vector<uint8_t> once = rewritten(log, version);
  const host::Result<Log> again = host::XrayLog::open(once, "rewritten");
  if (!again.ok()) die_of("what was rewritten is no log");
  if (again.value()->reader().damaged_places() != 0) die_of("what was rewritten is damaged");
  // Version 1 has no processes, whose threads may have had the same id.
  if (version == 1) return;
  if (nested_calls(*again.value()) != nested_calls(log)) die_of("other calls than in the log");
  if (rewritten(*again.value(), version) != once) die_of("rewritten again it changes");
}

void try_input(const uint8_t* data, size_t size) {
  const host::Result<Log> log = host::XrayLog::open({data, size}, "input");
  if (!log.ok() || log.value()->calls() + log.value()->events() == 0) return;
  for (const unsigned version : {1u, 3u, 5u}) rewrite_or_die(*log.value(), version);
  MemorySink sink;
  if (!host::xray_to_fxt(*log.value(), nullptr, sink, host::ByteOrder::kLittle).ok())
    die_of("an archive cannot be written");
  die_of(decode_plainly(sink.bytes()).problem_text());
}

const Fuzzer fuzzer("xray_log", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_xray_log
