#include "file_processes.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <span>
#include <sys/wait.h>
#include <unistd.h>

#include "../archive/file_aside.h"
#include "../rows/packed_bytes.h"

namespace barefxt::cli {
namespace {

// Returns false where the text ends before that.
bool read_all(int file, char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t count = ::read(file, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

FileProcesses::FileProcesses(size_t files, size_t processes, Work work)
    : files_(files), work_(std::move(work)), processes_(processes) {}

FileProcesses::~FileProcesses() {
  for (Process& process : processes_) {
    if (process.id >= 0) ::kill(process.id, SIGKILL);
    (void)end(process);
  }
}

host::Status FileProcesses::start(size_t number, size_t first_file) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return host::system_error("cannot make a pipe", errno, {});
  const pid_t id = ::fork();
  if (id < 0) {
    const int trouble = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    return host::system_error("cannot start a process", trouble, {}, "fewer --jobs");
  }
  if (id == 0) {
    // The handlers remove unfinished outputs, which are another process's.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    ::close(ends[0]);
    for (const Process& other : processes_)
      if (other.texts >= 0) ::close(other.texts);
    run(first_file, ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  processes_[number] = {id, ends[0]};
  return {};
}

void FileProcesses::run(size_t first_file, int texts) const {
  for (size_t file = first_file; file < files_; file += processes_.size()) {
    const std::string text = work_(file);
    std::string bytes;
    host::pack_text(bytes, text);
    const std::span<const uint8_t> all(reinterpret_cast<const uint8_t*>(bytes.data()),
                                       bytes.size());
    if (!host::write_all(texts, all, {}).ok()) return;
  }
}

std::string FileProcesses::end(Process& process) {
  if (process.id < 0) return {};
  ::close(process.texts);
  int status = 0;
  while (::waitpid(process.id, &status, 0) < 0 && errno == EINTR) {
  }
  process = {};
  return WIFSIGNALED(status) ? host::formatted("ended by signal {}", WTERMSIG(status))
                             : host::formatted("ended with status {}", WEXITSTATUS(status));
}

host::Result<std::string> FileProcesses::next() {
  const size_t file = next_++;
  Process& process = processes_[file % processes_.size()];
  if (process.id < 0) {
    // At the begin all of them, so that they work beside each other.
    const size_t last = file == 0 ? processes_.size() - 1 : file;
    for (size_t i = file; i <= last; ++i)
      if (const host::Status status = start(i % processes_.size(), i); !status.ok())
        return status.error();
  }
  uint64_t size = 0;
  std::string text;
  if (read_all(process.texts, reinterpret_cast<char*>(&size), sizeof size)) {
    text.resize(size);
    if (read_all(process.texts, text.data(), size)) return text;
  }
  return host::Error{"the process that read it " + end(process), {}, {}};
}

}  // namespace barefxt::cli
