// Threads, locks, causes and times in words, for sentences.
//
// Invariant: no control character of an archive's is printed.
#pragma once

#include <string>

#include <barefxt/host/explain.h>

namespace barefxt::host {

class Phrases {
 public:
  explicit Phrases(const Explained& explained) : explained_(explained) {}

  std::string thread(uint64_t koid) const;
  std::string object(const ObjectKey& key) const;
  std::string time(uint64_t ticks) const;
  // A point in time, as `print` shows it.
  std::string at(uint64_t ticks) const;
  static std::string interrupt(const std::string& name);
  static std::string quoted(const std::string& name);
  // "`low` ran, of lower priority (3 < 7)": the cause as a line of the partition.
  std::string cause(const Cause& cause) const;
  // The holder that the thread waits for, and the ones that it waits for.
  std::string locks(const std::vector<HeldLock>& locks) const;

  const Explained& explained() const { return explained_; }

 private:
  const Explained& explained_;
};

}  // namespace barefxt::host
