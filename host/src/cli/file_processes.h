// Processes that work on files, one after another, and hand back a text for each.
//
// Invariants: texts come in the order of the files. A process is ahead by no more than what a pipe
// holds. If one ends early, the file that it had is lost, and another goes on behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/status.h>

namespace barefxt::cli {

class FileProcesses {
 public:
  using Work = std::function<std::string(size_t file)>;

  // Calls `work` in the processes.
  FileProcesses(size_t files, size_t processes, Work work);
  ~FileProcesses();
  FileProcesses(const FileProcesses&) = delete;
  FileProcesses& operator=(const FileProcesses&) = delete;

  // The text of the next file, or why there is none. Call it once for each file.
  host::Result<std::string> next();

 private:
  struct Process {
    int id = -1;
    int texts = -1;  // to read from
  };

  host::Status start(size_t number, size_t first_file);
  void run(size_t first_file, int texts) const;
  std::string end(Process& process);

  size_t files_;
  Work work_;
  std::vector<Process> processes_;
  size_t next_ = 0;
};

}  // namespace barefxt::cli
