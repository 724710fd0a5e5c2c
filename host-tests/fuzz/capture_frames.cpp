// Frames whose CRC is right and whose content is anything: random bytes would hardly ever pass the
// CRC. The first byte selects binary frames or lines of text. Then each frame has two bytes of
// size, and its bytes.
#include "captured.h"

namespace barefxt::test::fuzz_capture_frames {
namespace {

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const bool text = (input.byte() & 1) != 0;
  std::vector<Bytes> frames;
  while (!input.empty()) {
    ByteBuilder frame;
    frame.raw(input.take(input.number(2)));
    const uint32_t crc = plain_crc32c(frame.bytes());
    frames.push_back(frame.u32(crc).bytes());
  }
  rebuild_or_die(text ? text_form(frames) : binary_form(frames));
}

const Fuzzer fuzzer("capture_frames", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_capture_frames
