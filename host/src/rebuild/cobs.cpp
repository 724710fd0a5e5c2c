#include <cstring>

#include <barefxt/host/cobs.h>

namespace barefxt::host {

std::optional<size_t> cobs_decode(std::span<const uint8_t> coded, uint8_t* decoded) {
  const uint8_t* from = coded.data();
  const uint8_t* const end = from + coded.size();
  uint8_t* to = decoded;
  while (from < end) {
    const uint8_t code = *from++;
    const size_t run = static_cast<size_t>(code) - 1;
    const auto left = static_cast<size_t>(end - from);
    // Most blocks of a trace are a few bytes long: sixteen at once are quicker than their number.
    // A code of 0 makes the longest run.
    if (run <= kCobsSlackBytes && left > kCobsSlackBytes) {
      std::memcpy(to, from, kCobsSlackBytes);
      to[run] = 0;
      from += run;
      to += run + 1;
      continue;
    }
    if (code == 0 || run > left) return {};
    std::memcpy(to, from, run);
    from += run;
    to += run;
    if (code != 0xff && from < end) *to++ = 0;
  }
  return static_cast<size_t>(to - decoded);
}

}  // namespace barefxt::host
