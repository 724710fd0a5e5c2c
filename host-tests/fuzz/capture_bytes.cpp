// Anything, taken for a capture: binary frames, lines of text, noise.
#include "captured.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  barefxt::test::rebuild_or_die({data, data + size});
  return 0;
}
