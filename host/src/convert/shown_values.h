// Values of an archive as converters for other tools show them, whatever the format.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <barefxt/host/formatted.h>
#include <barefxt/host/record.h>

namespace barefxt::host {

// 64 bits of ticks at 1 tick/s are 94 bits of nanoseconds.
using Nanoseconds = unsigned __int128;

inline Nanoseconds nanoseconds(uint64_t ticks, const ProviderState& state) {
  constexpr uint64_t kSecond = 1'000'000'000;
  const uint64_t rate = state.ticks_per_second;
  return rate == 0 ? Nanoseconds{ticks} : Nanoseconds{ticks} * kSecond / rate;
}

// The latest time that Perfetto and readers of CTF hold: 63 bits.
inline constexpr Nanoseconds kMaxTime = std::numeric_limits<int64_t>::max();

// The text, or what a string that was never registered is called.
class Label {
 public:
  explicit Label(const Text& text)
      : made_(text.registered ? std::string() : formatted("string#{}", text.ref.value)),
        text_(text.registered ? text.bytes : std::string_view(made_)) {}
  Label(const Label&) = delete;
  Label& operator=(const Label&) = delete;
  std::string_view text() const { return text_; }

 private:
  std::string made_;
  std::string_view text_;
};

}  // namespace barefxt::host
