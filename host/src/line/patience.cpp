#include "patience.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <poll.h>

namespace barefxt::line {

int wait_for(int handle, short events, const Patience& patience) {
  std::array<pollfd, 2> waiting = {
      {{patience.interrupts.handle(), POLLIN, 0}, {handle, events, 0}}};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        patience.end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return ETIMEDOUT;
    constexpr int64_t kMaxMilliseconds = 1'000'000;
    const int came = poll(waiting.data(), waiting.size(),
                          static_cast<int>(std::min<int64_t>(left.count(), kMaxMilliseconds)));
    if (came <= 0) continue;
    return waiting[0].revents != 0 ? EINTR : 0;
  }
}

}  // namespace barefxt::line
