#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/output_folder.h>

namespace barefxt::host {
namespace {

constexpr std::size_t kLongestName = 128;

// 0 where there is an empty folder or nothing.
int errno_of_place(const std::string& path) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return errno == ENOENT ? 0 : errno;
  int entries = 0;
  while (readdir(folder) != nullptr) ++entries;
  closedir(folder);
  return entries > 2 ? ENOTEMPTY : 0;  // itself and its parent
}

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}

}  // namespace

Result<std::unique_ptr<OutputFolder>> OutputFolder::create(const std::string& given) {
  std::string path = given;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  if (const int trouble = errno_of_place(path))
    return system_error("cannot write", trouble, path, "name a folder that is empty or not there");
  static constexpr int kAttempts = 100;
  for (int attempt = 0;; ++attempt) {
    std::string aside =
        path + ".barefxt-" + std::to_string(getpid()) + "-" + std::to_string(attempt);
    if (mkdir(aside.c_str(), 0777) == 0)
      return std::unique_ptr<OutputFolder>(new OutputFolder(std::move(path), std::move(aside)));
    if (errno != EEXIST || attempt == kAttempts) return system_error("cannot write", errno, path);
  }
}

OutputFolder::~OutputFolder() {
  if (file_ >= 0) close(file_);
  if (aside_.empty()) return;
  for (const std::string& name : names_) unlink((aside_ + "/" + name).c_str());
  rmdir(aside_.c_str());
}

std::string OutputFolder::safe_name(std::string_view wanted) {
  std::string name;
  for (const char c : wanted.substr(0, kLongestName)) name += is_safe(c) ? c : '_';
  if (name.empty() || name[0] == '.') name.insert(0, 1, '_');
  std::string unique = name;
  for (int i = 2; names_.contains(unique); ++i) unique = name + "-" + std::to_string(i);
  names_.insert(unique);
  return unique;
}

Outcome OutputFolder::close_file() {
  if (file_ < 0) return {};
  if (close(std::exchange(file_, -1)) != 0)
    return system_error("cannot write", errno, path_ + "/" + open_name_);
  return {};
}

Outcome OutputFolder::append(const std::string& name, std::string_view bytes) {
  const std::string where = path_ + "/" + name;
  if (file_ < 0 || name != open_name_) {
    if (Outcome failure = close_file()) return failure;
    open_name_ = name;
    file_ = open((aside_ + "/" + name).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0) return system_error("cannot write", errno, where);
  }
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("cannot write", errno, where);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Outcome OutputFolder::commit() {
  if (Outcome failure = close_file()) return failure;
  // Onto an empty folder, too.
  if (std::rename(aside_.c_str(), path_.c_str()) != 0)
    return system_error("cannot write", errno, path_, "name a folder that is empty or not there");
  aside_.clear();
  return {};
}

}  // namespace barefxt::host
