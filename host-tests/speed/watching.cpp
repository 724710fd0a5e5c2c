// Captures that are shown while they arrive.
#include <memory>

#include <barefxt/host/rebuild.h>

#include "measured.h"
#include "rebuild/capture_builder.h"
#include "rebuild/coded_records.h"
#include "top/frame_maker.h"
#include "top/layout.h"
#include "top/live_trace.h"

namespace barefxt::test {
namespace {

// The bytes of 3 Mbaud between two frames, which are 150 ms apart at least: 300 kB/s.
constexpr size_t kBytesOfAFrame = 45'000;

bool watch(const Bytes& capture) {
  host::Rebuild rebuild([](const std::string&) {});
  top::LiveTrace trace(rebuild, false);
  top::FrameMaker maker;
  size_t columns = 0;
  for (size_t at = 0; at < capture.size(); at += kBytesOfAFrame) {
    const size_t count = std::min(kBytesOfAFrame, capture.size() - at);
    if (!rebuild.feed(std::span(capture).subspan(at, count)).ok()) return false;
    trace.advance(false);
    const auto figures = trace.figures();
    const top::Frame frame =
        maker.make(figures ? &*figures : nullptr, trace.state(), {}, trace.target());
    columns += lay_out(frame, {}, {80, 24}, top::Glyphs::kUnicode).front().text.size();
  }
  trace.finish();
  return trace.state().is_over && columns != 0;
}

// At 3 Mbaud each instruction a byte is 300,000 a second: 500 are 5 % of a core that does one at
// each of 3 billion ticks.
Measured watching(const char* name, bool in_code, double limit) {
  return {name, "byte of the capture", limit, [=](Amount amount) {
            TestCapture test = two_cpu_capture(amount == Amount::kToCount ? 1000 : 10'000, 44);
            test.mode = 3;
            const std::vector<Bytes> frames = test.frames();
            const auto capture =
                std::make_shared<Bytes>(binary_form(in_code ? coded(frames) : frames));
            const auto bytes = static_cast<double>(capture->size());
            if (!watch(*capture)) return Work{[] {}, 0, 0};
            return Work{[=] { watch(*capture); }, bytes, bytes};
          }};
}

}  // namespace

std::vector<Measured> measured_watching() {
  return {watching("watching_raw_records", false, 58),
          watching("watching_coded_records", true, 361)};
}

}  // namespace barefxt::test
