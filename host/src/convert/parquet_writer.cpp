// The file's parts as the format has them, in Thrift's compact protocol.
#include "parquet_writer.h"

#include <bit>
#include <memory>
#include <zstd.h>

namespace barefxt::host {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr uint64_t kRowsOfGroup = uint64_t{1} << 17;
constexpr size_t kBytesOfGroup = size_t{32} << 20;

// The format's numbers.
constexpr int64_t kInt64 = 2;
constexpr int64_t kDouble = 5;
constexpr int64_t kByteArray = 6;
constexpr int64_t kUtf8 = 0;
constexpr int64_t kUint64 = 14;
constexpr int64_t kOptional = 1;
constexpr int64_t kPlain = 0;
constexpr int64_t kRunLengths = 3;
constexpr int64_t kDataPage = 0;
constexpr int64_t kZstd = 6;

int64_t physical_type(ParquetType type) {
  if (type == ParquetType::kReal) return kDouble;
  return type == ParquetType::kText ? kByteArray : kInt64;
}

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

template <typename Integer>
std::string little_endian(Integer value) {
  std::string bytes;
  for (size_t i = 0; i < sizeof value; ++i)
    bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  return bytes;
}

// A struct of Thrift's compact protocol: fields by number, ascending, and its end.
class Struct {
 public:
  static constexpr unsigned kI32 = 5;
  static constexpr unsigned kI64 = 6;
  static constexpr unsigned kBinary = 8;
  static constexpr unsigned kList = 9;
  static constexpr unsigned kStruct = 12;

  Struct& i32(unsigned field, int64_t value) { return integer(field, kI32, value); }
  Struct& i64(unsigned field, uint64_t value) {
    return integer(field, kI64, static_cast<int64_t>(value));
  }
  Struct& text(unsigned field, std::string_view value) {
    head(field, kBinary);
    put_varint(bytes_, value.size());
    bytes_ += value;
    return *this;
  }
  Struct& child(unsigned field, const Struct& value) {
    head(field, kStruct);
    bytes_ += value.end();
    return *this;
  }
  // `elements` are encoded already.
  Struct& list(unsigned field, unsigned type, const std::vector<std::string>& elements) {
    head(field, kList);
    constexpr size_t kShort = 15;
    if (elements.size() < kShort) {
      bytes_ += static_cast<char>(elements.size() << 4 | type);
    } else {
      bytes_ += static_cast<char>(kShort << 4 | type);
      put_varint(bytes_, elements.size());
    }
    for (const std::string& element : elements) bytes_ += element;
    return *this;
  }
  std::string end() const { return bytes_ + '\0'; }

  static std::string integer(int64_t value) {
    std::string bytes;
    put_varint(bytes, static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
    return bytes;
  }
  static std::string binary(std::string_view value) {
    std::string bytes;
    put_varint(bytes, value.size());
    return bytes.append(value);
  }

 private:
  void head(unsigned field, unsigned type) {
    bytes_ += static_cast<char>((field - last_) << 4 | type);
    last_ = field;
  }
  Struct& integer(unsigned field, unsigned type, int64_t value) {
    head(field, type);
    bytes_ += integer(value);
    return *this;
  }

  std::string bytes_;
  unsigned last_ = 0;
};

struct FreeZstd {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

ParquetWriter::ParquetWriter(ByteSink& sink, std::vector<Column> columns)
    : sink_(sink), columns_(std::move(columns)), values_(columns_.size()) {}

void ParquetWriter::put(size_t column, std::string_view bytes) {
  Values& values = values_[column];
  values.in_row = true;
  values.bytes += bytes;
  bytes_ += bytes.size();
}

void ParquetWriter::number(size_t column, uint64_t value) { put(column, little_endian(value)); }

void ParquetWriter::real(size_t column, double value) {
  number(column, std::bit_cast<uint64_t>(value));
}

void ParquetWriter::text(size_t column, std::string_view value) {
  put(column, little_endian(static_cast<uint32_t>(value.size())));
  put(column, value);
}

Status ParquetWriter::end_row() {
  for (Values& values : values_) {
    if (rows_ % 8 == 0) values.present.push_back(0);
    if (values.in_row) values.present.back() |= static_cast<uint8_t>(1U << rows_ % 8);
    values.in_row = false;
  }
  ++rows_;
  return rows_ == kRowsOfGroup || bytes_ >= kBytesOfGroup ? write_group() : Status();
}

Status ParquetWriter::write(std::string_view bytes) {
  offset_ += bytes.size();
  return sink_.write({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

Status ParquetWriter::write_group() {
  if (offset_ == 0)
    if (Status status = write(kMagic); !status.ok()) return status;
  if (rows_ == 0) return {};
  const std::unique_ptr<ZSTD_CCtx, FreeZstd> context(ZSTD_createCCtx());
  Group group = {rows_, {}};
  for (Values& values : values_) {
    // Which rows have a value: one run of bits, then the values of those.
    std::string levels;
    put_varint(levels, values.present.size() << 1 | 1);
    levels.append(reinterpret_cast<const char*>(values.present.data()), values.present.size());
    const std::string page =
        little_endian(static_cast<uint32_t>(levels.size())) + levels + values.bytes;
    std::string packed(ZSTD_compressBound(page.size()), '\0');
    const size_t size =
        ZSTD_compress2(context.get(), packed.data(), packed.size(), page.data(), page.size());
    if (ZSTD_isError(size) != 0) return Error{ZSTD_getErrorName(size), "a page of the table", {}};
    packed.resize(size);
    const Struct about = Struct()
                             .i32(1, static_cast<int64_t>(rows_))
                             .i32(2, kPlain)
                             .i32(3, kRunLengths)
                             .i32(4, kRunLengths);
    const std::string head = Struct()
                                 .i32(1, kDataPage)
                                 .i32(2, static_cast<int64_t>(page.size()))
                                 .i32(3, static_cast<int64_t>(packed.size()))
                                 .child(5, about)
                                 .end();
    group.chunks.push_back({offset_, head.size() + packed.size(), head.size() + page.size()});
    if (Status status = write(head); !status.ok()) return status;
    if (Status status = write(packed); !status.ok()) return status;
    values = {};
  }
  groups_.push_back(std::move(group));
  all_rows_ += rows_;
  rows_ = bytes_ = 0;
  return {};
}

std::string ParquetWriter::footer() const {
  std::vector<std::string> schema = {
      Struct().text(4, "archive").i32(5, static_cast<int64_t>(columns_.size())).end()};
  for (const Column& column : columns_) {
    Struct element;
    element.i32(1, physical_type(column.type)).i32(3, kOptional).text(4, column.name);
    if (column.type == ParquetType::kText) element.i32(6, kUtf8);
    if (column.type == ParquetType::kUnsigned) element.i32(6, kUint64);
    schema.push_back(element.end());
  }
  std::vector<std::string> groups;
  for (const Group& group : groups_) {
    std::vector<std::string> chunks;
    uint64_t bytes = 0;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Chunk& chunk = group.chunks[i];
      bytes += chunk.unpacked_bytes;
      const Struct about =
          Struct()
              .i32(1, physical_type(columns_[i].type))
              .list(2, Struct::kI32, {Struct::integer(kPlain), Struct::integer(kRunLengths)})
              .list(3, Struct::kBinary, {Struct::binary(columns_[i].name)})
              .i32(4, kZstd)
              .i64(5, group.rows)
              .i64(6, chunk.unpacked_bytes)
              .i64(7, chunk.bytes)
              .i64(9, chunk.offset);
      chunks.push_back(Struct().i64(2, chunk.offset).child(3, about).end());
    }
    groups.push_back(
        Struct().list(1, Struct::kStruct, chunks).i64(2, bytes).i64(3, group.rows).end());
  }
  return Struct()
      .i32(1, 1)
      .list(2, Struct::kStruct, schema)
      .i64(3, all_rows_)
      .list(4, Struct::kStruct, groups)
      .text(6, "barefxt")
      .end();
}

Status ParquetWriter::finish() {
  if (Status status = write_group(); !status.ok()) return status;
  const std::string last = footer();
  if (Status status = write(last); !status.ok()) return status;
  if (Status status = write(little_endian(static_cast<uint32_t>(last.size()))); !status.ok())
    return status;
  return write(kMagic);
}

}  // namespace barefxt::host
