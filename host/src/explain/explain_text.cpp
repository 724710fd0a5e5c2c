// For people: the sentence, the partition as bars, the chain, and what would help. At most
// kMaxLines lines a case.
#include <cmath>

#include <barefxt/host/output.h>

#include "phrases.h"

namespace barefxt::host {
namespace {

constexpr size_t kMaxLines = 10;
constexpr size_t kMaxBars = 5;
constexpr size_t kMaxHopsShown = 6;
constexpr size_t kMaxPathShown = 6;

// A narrow terminal has no room for the bars beside the causes.
constexpr size_t kMinWidthWithBars = 72;

void bar(Output& out, const Phrases& words, const Explanation& one, uint64_t ticks,
         const std::string& text, const TextLook& look) {
  constexpr unsigned kColumns = 20;
  constexpr double kPerCent = 100;
  const double share =
      one.length() == 0 ? 0 : static_cast<double>(ticks) / static_cast<double>(one.length());
  const auto filled = static_cast<size_t>(std::lround(share * kColumns));
  std::string columns;
  if (look.width == 0 || look.width >= kMinWidthWithBars) {
    columns = " " + std::string(filled, '#');
    columns.resize(1 + kColumns, '.');
  }
  out.text(formatted("  {:>5} % {:>12}{}  {}\n", formatted("{:.1f}", share * kPerCent),
                     words.time(ticks), columns, text));
}

void chain(Output& out, const Phrases& words, const Explanation& one) {
  std::string text;
  for (size_t i = 0; i < one.chain.size() && i < kMaxHopsShown; ++i) {
    const Wakening& link = one.chain[i];
    if (i == 0) text = words.thread(link.thread) + " was woken at " + words.at(link.time);
    if (link.waker) {
      text += (i == 0 ? " by " : ", woken by ") + words.thread(*link.waker);
    } else if (link.is_interrupt) {
      text += (i == 0 ? " by " : ", woken by ") + Phrases::interrupt(link.interrupt);
    } else {
      text += i == 0 ? ", by whom is not recorded" : ", whose waker is not recorded";
    }
  }
  if (one.chain.size() > kMaxHopsShown)
    append(text, ", and {} hops more", one.chain.size() - kMaxHopsShown);
  if (!text.empty()) out.text("  chain: " + text + "\n");
}

void path(Output& out, const Phrases& words, const Explanation& one) {
  if (one.path.empty()) return;
  std::string text;
  for (size_t i = 0; i < one.path.size() && i < kMaxPathShown; ++i) {
    const PathStretch& stretch = one.path[i];
    if (i > 0) text += ", then ";
    text += words.thread(stretch.thread) + " " + words.time(stretch.end - stretch.begin);
  }
  if (one.path.size() > kMaxPathShown)
    append(text, ", and {} stretches more", one.path.size() - kMaxPathShown);
  out.text("  path: " + text + "\n");
}

void print_text(Output& out, const Phrases& words, const Explanation& one, const TextLook& look) {
  std::string head = sentence(words.explained(), one) + " (from " + words.at(one.begin) + ")";
  if (one.budget_line != 0) head = formatted("line {}: {}", one.budget_line, head);
  out.text(look.strong(head) + "\n");
  const size_t shown = one.parts.size() > kMaxBars ? kMaxBars - 1 : one.parts.size();
  uint64_t others = one.length();
  for (size_t i = 0; i < shown; ++i) {
    bar(out, words, one, one.parts[i].ticks, words.cause(one.parts[i].cause), look);
    others -= one.parts[i].ticks;
  }
  if (shown < one.parts.size())
    bar(out, words, one, others, formatted("{} other causes", one.parts.size() - shown), look);
  chain(out, words, one);
  path(out, words, one);
  const std::string help = remedy(words.explained(), one);
  if (!help.empty()) out.text("  would help: " + help + "\n");
}
static_assert(1 + kMaxBars + 3 <= kMaxLines);

}  // namespace

void print_explanation(Output& out, const Explained& explained, const Explanation& one) {
  print_text(out, Phrases(explained), one, {0, false});
}

void print_explanations(Output& out, const Explained& explained, const TextLook& look) {
  const Phrases words(explained);
  bool is_first = true;
  for (const Explanation& one : explained.cases) {
    if (!is_first) out.character('\n');
    is_first = false;
    print_text(out, words, one, look);
  }
}

}  // namespace barefxt::host
