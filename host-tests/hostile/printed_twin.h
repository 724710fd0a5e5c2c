// The records that `print --json` shows of an input, to hold those of a damaged copy to.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace barefxt::test {

// Holds the objects of a damaged input to those of the sound one. Allowed are:
//   - records that barefxt adds around losses: marked `barefxt_added`, or `drop_stats`
//   - `string#N`, the text of a string whose table entry was lost
//   - a thread called by its index, whose table entry was lost
//   - a wakeup without its waker, who may have been among the lost records
class PrintedTwin {
 public:
  explicit PrintedTwin(const std::string& lines);

  // Returns the first object that is none of the sound input's, each of which counts once; empty
  // if there is none.
  std::string first_invented(const std::string& lines) const;

 private:
  using Texts = std::vector<std::string>;
  std::map<std::string, std::vector<Texts>> sound_;
};

}  // namespace barefxt::test
