// Anything, taken for a capture: binary frames, lines of text, noise.
#include "captured.h"

namespace barefxt::test::fuzz_capture_bytes {
namespace {

void try_input(const uint8_t* data, size_t size) { rebuild_or_die({data, data + size}); }

const Fuzzer fuzzer("capture_bytes", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_capture_bytes
