// The line program of a unit (DWARF 2 to 5, "Line Number Information").
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "dwarf_cursor.h"

namespace barefxt::host {

struct DwarfTexts {
  Bytes strings;       // .debug_str
  Bytes line_strings;  // .debug_line_str
};

class DwarfLines {
 public:
  struct File {
    std::string_view directory;
    std::string_view name;
  };
  struct Row {
    uint64_t address = 0;
    uint64_t file = 1;
    uint64_t line = 1;
    bool is_end = false;  // the first address behind a sequence
  };

  // Reads the header at `at` of .debug_line.
  DwarfLines(Bytes lines, uint64_t at, ByteOrder order, const DwarfTexts& texts);

  bool is_readable() const { return !program_.has_failed() && version_ != 0; }
  File file(uint64_t number) const;
  // Calls `see` for each row, in order, until it returns false.
  void run(const std::function<bool(const Row&)>& see);

 private:
  void read_old_tables(DwarfCursor& header);
  void read_tables(DwarfCursor& header, unsigned offset_bytes, const DwarfTexts& texts);

  DwarfCursor program_;
  unsigned version_ = 0;
  unsigned address_bytes_ = 8;
  unsigned least_instruction_ = 1;
  int64_t line_base_ = 0;
  uint64_t line_range_ = 1;
  unsigned opcode_base_ = 1;
  std::vector<uint8_t> operand_counts_;
  std::vector<std::string_view> directories_;
  std::vector<File> files_;
};

}  // namespace barefxt::host
