// A table as an Apache Parquet file: columns that may lack values, pages of plain values compressed
// by zstd, one page for each column and group of rows.
//
// Invariant: memory is that of one group of rows, and of each group's entry in the footer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/archive_writer.h>

namespace barefxt::host {

enum class ParquetType : uint8_t { kSigned, kUnsigned, kReal, kText };

class ParquetWriter {
 public:
  struct Column {
    const char* name;
    ParquetType type;
  };
  ParquetWriter(ByteSink& sink, std::vector<Column> columns);

  // Values of the row that end_row() ends; columns that get none have none there. Texts are UTF-8.
  void number(size_t column, uint64_t value);
  void real(size_t column, double value);
  void text(size_t column, std::string_view value);
  Status end_row();

  // Nothing may be written afterwards.
  Status finish();

 private:
  struct Values {
    std::string bytes;
    std::vector<uint8_t> present;  // a bit for each row
    bool in_row = false;
  };
  struct Chunk {
    uint64_t offset;
    uint64_t bytes;
    uint64_t unpacked_bytes;
  };
  struct Group {
    uint64_t rows;
    std::vector<Chunk> chunks;
  };

  void put(size_t column, std::string_view bytes);
  Status write(std::string_view bytes);
  Status write_group();
  std::string footer() const;

  ByteSink& sink_;
  std::vector<Column> columns_;
  std::vector<Values> values_;
  std::vector<Group> groups_;
  uint64_t offset_ = 0;
  uint64_t rows_ = 0;  // of the group
  uint64_t all_rows_ = 0;
  size_t bytes_ = 0;  // of the group
};

}  // namespace barefxt::host
