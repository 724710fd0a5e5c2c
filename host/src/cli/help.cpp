// The text of --help.
#include <algorithm>

#include <barefxt/host/formatted.h>

#include "described.h"

namespace barefxt::cli {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kColumn = 28;  // of descriptions
constexpr const char* kOptionsGroup = "Options";

// Words of a text, wrapped: `begun` is where the first line stands already.
std::string wrapped(const std::string& text, size_t begun, size_t column) {
  std::string lines;
  size_t at = begun;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const size_t length = end - begin;
    if (at > column && at + 1 + length > kWidth) {
      host::append(lines, "\n{}", std::string(column, ' '));
      at = column;
    } else if (at > column) {
      lines += ' ';
      ++at;
    }
    lines.append(text, begin, length);
    at += length;
    begin = end + 1;
  }
  return lines;
}

// A name and what it is, in two columns.
std::string entry(const std::string& name, const std::string& description) {
  std::string line = "  " + name;
  if (line.size() + 2 > kColumn)
    host::append(line, "\n{}", std::string(kColumn, ' '));
  else
    line.resize(kColumn, ' ');
  return line + wrapped(description, kColumn, kColumn) + "\n";
}

std::string name_of(const DescribedOption& option) {
  if (option.names.empty()) return option.positional + (option.takes_several ? "..." : "");
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + name;
  return option.takes_value ? names + " " + option.value : names;
}

std::string description_of(const DescribedOption& option) {
  std::string text = option.description;
  if (option.is_required) text += " (required)";
  if (!option.preset.empty()) text += " (default: " + option.preset + ")";
  return text;
}

// The text in lines of its own, each wrapped but those that begin with blanks.
std::string paragraph(const std::string& text) {
  std::string lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    lines += (line.starts_with("  ") ? line : wrapped(line, 0, 0)) + "\n";
    begin = end + 1;
  }
  return lines;
}

// An argument: it stands above all options.
bool is_argument(const DescribedOption& option) {
  return option.names.empty() && option.group == kOptionsGroup;
}

std::string options_of(const DescribedVerb& verb) {
  std::string text;
  for (const DescribedOption& option : verb.options)
    if (is_argument(option))
      text +=
          (text.empty() ? "\nArguments:\n" : "") + entry(name_of(option), description_of(option));
  std::vector<std::string> groups;
  for (const DescribedOption& option : verb.options)
    if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
  for (const std::string& group : groups) {
    std::string entries;
    for (const DescribedOption& option : verb.options)
      if (option.group == group && !is_argument(option))
        entries += entry(name_of(option), description_of(option));
    if (!entries.empty()) host::append(text, "\n{}:\n{}", group, entries);
  }
  return text;
}

}  // namespace

std::string help_of(const DescribedCommand& command) {
  std::string text = host::formatted("{}\nUsage: {} VERB [OPTIONS]\n\nVerbs:\n",
                                     paragraph(command.description), command.name);
  for (const DescribedVerb& verb : command.verbs) text += entry(verb.name, verb.description);
  return host::formatted("{}{}\n`{} help VERB` describes a verb.\n{}", text, options_of(command),
                         command.name, paragraph(command.footer));
}

std::string help_of(const DescribedCommand& command, const DescribedVerb& verb) {
  std::string usage = host::formatted("Usage: {} {}", command.name, verb.name);
  for (const DescribedOption& option : verb.options)
    if (option.is_required && !option.names.empty())
      host::append(usage, " {} {}", option.names.back(), option.value);
  usage += " [OPTIONS]";
  for (const DescribedOption& option : verb.options)
    if (option.names.empty())
      usage += option.is_required ? " " + name_of(option) : " [" + name_of(option) + "]";
  return host::formatted("{}\n{}\n{}\n{}{}", paragraph(verb.description), usage, options_of(verb),
                         verb.footer.empty() ? "" : paragraph(verb.footer) + "\n",
                         paragraph(command.footer));
}

std::string likely_meant(const std::string& word, const std::vector<std::string>& known) {
  // How many characters have to be changed, added, left out or swapped with the next one.
  const auto distance = [&](const std::string& other) {
    std::vector<std::vector<size_t>> costs(word.size() + 1, std::vector<size_t>(other.size() + 1));
    for (size_t i = 0; i <= word.size(); ++i) {
      for (size_t j = 0; j <= other.size(); ++j) {
        size_t& cost = costs[i][j];
        if (i == 0 || j == 0) {
          cost = i + j;
          continue;
        }
        cost = std::min({costs[i - 1][j] + 1, costs[i][j - 1] + 1,
                         costs[i - 1][j - 1] + (word[i - 1] == other[j - 1] ? 0 : 1)});
        if (i > 1 && j > 1 && word[i - 1] == other[j - 2] && word[i - 2] == other[j - 1])
          cost = std::min(cost, costs[i - 2][j - 2] + 1);
      }
    }
    return costs[word.size()][other.size()];
  };
  constexpr size_t kMaxChecked = 64;
  if (word.size() < 2 || word.size() > kMaxChecked) return {};
  std::string best;
  size_t least = word.size() < 5 ? 2 : 3;  // one less is like it
  for (const std::string& other : known) {
    const size_t changes = other.starts_with(word) ? 1 : distance(other);
    if (changes >= least) continue;
    least = changes;
    best = other;
  }
  return best;
}

}  // namespace barefxt::cli
