#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/output_folder.h>

#include "file_aside.h"

namespace barefxt::host {
namespace {

constexpr size_t kLongestName = 128;

// 0 where there is an empty folder or nothing.
int errno_of_place(const std::string& path) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return errno == ENOENT ? 0 : errno;
  int entries = 0;
  while (entries <= 2 && readdir(folder) != nullptr) ++entries;
  closedir(folder);
  return entries > 2 ? ENOTEMPTY : 0;  // itself and its parent
}

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}

}  // namespace

OutputFolder::OutputFolder(std::string path, std::string aside)
    : path_(std::move(path)),
      aside_(std::move(aside)),
      leftover_(std::make_unique<Leftover>(aside_, Leftover::Kind::kFolder)) {}

Result<std::unique_ptr<OutputFolder>> OutputFolder::create(const std::string& given) {
  std::string path = given;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  if (const int trouble = errno_of_place(path))
    return system_error("cannot write", trouble, path, "name a folder that is empty or not there");
  const Result<OutputPlace> place = place_of_output(path);
  if (!place.ok()) return place.error();
  constexpr mode_t kBits = 0777;
  const mode_t mode = place.value().exists ? place.value().status.st_mode & kBits : kBits;
  auto output = std::unique_ptr<OutputFolder>(
      new OutputFolder(place.value().path, path_aside(place.value().path)));
  const char* const aside = output->aside_.c_str();
  if (mkdir(aside, mode) != 0) {
    const int trouble = errno;
    output->aside_.clear();
    return system_error("cannot write", trouble, path);
  }
  if (place.value().exists) (void)chmod(aside, mode);
  return output;
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
  // Start at the last suffix of this name: a million equal names take a million steps.
  for (unsigned& last = last_numbers_[name]; names_.contains(unique);)
    unique = formatted("{}-{}", name, last = std::max(last, 1U) + 1);
  names_.insert(unique);
  return unique;
}

Status OutputFolder::close_file() {
  if (file_ < 0) return {};
  if (close(std::exchange(file_, -1)) != 0)
    return system_error("cannot write", errno, path_ + "/" + open_name_);
  return {};
}

Status OutputFolder::append(const std::string& name, std::string_view bytes) {
  const std::string where = path_ + "/" + name;
  if (file_ < 0 || name != open_name_) {
    if (Status status = close_file(); !status.ok()) return status;
    open_name_ = name;
    file_ = open((aside_ + "/" + name).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0) return system_error("cannot write", errno, where);
  }
  return write_all(file_, {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()},
                   where);
}

Status OutputFolder::commit() {
  if (Status status = close_file(); !status.ok()) return status;
  if (const int folder = open(aside_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    (void)syncfs(folder);
    close(folder);
  }
  // Onto an empty folder, too.
  if (std::rename(aside_.c_str(), path_.c_str()) != 0)
    return system_error("cannot write", errno, path_, "name a folder that is empty or not there");
  aside_.clear();
  leftover_.reset();
  store_folder(folder_of(path_));
  return {};
}

}  // namespace barefxt::host
