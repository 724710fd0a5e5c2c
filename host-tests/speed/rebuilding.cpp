// Captures that become archives.
#include <memory>

#include <barefxt/host/rebuild.h>

#include "archive/memory_sink.h"
#include "measured.h"
#include "rebuild/capture_builder.h"
#include "rebuild/coded_records.h"

namespace barefxt::test {
namespace {

bool rebuild_whole(const Bytes& capture) {
  host::Rebuild rebuild([](const std::string&) {});
  if (!rebuild.feed(capture).ok() || !rebuild.end_input("capture").ok()) return false;
  CountingSink sink;
  const auto verdict = rebuild.write(sink, host::ByteOrder::kLittle);
  return verdict.ok() && verdict.value() == host::RebuildVerdict::kComplete;
}

Measured rebuilding(const char* name, bool in_code, double limit) {
  return {name, "byte of the capture", limit, [=](Amount amount) {
            const std::vector<Bytes> frames =
                two_cpu_capture(amount == Amount::kToCount ? 1000 : 10'000, 44).frames();
            const auto capture =
                std::make_shared<Bytes>(binary_form(in_code ? coded(frames) : frames));
            const auto bytes = static_cast<double>(capture->size());
            // No units: then it is not measured.
            if (!rebuild_whole(*capture)) return Work{[] {}, 0, 0};
            return Work{[=] { rebuild_whole(*capture); }, bytes, bytes};
          }};
}

}  // namespace

std::vector<Measured> measured_rebuilding() {
  return {rebuilding("rebuilding_raw_records", false, 16.4),
          rebuilding("rebuilding_coded_records", true, 208)};
}

}  // namespace barefxt::test
