#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <tuple>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/host/function_names.h>

namespace barefxt::host {

std::string demangled(std::string_view name) {
  const std::string mangled(name);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : mangled;
}

FunctionSymbols::FunctionSymbols(const ElfFile& file)
    // The lowest bit of an address of a function says Thumb.
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

std::optional<FunctionNames> FunctionNames::read(const ElfFile& file) {
  const std::optional<uint64_t> anchor = file.symbol("__cyg_profile_func_enter");
  if (!anchor) return {};
  const FunctionSymbols symbols(file);
  FunctionNames names;
  for (const ElfFile::Function& function : symbols.all()) {
    const uint64_t distance = function.address - symbols.code(*anchor);
    const auto number = static_cast<uint32_t>((distance >> fxt::CallRecord::kUnit) &
                                              fxt::CallRecord::Function::kMax);
    names.functions_.push_back({number, demangled(function.name)});
  }
  std::sort(names.functions_.begin(), names.functions_.end(),
            [](const Function& a, const Function& b) {
              return std::tie(a.number, a.name) < std::tie(b.number, b.name);
            });
  return names;
}

std::string_view FunctionNames::name(uint32_t function) const {
  const auto found = std::lower_bound(
      functions_.begin(), functions_.end(), function,
      [](const Function& candidate, uint32_t number) { return candidate.number < number; });
  return found != functions_.end() && found->number == function ? std::string_view(found->name)
                                                                : std::string_view();
}

std::string FunctionNames::name_for_people(const FunctionNames* names, uint32_t function) {
  const std::string_view name = names != nullptr ? names->name(function) : std::string_view();
  return name.empty() ? "function#" + std::to_string(function) : std::string(name);
}

}  // namespace barefxt::host
