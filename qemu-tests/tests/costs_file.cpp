#include "costs_file.h"

#include <algorithm>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

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
  // One test at a time, until this one is done.
  const int lock = open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  ASSERT_GE(lock, 0) << path;
  ASSERT_EQ(flock(lock, LOCK_EX), 0) << path;
  Json list = Json::parse(read_file(path), nullptr, false);
  if (!list.is_array()) list = Json::array();
  for (const Json& entry : entries) {
    const auto known = std::find_if(list.begin(), list.end(),
                                    [&](const Json& before) { return same_thing(before, entry); });
    known != list.end() ? known->update(entry) : list.push_back(entry);
  }
  write_file(path, list.dump(2) + "\n");
  close(lock);
}

}  // namespace barefxt::test
