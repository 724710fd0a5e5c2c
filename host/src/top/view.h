// The user's choice of what to see, and the keys that make it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frame.h"

namespace barefxt::top {

enum class SortBy : uint8_t { kNow, kRunning, kRunnable, kBlocked, kLatency, kName };
inline constexpr size_t kSortings = 6;

enum class Section : uint8_t { kAll, kCpus, kThreads, kInterrupts, kLocks, kCounters, kLosses };
inline constexpr size_t kSections = 7;

// A request that a key sends to a target with a way back.
enum class AskFor : uint8_t { kStart, kStop, kSnapshot, kDump, kCategories };

struct Asked {
  AskFor what{};
  uint32_t categories = 0;
};

// A line that is being typed.
enum class Typing : uint8_t { kNothing, kFilter, kCategories };

struct View {
  SortBy sort_by = SortBy::kRunning;
  bool is_reversed = false;
  Section section = Section::kAll;
  std::string filter;                // of names: text that they contain, or a pattern with `*`
  std::optional<uint64_t> selected;  // the koid of a thread
  size_t scrolled = 0;               // rows, of one section
  bool is_frozen = false;
  bool shows_help = false;
  std::string explanation;  // of a latency, in lines; empty: the frame is shown
  bool can_ask = false;     // the line has a way back
  Typing typing = Typing::kNothing;
  std::string typed;
  std::string message;  // the last one
};

// The wishes of a key beyond the view itself.
struct Effect {
  bool quits = false;
  bool saves = false;
  bool explains = false;  // the latency of the selected thread
  std::optional<Asked> asks = {};
};

// Keys without a character.
enum SpecialKey : int {  // unscoped: among characters
  kKeyUp = 0x110000,
  kKeyDown,
  kKeyPageUp,
  kKeyPageDown,
  kKeyEscape = 27,
  kKeyEnter = '\n',
  kKeyBackspace = 127,
};

// `key`: a code point, or a SpecialKey.
Effect on_key(View& view, const Frame& frame, int key);

// The rows to show, in order.
std::vector<const ThreadRow*> shown_threads(const Frame& frame, const View& view);
bool is_shown(const View& view, const std::string& name);

}  // namespace barefxt::top
