// A profile for people: a table of functions, then a tree for each group.
#include <algorithm>
#include <numeric>

#include <barefxt/host/formatted.h>
#include <barefxt/host/profile.h>
#include <barefxt/host/safe_text.h>

namespace barefxt::host {
namespace {

std::string percent(uint64_t part, uint64_t whole) {
  constexpr size_t kWidth = 6;
  const double share =
      whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  const std::string text = formatted("{:.1f}%", share);
  return std::string(text.size() < kWidth ? kWidth - text.size() : 0, ' ') + text;
}

class TreePrinter {
 public:
  TreePrinter(Output& out, const Profile& profile, const ProfileTree& tree,
              const ProfileSymbols& symbols, const ProfileLook& look)
      : out_(out), tree_(tree), symbols_(symbols), look_(look), all_(profile.samples()) {}

  void print(const ProfileTree::Root& root) {
    out_.text("\n" + percent(root.node.total, all_) + "  " + safe_text(root.label) + "\n");
    print_callees(root.node, 1);
  }

 private:
  // Deeper ones have their place in the other forms.
  static constexpr size_t kMaxDepth = 64;

  // False: it would be shown as 0.0 %.
  bool is_shown(uint64_t samples) const { return 2000 * samples >= all_; }

  void print_callees(const ProfileTree::Node& node, size_t depth) {
    uint64_t small = 0;
    for (const uint32_t number : tree_.sorted(node)) {
      const ProfileTree::Node& callee = tree_.node(number);
      const bool is_small =
          100 * static_cast<double>(callee.total) < look_.least_percent * static_cast<double>(all_);
      if (is_small || depth > kMaxDepth) {
        small += callee.total;
        continue;
      }
      out_.text(percent(callee.total, all_) + "  " + std::string(2 * depth, ' ') +
                safe_text(symbols_.name(callee.function)) + "\n");
      print_callees(callee, depth + 1);
    }
    if (is_shown(small))
      out_.text(percent(small, all_) + "  " + std::string(2 * depth, ' ') + "(others)\n");
  }

  Output& out_;
  const ProfileTree& tree_;
  const ProfileSymbols& symbols_;
  const ProfileLook& look_;
  uint64_t all_;
};

}  // namespace

void print_profile(Output& out, const Profile& profile, const ProfileTree& tree,
                   const ProfileSymbols& symbols, const ProfileLook& look) {
  out.text(counted(profile.samples(), "sample"));
  if (profile.lost_records() != 0)
    out.text(formatted(", {} of all kinds lost", counted(profile.lost_records(), "record")));
  if (profile.unknown_losses() != 0)
    out.text(formatted(", {} of unknown size", counted(profile.unknown_losses(), "loss")));
  out.text("\n\n  self   total  function\n");
  std::vector<uint32_t> functions(tree.functions().size());
  std::iota(functions.begin(), functions.end(), 0);
  std::ranges::stable_sort(functions, [&](uint32_t a, uint32_t b) {
    const ProfileTree::Function& one = tree.functions()[a];
    const ProfileTree::Function& other = tree.functions()[b];
    return one.self != other.self ? one.self > other.self : one.total > other.total;
  });
  size_t shown = 0;
  size_t left_out = 0;
  for (const uint32_t function : functions) {
    const auto& [self, total, place] = tree.functions()[function];
    if (total == 0) continue;
    if (shown == look.functions) {
      ++left_out;
      continue;
    }
    ++shown;
    out.text(percent(self, profile.samples()) + "  " + percent(total, profile.samples()) + "  " +
             safe_text(symbols.name(function)) + (place.empty() ? "" : "  " + safe_text(place)) +
             "\n");
  }
  if (left_out != 0) out.text(formatted("... and {} more\n", left_out));
  TreePrinter printer(out, profile, tree, symbols, look);
  for (const ProfileTree::Root& root : tree.roots())
    if (root.node.total != 0) printer.print(root);
}

}  // namespace barefxt::host
