// The colours of pages and pictures, in light and in dark.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace barefxt::report {

struct Colour {
  std::string_view name;
  uint32_t light;  // 0xrrggbb
  uint32_t dark;
};

// Text has a contrast of 4.5:1 at least, states 3:1; states and hues differ for people who cannot
// distinguish red and green, too. A test computes it.
inline constexpr auto kPalette = std::to_array<Colour>({
    {"background", 0xffffff, 0x16181d},
    {"lane", 0xf4f5f7, 0x1f2229},
    {"line", 0xd5d9e0, 0x353a45},
    {"text", 0x1b1f27, 0xe6e9ef},
    {"faint", 0x5c6470, 0x9aa3b2},
    {"running", 0x1f6b39, 0x5fbf78},
    {"runnable", 0xb87f00, 0xfdb334},
    {"blocked", 0x778198, 0x646e85},
    {"waiting", 0x9781c4, 0x7d65a8},
    {"unknown", 0x535658, 0xa7aeaf},
    {"idle", 0x768d7d, 0x4e7861},
    {"lost", 0xc62828, 0xff6b6b},
    {"mark", 0x1b1f27, 0xe6e9ef},
    {"log", 0x8e24aa, 0xd98cf0},
    {"wakeup", 0xb26a00, 0xffc872},
    {"arrow", 0x3d5a99, 0x9db8f5},
    {"counter", 0x1f6f9f, 0x66bce8},
    {"selection", 0x0b57d0, 0xa8c7fa},
});

// Items without a colour of their own (durations, threads on a CPU) get one of these, by number.
inline constexpr auto kHues = std::to_array<Colour>({
    {"", 0x44adfa, 0x3961b6},
    {"", 0xebc668, 0x626e05},
    {"", 0xae7b6c, 0x652f36},
    {"", 0x55dbc7, 0x207167},
    {"", 0xc6c68c, 0x5d6e41},
    {"", 0x08a3a8, 0x3b3879},
    {"", 0x878f3b, 0x464400},
    {"", 0x38d9f0, 0x566291},
});

}  // namespace barefxt::report
