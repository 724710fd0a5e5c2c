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

class MemoryInputs {
 public:
  // `program` and `bases` as on the command line, empty where they were not given.
  [[nodiscard]] host::Outcome open(const std::vector<std::string>& inputs,
                                   const std::string& program,
                                   const std::vector<std::string>& bases, uint64_t max_unpacked);

  // The inputs that are something else, in order; with those of them that are open already.
  struct Capture {
    std::string path;
    host::Source* file;
  };
  const std::vector<Capture>& captures() const { return captures_; }
  // Null where none was named.
  const host::ElfFile* program() const { return program_ ? &*program_ : nullptr; }

  [[nodiscard]] host::Outcome add_to(host::Rebuild& rebuild);
  // Images without a readable part, and packed ones that are cut or damaged.
  const std::vector<host::Error>& damaged() const { return damaged_; }
  // Names of files that became shorter since they were opened.
  std::vector<std::string> shrunk() const;

 private:
  struct Input {
    std::string path;
    std::unique_ptr<host::Source> file;
    std::optional<uint64_t> base;
    bool is_placed = true;  // else only the program has its address: it makes a memory of its own
  };

  host::Result<std::unique_ptr<host::Source>> open_source(const std::string& path) const;
  host::Outcome open_program(const std::string& path);
  host::Outcome open_inputs(const std::vector<std::string>& inputs, bool memory_is_declared);
  host::Outcome give_bases(const std::vector<std::string>& bases);
  void add_image(Input& input);

  std::unique_ptr<host::Source> program_file_;
  std::optional<host::ElfFile> program_;
  std::vector<Input> inputs_;                            // images
  std::vector<std::unique_ptr<host::Source>> unpacked_;  // captures that were packed
  std::vector<Capture> captures_;
  std::vector<host::MemoryImage> images_;
  bool last_is_placed_ = false;
  uint64_t max_unpacked_ = host::kMaxUnpackedBytes;
  std::vector<host::Error> damaged_;
};

}  // namespace barefxt::cli
