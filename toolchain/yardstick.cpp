// toolchain/test.sh measures CPU time with this: one compilation of this file is its unit. Changing
// this file changes the unit, so toolchain/cpu-budget.txt is measured anew then.
#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

template <unsigned kDepth>
std::map<std::string, std::vector<unsigned>> sorted_by_word(const std::string& text) {
  std::map<std::string, std::vector<unsigned>> places;
  const std::regex word("[a-z]{" + std::to_string(kDepth + 1) + ",}");
  for (auto at = std::sregex_iterator(text.begin(), text.end(), word); at != std::sregex_iterator();
       ++at)
    places[at->str()].push_back(static_cast<unsigned>(at->position()));
  for (auto& [name, list] : places)
    std::sort(list.begin(), list.end(),
              [](unsigned a, unsigned b) { return a % (kDepth + 2) < b % (kDepth + 2); });
  if constexpr (kDepth > 0) places.merge(sorted_by_word<kDepth - 1>(text));
  return places;
}

}  // namespace

int main(int argc, char** argv) {
  std::mt19937 random(1);
  std::unordered_map<std::string, std::function<size_t(const std::string&)>> known;
  known["words"] = [](const std::string& text) { return sorted_by_word<8>(text).size(); };
  std::string text(argc > 1 ? argv[1] : "");
  std::shuffle(text.begin(), text.end(), random);
  return static_cast<int>(known["words"](text));
}
