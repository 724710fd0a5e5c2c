// A demangled name may be exponentially longer than the mangled one: each reference to an earlier
// part (`S0_`, `T_`) may double it. So its size is estimated first.
#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>

#include <barefxt/host/function_names.h>

namespace barefxt::host {
namespace {

// A name that may need more stays mangled.
constexpr double kMaxDemanglerBytes = 16 << 20;
// Bytes that one byte of a mangled name becomes without references: `x` is "long long".
constexpr double kGrowth = 8;

// An upper bound: each part may be repeated by every reference to it. Letters of a plain name that
// look like a reference count as one.
double estimated_bytes(std::string_view name) {
  std::map<std::string_view, unsigned> references;
  for (size_t at = 0; at < name.size(); ++at) {
    if (name.substr(at, 2) == "Dp" || name.substr(at, 2) == "sp") ++references["Dp"];
    if (name[at] != 'S' && name[at] != 'T') continue;
    const size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (end != std::string_view::npos && name[end] == '_')
      ++references[name.substr(at, end + 1 - at)];
    // The letters behind an S may begin a reference themselves: the loop looks at each.
  }
  double bytes = kGrowth * static_cast<double>(name.size());
  for (const auto& [reference, count] : references) bytes *= 1 + count;
  return bytes;
}

}  // namespace

std::string demangled(std::string_view name) {
  std::string mangled(name.substr(0, kMaxNameBytes));
  if (!mangled.starts_with("_Z") || estimated_bytes(mangled) > kMaxDemanglerBytes) return mangled;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return mangled;
  return std::string(std::string_view(text.get()).substr(0, kMaxNameBytes));
}

}  // namespace barefxt::host
