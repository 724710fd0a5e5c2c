// Makes the argument names of one record unique, since most formats require that and archives do
// not: the second of the same name gets `#2`.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "shown_values.h"

namespace barefxt::host {

class UniqueNames {
 public:
  std::string unique(const Text& text) {
    const std::string wanted(Label(text).text());
    std::string name = wanted;
    for (int i = 2; is_taken(name); ++i) name = formatted("{}#{}", wanted, i);
    taken_.push_back(name);
    return name;
  }

 private:
  bool is_taken(const std::string& name) const {
    return std::find(taken_.begin(), taken_.end(), name) != taken_.end();
  }
  std::vector<std::string> taken_;
};

}  // namespace barefxt::host
