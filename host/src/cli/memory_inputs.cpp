#include "memory_inputs.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace barefxt::cli {
namespace {

// Decides by the first bytes. Also false if the file cannot be read: the caller's next use of it
// reports that.
bool starts_as_elf_or_packed(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  uint8_t first[4] = {};
  struct stat status{};
  const bool is_one = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                      pread(file, first, sizeof first, 0) == ssize_t{sizeof first} &&
                      (host::ElfFile::is_elf(first) || host::Source::is_packed(first));
  close(file);
  return is_one;
}

std::optional<uint64_t> number(const std::string& text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return {};
  char* end = nullptr;
  errno = 0;
  const uint64_t value = std::strtoull(text.c_str(), &end, 0);
  if (errno != 0 || *end != 0) return {};
  return value;
}

}  // namespace

std::vector<CaptureInput> inputs_of(const std::vector<std::string>& paths) {
  std::vector<CaptureInput> inputs;
  inputs.reserve(paths.size());
  for (const std::string& path : paths) inputs.push_back({path});
  return inputs;
}

host::Result<std::unique_ptr<host::Source>> MemoryInputs::open_source(
    const std::string& path) const {
  auto file = host::Source::open(path, max_unpacked_);
  if (!file.ok()) return file.error();
  return std::make_unique<host::Source>(std::move(file.value()));
}

std::vector<std::string> MemoryInputs::shrunk() const {
  std::vector<std::string> names;
  const auto look_at = [&](const host::Source* file) {
    if (file != nullptr && file->has_shrunk()) names.push_back(file->name());
  };
  look_at(program_file_.get());
  for (const Input& input : inputs_) look_at(input.file);
  for (const CaptureInput& capture : captures_) look_at(capture.file);
  return names;
}

host::Status MemoryInputs::open(const std::vector<CaptureInput>& inputs, const std::string& program,
                                const std::vector<std::string>& bases, uint64_t max_unpacked) {
  max_unpacked_ = max_unpacked;
  if (!program.empty())
    if (host::Status status = open_program(program); !status.ok()) return status;
  if (host::Status status = open_inputs(inputs, !program.empty() || !bases.empty()); !status.ok())
    return status;
  if (host::Status status = give_bases(bases); !status.ok()) return status;
  for (Input& input : inputs_) add_image(input);
  return {};
}

host::Status MemoryInputs::open_program(const std::string& path) {
  auto file = open_source(path);
  if (!file.ok()) return file.error();
  program_file_ = std::move(file.value());
  auto program = host::ElfFile::parse(program_file_->bytes(), path);
  if (!program.ok()) return program.error();
  program_.emplace(std::move(program.value()));
  return {};
}

host::Status MemoryInputs::open_inputs(const std::vector<CaptureInput>& inputs,
                                       bool memory_is_declared) {
  for (auto [path, file] : inputs) {
    if (file == nullptr && !memory_is_declared && !starts_as_elf_or_packed(path)) {
      captures_.push_back({path, nullptr});
      continue;
    }
    if (file == nullptr) {
      auto opened = open_source(path);
      if (!opened.ok()) return opened.error();
      file = opened_.emplace_back(std::move(opened.value())).get();
    }
    if (!file->damage().empty()) damaged_.push_back({file->damage(), path, {}});
    if (memory_is_declared || host::ElfFile::is_elf(file->bytes()))
      inputs_.push_back({path, file, {}});
    else
      captures_.push_back({path, file});
  }
  return {};
}

// If there are as many bases as files without addresses of their own, each file gets one. Otherwise
// the files that contain a trace get them; without any base, the program has the trace's address.
host::Status MemoryInputs::give_bases(const std::vector<std::string>& bases) {
  std::vector<Input*> raw;
  for (Input& input : inputs_)
    if (!host::ElfFile::is_core(input.file->bytes())) raw.push_back(&input);
  if (bases.size() != raw.size()) {
    std::vector<Input*> chosen;
    for (Input* input : raw)
      if (host::may_hold_trace(*input->file)) chosen.push_back(input);
    if (!bases.empty() && bases.size() != chosen.size())
      return host::Error{host::formatted("{} inputs are no ELF files, and --base is given {} times",
                                         raw.size(), bases.size()),
                         "--base", "give it once for each image, in order"};
    raw = std::move(chosen);
  }
  for (size_t i = 0; i < raw.size(); ++i) {
    if (bases.empty()) {
      raw[i]->base = 0;
      raw[i]->is_placed = false;
      continue;
    }
    raw[i]->base = number(bases[i]);
    if (!raw[i]->base)
      return host::Error{"not an address: " + bases[i], "--base", "such as 0x40000000"};
  }
  return {};
}

void MemoryInputs::add_image(Input& input) {
  std::optional<host::ElfFile> core;
  if (host::ElfFile::is_core(input.file->bytes())) {
    auto parsed = host::ElfFile::parse(input.file->bytes(), input.path);
    if (!parsed.ok()) {
      damaged_.push_back(parsed.error());
      return;
    }
    core.emplace(std::move(parsed.value()));
  } else if (!input.base) {
    captures_.push_back({input.path, input.file});
    return;
  }
  const auto add_to = [&](host::MemoryImage& image) {
    return core ? image.add_core(*input.file, *core) : image.add_raw(*input.file, *input.base);
  };
  const bool was_placed = std::exchange(last_is_placed_, input.is_placed);
  if (input.is_placed && was_placed && !images_.empty() && add_to(images_.back())) return;
  (void)add_to(images_.emplace_back(input.path));
}

host::Status MemoryInputs::add_to(host::Rebuild& rebuild) {
  for (const host::MemoryImage& image : images_) {
    if (host::Status status = rebuild.add_memory(image, program_ ? &*program_ : nullptr);
        !status.ok())
      return status;
    image.release_memory();
  }
  return {};
}

}  // namespace barefxt::cli
