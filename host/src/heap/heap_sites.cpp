#include <filesystem>

#include <barefxt/host/formatted.h>
#include <barefxt/host/heap.h>

namespace barefxt::host {
namespace {

constexpr size_t kMaxSiteBytes = 256;

// A caller is a return address, which may lie behind the end of its function.
uint64_t call_at(const FunctionSymbols& symbols, uint64_t caller) {
  return caller == 0 ? 0 : symbols.code(caller) - 1;
}

}  // namespace

HeapSites::HeapSites(const ElfFile* program, const HeapStatistics& heap) {
  if (program == nullptr) return;
  symbols_.emplace(*program);
  std::vector<uint64_t> addresses;
  for (const auto& [caller, site] : heap.sites) addresses.push_back(call_at(*symbols_, caller));
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  places_ = places_in_code(*program, addresses);
}

HeapSites::Site HeapSites::site(uint64_t caller) const {
  if (caller == 0) return {"unknown caller", {}};
  if (caller == HeapStatistics::kOthers) return {"other callers", {}};
  Site site{formatted("0x{:x}", caller), {}};
  if (!symbols_) return site;
  const uint64_t code = call_at(*symbols_, caller);
  if (const ElfFile::Function* const function = symbols_->around(code))
    site.function = demangled(function->name.substr(0, kMaxSiteBytes));
  const auto found = places_.find(code);
  if (found == places_.end() || found->second.empty()) return site;
  // The innermost: the code that was written there.
  const CodePlace& place = found->second.front();
  if (!place.function.empty()) site.function = demangled(place.function.substr(0, kMaxSiteBytes));
  if (!place.file.empty() && place.line != 0)
    site.place = formatted("{}:{}",
                           (std::filesystem::path(place.directory.substr(0, kMaxSiteBytes)) /
                            place.file.substr(0, kMaxSiteBytes))
                               .lexically_normal()
                               .string(),
                           place.line);
  return site;
}

}  // namespace barefxt::host
