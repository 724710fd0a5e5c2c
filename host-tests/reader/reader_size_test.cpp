// Archives larger than 32 bits can count, and records that claim to be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <barefxt/host/lint.h>

#include "build_kind.h"
#include "goldens/goldens.h"
#include "print/printing.h"

namespace barefxt::test::reader_size_test {
namespace {

using U = uint64_t;

// A file with holes: what is not written is zero and takes no room.
class SparseFile {
 public:
  SparseFile() : path_(::testing::TempDir() + "barefxt-sparse-XXXXXX") {
    descriptor_ = ::mkstemp(path_.data());
  }
  ~SparseFile() {
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }
  SparseFile(const SparseFile&) = delete;
  SparseFile& operator=(const SparseFile&) = delete;

  void write(U offset, const std::vector<Piece>& pieces) const {
    const std::string bytes = little_endian(pieces);
    ASSERT_EQ(::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(bytes.size()));
  }
  void resize(U size) const { ASSERT_EQ(::ftruncate(descriptor_, static_cast<off_t>(size)), 0); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_;
};

constexpr U kFourGiB = U{1} << 32;

TEST(Size, ALargeRecordAndWhatFollowsItBeyondFourGiBAreRead) {
  const SparseFile file;
  const U payload = kFourGiB + 24;
  const U words = 3 + payload / 8;
  file.write(0, {W(kMagic), W(U{15} << 0 | words << 4 | U{1} << 40, 0, payload)});
  file.write(8 + words * 8, {W(U{1} << 0 | U{2} << 4, 1000)});
  host::Result<host::Source> source = host::Source::open(file.path());
  ASSERT_TRUE(source.ok());
  const host::Form form = host::guess_form(source.value().bytes()).form;
  host::Reader reader(source.value().bytes(), form);
  std::vector<std::string> rules;
  host::Linter linter(
      form, [&](const host::Finding& finding) { rules.emplace_back(finding.rule->name); });
  const auto next = [&] {
    const host::Record* record = reader.next();
    if (record != nullptr) linter.see(*record, reader.provider());
    return record;
  };
  ASSERT_NE(next(), nullptr);
  const host::Record* large = next();
  ASSERT_NE(large, nullptr);
  ASSERT_TRUE(std::holds_alternative<host::LargeBlob>(large->content));
  EXPECT_EQ(std::get_if<host::LargeBlob>(&large->content)->payload.size(), payload);
  const host::Record* last = next();
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->offset, 8 + words * 8);
  ASSERT_TRUE(std::holds_alternative<host::Initialization>(last->content));
  EXPECT_EQ(std::get_if<host::Initialization>(&last->content)->ticks_per_second, 1000U);
  EXPECT_EQ(next(), nullptr);
  linter.finish();
  EXPECT_EQ(rules, (std::vector<std::string>{"large-record", "record-not-shown"}));
}

TEST(Size, MoreThanFourGiBOfZerosArePassedOverToTheByte) {
  if (kSanitized && !is_full_run()) GTEST_SKIP() << "takes a quarter of a minute under sanitizers";
  const SparseFile file;
  const U zeros = kFourGiB + 4096 + 3;  // off the words' grid, too
  file.write(0, {W(kMagic)});
  file.write(8 + zeros, {W(U{1} << 0 | U{2} << 4, 1000), W(U{1} << 0 | U{2} << 4, 2000)});
  const host::Result<host::Source> source = host::Source::open(file.path());
  ASSERT_TRUE(source.ok());
  host::Reader reader(source.value().bytes(), {});
  ASSERT_NE(reader.next(), nullptr);
  const host::Record* record = reader.next();
  ASSERT_NE(record, nullptr);
  EXPECT_TRUE(record->is_malformed());
  EXPECT_EQ(record->raw.size(), zeros);
  EXPECT_EQ(reader.malformed_bytes(), zeros);
  record = reader.next();
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->offset, 8 + zeros);
  EXPECT_NE(reader.next(), nullptr);
  EXPECT_EQ(reader.next(), nullptr);
}

// 32 GiB claimed of a file of some bytes: what comes after it is found all the same.
TEST(Size, AClaimOfThirtyTwoGiBIsNotBelieved) {
  const std::string json =
      json_of(little_endian({W(kMagic), W(U{15} << 0 | U{0xffffffff} << 4 | U{1} << 40, 0, ~U{0}),
                             W(U{1} << 0 | U{2} << 4, 1000), W(U{1} << 0 | U{2} << 4, 2000)}));
  EXPECT_EQ(json, R"({"offset":0,"record":"magic"}
{"offset":8,"record":"malformed","bytes":24,"why":"the record's size reaches beyond the end of the archive","raw":"/////w8BAAAAAAAAAAAAAP//////////"}
{"offset":32,"record":"initialization","ticks_per_second":1000}
{"offset":48,"record":"initialization","ticks_per_second":2000}
)");
}

}  // namespace
}  // namespace barefxt::test::reader_size_test
