// Tables in Apache Parquet files, read in the plainest way: Thrift's compact protocol as a tree,
// one page for each column of a group, compressed by zstd, values plain.
#pragma once

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <zstd.h>

namespace barefxt::test {

// A value of Thrift's compact protocol.
struct PlainThrift {
  int64_t number = 0;
  std::string text;
  std::vector<PlainThrift> list;
  std::map<unsigned, PlainThrift> fields;

  const PlainThrift& at(unsigned field) const { return fields.at(field); }

  // A struct at the beginning of the bytes, which are cut by it.
  static PlainThrift read(std::string_view& bytes) { return value(bytes, kStruct); }

 private:
  static constexpr unsigned kBinary = 8;
  static constexpr unsigned kList = 9;
  static constexpr unsigned kStruct = 12;

  static uint8_t byte(std::string_view& bytes) {
    if (bytes.empty()) {
      ADD_FAILURE() << "the struct goes on beyond its end";
      return 0;
    }
    const auto first = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    return first;
  }
  static uint64_t varint(std::string_view& bytes) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte(bytes);
      value |= uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) break;
    }
    return value;
  }
  static PlainThrift value(std::string_view& bytes, unsigned type) {
    PlainThrift result;
    if (type >= 3 && type <= 6) {
      const uint64_t zigzag = varint(bytes);
      result.number = static_cast<int64_t>(zigzag >> 1 ^ (~(zigzag & 1) + 1));
    } else if (type == kBinary) {
      const uint64_t size = varint(bytes);
      result.text = bytes.substr(0, size);
      bytes.remove_prefix(size);
    } else if (type == kList) {
      const uint8_t head = byte(bytes);
      const uint64_t size = head >> 4 == 15 ? varint(bytes) : head >> 4;
      for (uint64_t i = 0; i < size; ++i) result.list.push_back(value(bytes, head & 15));
    } else if (type == kStruct) {
      unsigned field = 0;
      while (const uint8_t head = byte(bytes)) {
        field += head >> 4;
        result.fields[field] = value(bytes, head & 15);
      }
    } else {
      ADD_FAILURE() << "a type that is not expected: " << type;
    }
    return result;
  }
};

struct PlainParquet {
  struct Value {
    uint64_t bits = 0;
    std::string text;
  };
  using Row = std::map<std::string, Value>;  // those that are there

  std::vector<std::string> columns;
  std::vector<Row> rows;
  size_t groups = 0;

  explicit PlainParquet(const std::string& file) {
    const std::string_view all = file;
    EXPECT_EQ(all.substr(0, 4), "PAR1");
    EXPECT_EQ(all.substr(all.size() - 4), "PAR1");
    const uint32_t size = u32(all.substr(all.size() - 8));
    std::string_view footer = all.substr(all.size() - 8 - size, size);
    const PlainThrift about = PlainThrift::read(footer);
    EXPECT_TRUE(footer.empty());
    const auto& schema = about.at(2).list;
    EXPECT_EQ(schema[0].at(5).number, static_cast<int64_t>(schema.size() - 1));
    for (size_t i = 1; i < schema.size(); ++i) columns.push_back(schema[i].at(4).text);
    uint64_t at = 4;  // everything in the file is somebody's
    for (const PlainThrift& group : about.at(4).list) {
      ++groups;
      const size_t first = rows.size();
      rows.resize(first + static_cast<size_t>(group.at(3).number));
      for (size_t i = 0; i < columns.size(); ++i) {
        const PlainThrift& chunk = group.at(1).list.at(i).at(3);
        EXPECT_EQ(chunk.at(3).list.at(0).text, columns[i]);
        EXPECT_EQ(static_cast<uint64_t>(chunk.at(9).number), at);
        const auto bytes = static_cast<size_t>(chunk.at(7).number);
        EXPECT_EQ(chunk.at(5).number, group.at(3).number);
        read_page(all.substr(at, bytes), first, columns[i], chunk.at(1).number);
        at += bytes;
      }
    }
    EXPECT_EQ(at, all.size() - 8 - size);
    EXPECT_EQ(rows.size(), static_cast<size_t>(about.at(3).number));
  }

 private:
  static uint32_t u32(std::string_view bytes) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  void read_page(std::string_view bytes, size_t first, const std::string& column, int64_t type) {
    const PlainThrift head = PlainThrift::read(bytes);
    EXPECT_EQ(static_cast<size_t>(head.at(3).number), bytes.size());
    std::string page(static_cast<size_t>(head.at(2).number), '\0');
    ASSERT_EQ(ZSTD_decompress(page.data(), page.size(), bytes.data(), bytes.size()), page.size());
    std::string_view rest = page;
    const uint32_t level_bytes = u32(rest);
    const auto levels = rest.substr(4, level_bytes);
    rest.remove_prefix(4 + level_bytes);
    // One run of bits: a varint has its number of bytes.
    size_t bits_at = 0;
    uint64_t run = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto next = static_cast<uint8_t>(levels[bits_at++]);
      run |= uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) break;
    }
    ASSERT_EQ(run & 1, 1U);
    ASSERT_EQ(levels.size() - bits_at, run >> 1);
    const auto count = static_cast<size_t>(head.at(5).at(1).number);
    for (size_t i = 0; i < count; ++i) {
      if ((static_cast<uint8_t>(levels[bits_at + i / 8]) >> i % 8 & 1) == 0) continue;
      Value& value = rows[first + i][column];
      if (type == 6) {
        const uint32_t size = u32(rest);
        value.text = rest.substr(4, size);
        rest.remove_prefix(4 + size);
      } else {
        std::memcpy(&value.bits, rest.data(), 8);
        rest.remove_prefix(8);
      }
    }
    EXPECT_TRUE(rest.empty()) << column;
  }
};

}  // namespace barefxt::test
