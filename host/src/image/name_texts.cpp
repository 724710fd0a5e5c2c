#include <algorithm>
#include <numeric>

#include <barefxt/host/function_names.h>
#include <barefxt/host/name_texts.h>

namespace barefxt::host {

NameTexts::NameTexts(std::span<const std::string_view> names) : places_(names.size()) {
  std::vector<size_t> by_place(names.size());
  std::iota(by_place.begin(), by_place.end(), size_t{0});
  std::sort(by_place.begin(), by_place.end(),
            [&](size_t a, size_t b) { return names[a].data() < names[b].data(); });
  const char* end = nullptr;  // in the file: the end of the text copied so far
  for (const size_t index : by_place) {
    const std::string_view name = names[index];
    if (name.empty() || text_.size() + name.size() > kMaxTextBytes) continue;
    const char* const name_end = name.data() + name.size();
    if (end == nullptr || name.data() >= end) {
      text_.append(name);
      end = name_end;
    } else if (name_end > end) {
      text_.append(end, name_end);
      end = name_end;
    }
    places_[index] = {text_.size() - static_cast<size_t>(end - name.data()), name.size()};
  }
}

std::string_view NameTexts::shown(size_t index) const {
  const Place& place = places_[index];
  if (place.bytes == 0) return {};
  if (const auto found = shown_.find(index); found != shown_.end()) return found->second;
  if (shown_.size() == kMaxShown) shown_.clear();
  return shown_[index] = demangled(std::string_view(text_).substr(place.at, place.bytes));
}

}  // namespace barefxt::host
