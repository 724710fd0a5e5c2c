// The lines with the kernel's findings: words, some of them KEY=VALUE.
#pragma once

#include <cstdint>
#include <map>
#include <sstream>
#include <string>

namespace barefxt::test {

using KeyValues = std::map<std::string, std::string>;

// Reads the rest of a line; words without a value are passed over.
KeyValues read_key_values(std::istringstream& words);

// 0 where there is no such key. Decimal, or hexadecimal behind 0x.
uint64_t number(const KeyValues& values, const std::string& key);

// On one line, for a failure's message.
std::string shown(const KeyValues& values);

}  // namespace barefxt::test
