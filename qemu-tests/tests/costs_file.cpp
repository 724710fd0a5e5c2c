#include "costs_file.h"

#include <algorithm>

#include "qemu.h"

namespace barefxt::test {
namespace {

bool same_thing(const Json& left, const Json& right) {
  for (const char* key : {"target", "compiler", "record"})
    if (left.value(key, "") != right.value(key, "")) return false;
  return true;
}

}  // namespace

void note_costs(const Json& entries) {
  const std::string path = std::string(BAREFXT_IMAGES_DIR) + "/costs.json";
  Json list = Json::parse(read_file(path), nullptr, false);
  if (!list.is_array()) list = Json::array();
  for (const Json& entry : entries) {
    const auto known = std::find_if(list.begin(), list.end(),
                                    [&](const Json& before) { return same_thing(before, entry); });
    known != list.end() ? known->update(entry) : list.push_back(entry);
  }
  write_file(path, list.dump(2) + "\n");
}

}  // namespace barefxt::test
