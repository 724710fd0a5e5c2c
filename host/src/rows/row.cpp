#include "row.h"

#include <barefxt/host/json.h>

#include "packed_bytes.h"

namespace barefxt::host {

void Row::head(size_t column, ParquetType type) {
  pack(bytes_, static_cast<uint8_t>(column));
  pack(bytes_, type);
}

void Row::number(size_t column, uint64_t value) {
  head(column, ParquetType::kSigned);
  pack(bytes_, value);
}

void Row::real(size_t column, double value) {
  head(column, ParquetType::kReal);
  pack(bytes_, value);
}

void Row::text(size_t column, std::string_view value) {
  head(column, ParquetType::kText);
  pack_text(bytes_, valid_utf8(value));
}

Status write_row(std::string_view bytes, ParquetWriter& table) {
  while (!bytes.empty()) {
    const auto column = unpack<uint8_t>(bytes);
    const auto type = unpack<ParquetType>(bytes);
    bool is_whole = column && type;
    if (is_whole && *type == ParquetType::kText) {
      const auto text = unpack_text(bytes);
      is_whole = text.has_value();
      if (text) table.text(*column, *text);
    } else if (is_whole && *type == ParquetType::kReal) {
      const auto real = unpack<double>(bytes);
      is_whole = real.has_value();
      if (real) table.real(*column, *real);
    } else if (is_whole) {
      const auto number = unpack<uint64_t>(bytes);
      is_whole = number.has_value();
      if (number) table.number(*column, *number);
    }
    if (!is_whole) return Error{"a row is torn", {}, {}};
  }
  return table.end_row();
}

}  // namespace barefxt::host
