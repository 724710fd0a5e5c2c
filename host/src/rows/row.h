// A row of a table as bytes, so that a process can hand it to another one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../convert/parquet_writer.h"

namespace barefxt::host {

class Row {
 public:
  // As those of ParquetWriter. Bytes that are no UTF-8 are replaced.
  void number(size_t column, uint64_t value);
  void real(size_t column, double value);
  void text(size_t column, std::string_view value);

  template <typename Integer>
  void number_of(size_t column, const std::optional<Integer>& value) {
    if (value) number(column, *value);
  }
  // Empty texts are missing values.
  void text_of(size_t column, std::string_view value) {
    if (!value.empty()) text(column, value);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void head(size_t column, ParquetType type);

  std::string bytes_;
};

// Writes the values of rows that were put behind one another to a row of the table, and ends it.
// Fails if the bytes are no such rows, or if the table cannot be written.
Status write_row(std::string_view bytes, ParquetWriter& table);

}  // namespace barefxt::host
