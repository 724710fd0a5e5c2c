#include "key_values.h"

#include <cstdlib>

namespace barefxt::test {

KeyValues read_key_values(std::istringstream& words) {
  KeyValues values;
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals != std::string::npos) values[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return values;
}

uint64_t number(const KeyValues& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? 0 : std::strtoull(found->second.c_str(), nullptr, 0);
}

std::string shown(const KeyValues& values) {
  std::string text;
  for (const auto& [key, value] : values) text += key + "=" + value + " ";
  return text;
}

}  // namespace barefxt::test
