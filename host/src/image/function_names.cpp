#include <algorithm>
#include <utility>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/host/function_names.h>

namespace barefxt::host {

FunctionSymbols::FunctionSymbols(const ElfFile& file)
    // The lowest bit of a function's address marks Thumb code.
    : code_(file.is_arm32() ? ~uint64_t{1} : ~uint64_t{0}), functions_(file.functions()) {
  for (ElfFile::Function& function : functions_) function.address &= code_;
  std::sort(functions_.begin(), functions_.end(),
            [](const ElfFile::Function& a, const ElfFile::Function& b) {
              return a.address != b.address ? a.address < b.address : a.name < b.name;
            });
  const auto repeated = std::unique(functions_.begin(), functions_.end(),
                                    [](const ElfFile::Function& a, const ElfFile::Function& b) {
                                      return a.address == b.address;
                                    });
  functions_.erase(repeated, functions_.end());
}

std::string_view FunctionSymbols::at(uint64_t address) const {
  address = code(address);
  const auto found = std::lower_bound(
      functions_.begin(), functions_.end(), address,
      [](const ElfFile::Function& function, uint64_t at) { return function.address < at; });
  return found != functions_.end() && found->address == address ? found->name : std::string_view();
}

const ElfFile::Function* FunctionSymbols::around(uint64_t address) const {
  const auto behind = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](uint64_t at, const ElfFile::Function& function) { return at < function.address; });
  if (behind == functions_.begin()) return nullptr;
  const ElfFile::Function& function = *(behind - 1);
  const bool is_within = function.bytes == 0 || address - function.address < function.bytes;
  return is_within ? &function : nullptr;
}

std::optional<FunctionNames> FunctionNames::read(const ElfFile& file) {
  const std::optional<uint64_t> anchor = file.symbol("__cyg_profile_func_enter");
  if (!anchor) return {};
  const FunctionSymbols symbols(file);
  std::vector<std::pair<uint32_t, std::string_view>> functions;
  for (const ElfFile::Function& function : symbols.all()) {
    const uint64_t distance = function.address - symbols.code(*anchor);
    functions.emplace_back(static_cast<uint32_t>((distance >> fxt::CallRecord::kUnit) &
                                                 fxt::CallRecord::Function::kMax),
                           function.name);
  }
  std::sort(functions.begin(), functions.end());
  FunctionNames names;
  std::vector<std::string_view> texts;
  for (const auto& [number, text] : functions) {
    names.numbers_.push_back(number);
    texts.push_back(text);
  }
  names.texts_ = NameTexts(texts);
  return names;
}

std::string_view FunctionNames::name(uint32_t function) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), function);
  if (found == numbers_.end() || *found != function) return {};
  return texts_.shown(static_cast<size_t>(found - numbers_.begin()));
}

std::string FunctionNames::name_for_people(const FunctionNames* names, uint32_t function) {
  const std::string_view name = names != nullptr ? names->name(function) : std::string_view();
  return name.empty() ? formatted("function#{}", function) : std::string(name);
}

}  // namespace barefxt::host
