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

// Chosen to differ in lightness, too, for people who cannot distinguish the hues.
inline constexpr auto kPalette = std::to_array<Colour>({
    {"background", 0xffffff, 0x16181d},
    {"lane", 0xf4f5f7, 0x1f2229},
    {"line", 0xd5d9e0, 0x353a45},
    {"text", 0x1b1f27, 0xe6e9ef},
    {"faint", 0x5c6470, 0x9aa3b2},
    {"running", 0x2e7d4f, 0x53b97c},
    {"runnable", 0xe0a100, 0xf2c14e},
    {"blocked", 0xb9c3d3, 0x444e60},
    {"waiting", 0xd9cfe6, 0x5b4f6b},
    {"unknown", 0xe3e3e3, 0x33363d},
    {"idle", 0xdfe6df, 0x2c352f},
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
    {"", 0x6f9fd8, 0x4673ad},
    {"", 0x86b86b, 0x558a3c},
    {"", 0xe0a26a, 0xa8662e},
    {"", 0xb690d6, 0x7f56a3},
    {"", 0x6fbfb5, 0x33857b},
    {"", 0xd98aa8, 0xa34f70},
    {"", 0xc2b05f, 0x857424},
    {"", 0x9aa7c7, 0x5f6d91},
});

}  // namespace barefxt::report
