// Names of functions, mangled or not. The first byte selects how the rest is used: to make a
// mangled name with a known meaning, or as names, each up to a zero. Their texts overlap: each
// name's end is a name as well, as linkers lay out string tables.
#include <barefxt/host/function_names.h>

#include "fuzzing.h"

namespace barefxt::test::fuzz_demangler {
namespace {

// A function in one to four scopes, with up to 15 parameters.
void known_name(FuzzInput& input) {
  std::string mangled = "_ZN";
  std::string meaning;
  std::string first;
  for (uint64_t left = 2 + (input.byte() & 3); left != 0; --left) {
    std::string part;
    for (uint64_t letters = 1 + (input.byte() & 7); letters != 0; --letters)
      part += static_cast<char>('a' + input.byte() % 26);
    mangled += std::to_string(part.size()) + part;
    meaning += (meaning.empty() ? "" : "::") + part;
    if (first.empty()) first = part;
  }
  mangled += 'E';
  std::string parameters;
  std::string meanings;
  for (uint64_t left = input.byte() & 15; left != 0; --left) {
    const std::pair<std::string, std::string> kTypes[] = {
        {"i", "int"}, {"c", "char"}, {"S_", first}, {"PS_", first + "*"}};
    const uint64_t choice = input.byte() & 3;
    // Only the first pointer is spelled out; from then on it is a substitution of its own.
    const auto& [code, type] =
        choice == 3 && parameters.find("PS_") != std::string::npos ? kTypes[0] : kTypes[choice];
    parameters += code;
    meanings += (meanings.empty() ? "" : ", ") + type;
  }
  if (parameters.empty()) parameters = "v";
  const std::string shown = host::demangled(mangled + parameters);
  if (shown != meaning + "(" + meanings + ")") die_of(mangled + parameters + " is " + shown);
}

void any_name(std::string_view name, std::string_view shown) {
  if (shown.size() > host::kMaxNameBytes) die_of("a name that is longer than it may be");
  if (shown.empty() != name.empty()) die_of("a name that is lost or made up");
  if (!name.starts_with("_Z") && shown != name.substr(0, host::kMaxNameBytes))
    die_of("a plain name that is changed");
  if (shown != host::demangled(name)) die_of("another name the second time");
}

void any_names(const std::vector<uint8_t>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<std::string_view> names;
  for (size_t at = 0; at <= text.size();) {
    const std::string_view name = text.substr(at, text.find('\0', at) - at);
    names.push_back(name);
    names.push_back(name.substr(name.size() / 2));
    at += name.size() + 1;
  }
  const host::NameTexts texts(names);
  for (size_t i = 0; i < names.size(); ++i)
    any_name(names[i], texts.empty(i) ? std::string_view() : texts.shown(i));
}

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  if ((input.byte() & 1) != 0)
    known_name(input);
  else
    any_names(input.rest());
}

const Fuzzer fuzzer("demangler", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_demangler
