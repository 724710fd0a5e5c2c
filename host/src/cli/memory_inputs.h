// Which inputs of `barefxt rebuild` are images of memory, and what they make together.
//
// An ELF file always is one. Another file is where --base gives its address, or where --elf names
// the program and the magic number of a trace is in the file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/memory_image.h>
#include <barefxt/host/rebuild.h>

namespace barefxt::cli {

// One that is open already stays its owner's, who keeps it for as long as the MemoryInputs.
struct CaptureInput {
  std::string path;
  host::Source* file = nullptr;
};

// None of them is open.
std::vector<CaptureInput> inputs_of(const std::vector<std::string>& paths);

class MemoryInputs {
 public:
  // `program` and `bases` as on the command line, empty where they were not given.
  host::Status open(const std::vector<CaptureInput>& inputs, const std::string& program,
                    const std::vector<std::string>& bases, uint64_t max_unpacked);

  // The inputs that are something else, in order; with those of them that are open already.
  const std::vector<CaptureInput>& captures() const { return captures_; }
  // Null where none was named.
  const host::ElfFile* program() const { return program_ ? &*program_ : nullptr; }

  host::Status add_to(host::Rebuild& rebuild);
  // Images without a readable part, and packed ones that are cut or damaged.
  const std::vector<host::Error>& damaged() const { return damaged_; }
  // Names of files that became shorter since they were opened.
  std::vector<std::string> shrunk() const;

 private:
  struct Input {
    std::string path;
    host::Source* file;
    std::optional<uint64_t> base;
    bool is_placed = true;  // else only the program has its address: it makes a memory of its own
  };

  host::Result<std::unique_ptr<host::Source>> open_source(const std::string& path) const;
  host::Status open_program(const std::string& path);
  host::Status open_inputs(const std::vector<CaptureInput>& inputs, bool memory_is_declared);
  host::Status give_bases(const std::vector<std::string>& bases);
  void add_image(Input& input);

  std::unique_ptr<host::Source> program_file_;
  std::optional<host::ElfFile> program_;
  std::vector<std::unique_ptr<host::Source>> opened_;  // images, and captures that were packed
  std::vector<Input> inputs_;                          // images
  std::vector<CaptureInput> captures_;
  std::vector<host::MemoryImage> images_;
  bool last_is_placed_ = false;
  uint64_t max_unpacked_ = host::kMaxUnpackedBytes;
  std::vector<host::Error> damaged_;
};

}  // namespace barefxt::cli
