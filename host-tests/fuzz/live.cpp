// A capture while it arrives: frames whose CRC is right and whose content is anything, in steps.
// The archives that are made of it meanwhile keep their promises, and figures can be had at any
// time. The first byte is the number of steps. Then each frame has two bytes of size, and its
// bytes.
#include <barefxt/host/arriving_merge.h>
#include <barefxt/host/arriving_statistics.h>
#include <barefxt/host/rebuild.h>

#include "archive/memory_sink.h"
#include "fuzzing.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::fuzz_live {
namespace {

class Looks final : public host::ArrivalSink {
 public:
  void begin_capture(const std::string& /*target*/, uint64_t /*ticks_per_second*/) override {
    check();
    statistics_ = std::make_unique<host::ArrivingStatistics>();
  }
  void records(host::Bytes whole) override {
    archive_.insert(archive_.end(), whole.begin(), whole.end());
    statistics_->feed(whole);
  }
  void lose(unsigned cpu, uint64_t begin, uint64_t end) override {
    if (begin > end) die_of("a loss that ends before it begins");
    statistics_->lose(cpu, begin, end);
  }

  void look(bool is_over) const {
    if (statistics_ == nullptr) return;
    host::StringOutput out;
    host::print_statistics_json(out, statistics_->figures(is_over));
  }
  void check() {
    if (!archive_.empty()) die_of(decode_plainly(std::exchange(archive_, {})).problem_text());
  }

 private:
  std::vector<uint8_t> archive_;
  std::unique_ptr<host::ArrivingStatistics> statistics_;
};

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const uint64_t first = input.byte();
  std::vector<Bytes> frames;
  while (!input.empty()) {
    ByteBuilder frame;
    frame.raw(input.take(input.number(2)));
    const uint32_t crc = plain_crc32c(frame.bytes());
    frames.push_back(frame.u32(crc).bytes());
  }
  const Bytes capture = binary_form(frames);
  const size_t step = capture.size() / (1 + first % 8) + 1;
  host::Rebuild rebuild([](const std::string&) {});
  Looks looks;
  host::ArrivingMerge merge(looks);
  rebuild.hand_on(merge, false);
  for (size_t at = 0; at < capture.size(); at += step) {
    const auto piece = std::span(capture).subspan(at, std::min(step, capture.size() - at));
    if (!rebuild.feed(piece).ok()) die_of("no room for a temporary file");
    merge.advance(first >= 128);
    looks.look(merge.state().is_over);
  }
  if (!rebuild.end_input("input").ok()) die_of("no room for a temporary file");
  merge.finish();
  looks.look(true);
  looks.check();
  if (merge.state().merged > merge.state().newest) die_of("merged what has not arrived");
}

const Fuzzer fuzzer("live", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_live
