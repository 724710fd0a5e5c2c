// The input decides the rows of a table, which come back from it as they were put.
#include <algorithm>
#include <bit>

#include "archive/memory_sink.h"
#include "convert/parquet_writer.h"
#include "convert/plain_parquet.h"
#include "fuzzing.h"

namespace barefxt::test::fuzz_parquet_table {
namespace {

using host::ParquetType;
using host::ParquetWriter;
using Row = PlainParquet::Row;

// One to 16 columns, of each type in turn.
std::vector<ParquetWriter::Column> columns(uint64_t count) {
  static const char* const kNames[] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                       "i", "j", "k", "l", "m", "n", "o", "p"};
  std::vector<ParquetWriter::Column> columns;
  for (uint64_t i = 0; i <= count % std::size(kNames); ++i)
    columns.push_back({kNames[i], static_cast<ParquetType>(i % 4)});
  return columns;
}

// Two bytes select the columns with a value.
Row put_row(FuzzInput& input, const std::vector<ParquetWriter::Column>& columns,
            ParquetWriter& writer) {
  Row row;
  const uint64_t present = input.number(2);
  for (size_t i = 0; i < columns.size(); ++i) {
    if ((present >> i & 1) == 0) continue;
    PlainParquet::Value& value = row[columns[i].name];
    if (columns[i].type == ParquetType::kText) {
      const std::vector<uint8_t> text = input.take(input.byte());
      value.text.assign(text.begin(), text.end());
      writer.text(i, value.text);
    } else {
      value.bits = input.number(8);
      if (columns[i].type == ParquetType::kReal)
        writer.real(i, std::bit_cast<double>(value.bits));
      else
        writer.number(i, value.bits);
    }
  }
  return row;
}

bool is_same(const Row& one, const Row& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const auto& a, const auto& b) {
                      return a.first == b.first && a.second.bits == b.second.bits &&
                             a.second.text == b.second.text;
                    });
}

void try_input(const uint8_t* data, size_t size) {
  ::testing::GTEST_FLAG(break_on_failure) = true;
  FuzzInput input(data, size);
  MemorySink sink;
  const auto layout = columns(input.byte());
  ParquetWriter writer(sink, layout);
  std::vector<Row> rows;
  while (!input.empty()) {
    rows.push_back(put_row(input, layout, writer));
    if (!writer.end_row().ok()) die_of("a row that cannot be written");
  }
  if (!writer.finish().ok()) die_of("a table that cannot be ended");
  const PlainParquet table(std::string(sink.bytes().begin(), sink.bytes().end()));
  if (table.columns.size() != layout.size()) die_of("another number of columns");
  if (!std::equal(rows.begin(), rows.end(), table.rows.begin(), table.rows.end(), is_same))
    die_of("other rows than were put");
}

const Fuzzer fuzzer("parquet_table", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_parquet_table
