#include "costs_file.h"

#include "qemu.h"

namespace barefxt::test {

void replace_costs(const std::function<bool(const Json&)>& outdated, const Json& entries) {
  const std::string path = std::string(BAREFXT_IMAGES_DIR) + "/costs.json";
  Json list = Json::array();
  const Json before = Json::parse(read_file(path), nullptr, false);
  if (before.is_array())
    for (const Json& entry : before)
      if (!outdated(entry)) list.push_back(entry);
  for (const Json& entry : entries) list.push_back(entry);
  write_file(path, list.dump(2) + "\n");
}

}  // namespace barefxt::test
