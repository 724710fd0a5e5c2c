// The options by which `check`, `explain` and `stats` judge many traces and write rows of a table:
// --to parquet, -o, --jobs, --build.
//
// As many processes as --jobs read the files. So memory is that of --jobs files, and a file that
// ends its process costs no other one.
//
// Invariant: the table and the messages are in the order of the files, whatever --jobs is.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "../rows/trace_rows.h"
#include "archive_input.h"
#include "command_line.h"
#include "selection_options.h"

namespace barefxt::cli {

class RowsOptions {
 public:
  // With the options of the selection, whose --to is a form as well. Returns --thread.
  Option add_to(const Verb& verb, SelectionOptions& selection);
  // Takes the form and the time of --to apart. Fails where the options do not fit each other.
  host::Status take_apart(SelectionOptions& selection);

  bool is_wanted() const { return !form_.empty(); }
  const std::string& output() const { return output_; }

  // Judges one trace, and adds its rows. Returns its exit status. Runs in the process of the file.
  using Judge = std::function<int(Archive& archive, host::TraceRows& rows)>;
  // Adds the rows of a trace that has none, for it cannot be read.
  using AddUnread = std::function<void(host::TraceRows& rows)>;
  // Fails if the rows are wanted and one of these options is given as well, for another output.
  host::Status check_alone(std::initializer_list<std::pair<const char*, bool>> others) const;
  // Writes the rows of all files. Returns the worst exit status: kUsage, kFindings, kIncomplete. A
  // file that holds no trace is kIncomplete, for it has a row in the table.
  int write(
      const ArchiveOptions& files, const host::Columns& columns, const Judge& judge,
      const AddUnread& unread = [](host::TraceRows&) {}) const;

 private:
  std::vector<std::string> to_;
  std::string form_;
  std::string output_;
  std::string build_;
  static constexpr uint64_t kMaxJobs = 256;
  uint64_t jobs_ = 1;
};

// Adds what an opened archive knows of its identity.
void identify(host::TraceRows& rows, const Archive& archive, const host::Statistics& statistics);

}  // namespace barefxt::cli
