#include "view.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>
#include <vector>

#include <barefxt/host/stats.h>

namespace barefxt::top {
namespace {

constexpr size_t kPage = 10;

void append(std::string& text, int key) {
  const auto code = static_cast<uint32_t>(key);
  const auto byte = [&](uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

void drop_last(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

std::optional<uint32_t> mask_of(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  uint32_t mask = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), mask, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return mask;
}

Effect finish_typing(View& view) {
  Effect effect;
  if (view.typing == Typing::kFilter) view.filter = view.typed;
  if (view.typing == Typing::kCategories) {
    if (const std::optional<uint32_t> mask = mask_of(view.typed))
      effect.asks = Asked{AskFor::kCategories, *mask};
    else
      view.message = "no number: " + view.typed;
  }
  view.typing = Typing::kNothing;
  return effect;
}

Effect on_typed(View& view, int key) {
  switch (key) {
    case kKeyEnter:
      return finish_typing(view);
    case kKeyEscape:
      view.typing = Typing::kNothing;
      return {};
    case kKeyBackspace:
      drop_last(view.typed);
      return {};
    default:
      break;
  }
  constexpr size_t kMaxTyped = 100;
  if (key >= ' ' && key < kKeyUp && view.typed.size() < kMaxTyped) append(view.typed, key);
  return {};
}

void type(View& view, Typing typing, std::string text) {
  view.typing = typing;
  view.typed = std::move(text);
}

void select_worst_latency(View& view, const Frame& frame) {
  const auto worst = std::max_element(
      frame.threads.begin(), frame.threads.end(), [](const ThreadRow& a, const ThreadRow& b) {
        return a.worst_latency.value_or(0) < b.worst_latency.value_or(0);
      });
  if (worst == frame.threads.end() || !worst->worst_latency) {
    view.message = "no wakeup has a latency yet";
    return;
  }
  view.selected = worst->koid;
  if (!is_shown(view, worst->name)) view.filter.clear();
  if (view.section != Section::kAll) view.section = Section::kThreads;
}

bool has_latency(const View& view, const Frame& frame) {
  return std::any_of(frame.threads.begin(), frame.threads.end(), [&](const ThreadRow& row) {
    return view.selected == row.koid && row.worst_latency;
  });
}

void move(View& view, const Frame& frame, ptrdiff_t rows) {
  if (view.section != Section::kAll && view.section != Section::kThreads) {
    view.scrolled =
        static_cast<size_t>(std::max<ptrdiff_t>(0, static_cast<ptrdiff_t>(view.scrolled) + rows));
    return;
  }
  const std::vector<const ThreadRow*> shown = shown_threads(frame, view);
  if (shown.empty()) return;
  const auto found = std::find_if(shown.begin(), shown.end(),
                                  [&](const ThreadRow* row) { return view.selected == row->koid; });
  const ptrdiff_t now = found == shown.end() ? (rows > 0 ? -1 : 0) : found - shown.begin();
  const ptrdiff_t next =
      std::clamp<ptrdiff_t>(now + rows, 0, static_cast<ptrdiff_t>(shown.size()) - 1);
  view.selected = shown[static_cast<size_t>(next)]->koid;
}

Effect ask(View& view, AskFor what) {
  if (!view.can_ask) {
    view.message = "the line has no way back";
    return {};
  }
  if (what == AskFor::kCategories) {
    type(view, Typing::kCategories, "0x");
    return {};
  }
  return {.asks = Asked{what, 0}};
}

double key_of(const ThreadRow& row, SortBy by) {
  switch (by) {
    case SortBy::kNow:
      return row.now.value_or(0);
    case SortBy::kRunning:
      return row.running;
    case SortBy::kRunnable:
      return row.runnable;
    case SortBy::kBlocked:
      return row.blocked;
    case SortBy::kLatency:
      return static_cast<double>(row.worst_latency.value_or(0));
    case SortBy::kName:
      break;
  }
  return 0;
}

}  // namespace

bool is_shown(const View& view, const std::string& name) {
  if (view.filter.empty()) return true;
  if (view.filter.find('*') != std::string::npos) return host::matches(view.filter, name);
  return name.find(view.filter) != std::string::npos;
}

std::vector<const ThreadRow*> shown_threads(const Frame& frame, const View& view) {
  std::vector<const ThreadRow*> rows;
  for (const ThreadRow& row : frame.threads)
    if (is_shown(view, row.name)) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [&](const ThreadRow* a, const ThreadRow* b) {
    if (view.sort_by == SortBy::kName)
      return std::tie(a->name, a->koid) < std::tie(b->name, b->koid);
    // Equal ones in the frame's order: all are of its vector.
    return std::pair(key_of(*b, view.sort_by), a) < std::pair(key_of(*a, view.sort_by), b);
  });
  if (view.is_reversed) std::reverse(rows.begin(), rows.end());
  return rows;
}

Effect on_key(View& view, const Frame& frame, int key) {
  if (view.typing != Typing::kNothing) return on_typed(view, key);
  view.message.clear();
  switch (key) {
    case 'q':
      return {.quits = true};
    case 'w':
      return {.saves = true};
    case 's':
      view.sort_by = static_cast<SortBy>((static_cast<size_t>(view.sort_by) + 1) % kSortings);
      return {};
    case 'r':
      view.is_reversed = !view.is_reversed;
      return {};
    case '/':
      type(view, Typing::kFilter, view.filter);
      return {};
    case ' ':
    case 'f':
      view.is_frozen = !view.is_frozen;
      return {};
    case 'j':
      select_worst_latency(view, frame);
      return {};
    case 'e':
      if (!std::exchange(view.explanation, {}).empty()) return {};
      if (!has_latency(view, frame)) select_worst_latency(view, frame);
      return {.explains = has_latency(view, frame)};
    case '\t':
      view.section = static_cast<Section>((static_cast<size_t>(view.section) + 1) % kSections);
      view.scrolled = 0;
      return {};
    case 'h':
    case '?':
      view.shows_help = !view.shows_help;
      return {};
    case kKeyEscape:
      view.filter.clear();
      view.selected.reset();
      view.shows_help = false;
      view.explanation.clear();
      return {};
    case kKeyUp:
      move(view, frame, -1);
      return {};
    case kKeyDown:
      move(view, frame, 1);
      return {};
    case kKeyPageUp:
      move(view, frame, -static_cast<ptrdiff_t>(kPage));
      return {};
    case kKeyPageDown:
      move(view, frame, kPage);
      return {};
    case 'S':
      return ask(view, AskFor::kStart);
    case 'X':
      return ask(view, AskFor::kStop);
    case 'N':
      return ask(view, AskFor::kSnapshot);
    case 'D':
      return ask(view, AskFor::kDump);
    case 'C':
      return ask(view, AskFor::kCategories);
    default:
      return {};
  }
}

}  // namespace barefxt::top
