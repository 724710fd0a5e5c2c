// Anything, as what an ITM sends. The first byte selects: with or without the TPIU's frames. It
// comes to the same at once and in pieces. And frames that are put into packets, as the first byte
// says, come out again.
#include <tuple>

#include <barefxt/host/itm_stream.h>

#include "fuzzing.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::fuzz_itm {
namespace {

using Found = std::vector<std::tuple<int, uint64_t, Bytes>>;

class Kept final : public host::FrameSink {
 public:
  void on_frame(const host::Frame& frame) override {
    found.emplace_back(frame.type, 0, Bytes(frame.payload.begin(), frame.payload.end()));
  }
  void on_damaged(uint64_t input_offset) override { found.emplace_back(-1, input_offset, Bytes()); }
  void on_other_version(uint8_t version, uint64_t input_offset) override {
    found.emplace_back(-2 - version, input_offset, Bytes());
  }
  Found found;
};

Found in_pieces(const Bytes& bytes, host::ItmForm form, size_t step) {
  Kept kept;
  host::ItmStream stream(kept, form);
  for (size_t at = 0; at < bytes.size(); at += step)
    stream.feed(std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
  stream.finish();
  return std::move(kept.found);
}

// In packets of one, two or four bytes for a port.
Bytes packets_of(const Bytes& bytes, unsigned port) {
  constexpr unsigned kSizeCode[] = {0, 1, 2, 0, 3};
  Bytes all;
  for (size_t at = 0; at < bytes.size();) {
    const size_t left = bytes.size() - at;
    const size_t count = left >= 4 && at % 3 == 0 ? 4 : left >= 2 && at % 2 == 0 ? 2 : 1;
    all.push_back(static_cast<uint8_t>(port << 3 | kSizeCode[count]));
    all.insert(all.end(), bytes.begin() + static_cast<ptrdiff_t>(at),
               bytes.begin() + static_cast<ptrdiff_t>(at + count));
    at += count;
  }
  return all;
}

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const auto first = static_cast<unsigned>(input.byte());
  const Bytes rest = input.rest();
  const auto form = (first & 1) != 0 ? host::ItmForm::kTpiu : host::ItmForm::kPlain;
  if (in_pieces(rest, form, rest.size() + 1) != in_pieces(rest, form, 1 + first % 7))
    die_of("other frames when it is fed in pieces");
  ByteBuilder frame;
  frame.u8(1).u8(4).u8(0).u8(0).u32(first).u32(7).raw(rest);
  const uint32_t crc = plain_crc32c(frame.bytes());
  const Bytes line = binary_form({frame.u32(crc).bytes()});
  const Found found = in_pieces(packets_of(line, first % 32), host::ItmForm::kPlain, 5);
  if (found.size() != 1 || std::get<2>(found[0]) != rest) die_of("a frame did not come through");
}

const Fuzzer fuzzer("itm", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_itm
