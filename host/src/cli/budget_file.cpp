#include "budget_file.h"

#include <fstream>

namespace barefxt::cli {

host::Result<std::vector<host::BudgetLine>> read_budget(const std::string& file) {
  if (file.empty()) return std::vector<host::BudgetLine>();
  constexpr std::streamsize kMaxBudgetBytes = std::streamsize{4} << 20;
  std::ifstream stream(file);
  std::string text(static_cast<size_t>(kMaxBudgetBytes), '\0');
  if (stream.is_open()) stream.read(text.data(), kMaxBudgetBytes);
  if (!stream.is_open() || stream.bad()) return host::Error{"cannot read this budget", file, ""};
  if (stream.gcount() == kMaxBudgetBytes)
    return host::Error{"is too long for a budget", file, "4 MiB is the most"};
  text.resize(static_cast<size_t>(stream.gcount()));
  return host::parse_budget(text, file);
}

}  // namespace barefxt::cli
