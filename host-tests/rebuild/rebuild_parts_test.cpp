// The parts that rebuild is made of, one by one.
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/output_file.h>
#include <barefxt/host/spooled_array.h>
#include <barefxt/wire/cobs.h>
#include <barefxt/wire/crc32c.h>

#include "archive/utf8.h"
#include "capture_builder.h"
#include "reader/plain_decoder.h"
#include "rebuild/base64.h"
#include "rebuild/cobs.h"
#include "rebuild/crc32c.h"

namespace barefxt::test::rebuild_parts_test {
namespace {

Bytes random_bytes(std::mt19937& random, size_t count, unsigned zero_in) {
  Bytes bytes(count);
  for (uint8_t& byte : bytes)
    byte = random() % zero_in == 0 ? uint8_t{0} : static_cast<uint8_t>(random());
  return bytes;
}

TEST(Crc32c, IsTheSameInEveryWay) {
  std::mt19937 random(1);
  for (size_t count = 0; count < 300; ++count) {
    const Bytes bytes = random_bytes(random, count, 4);
    wire::Crc32c small;
    small.add(bytes.data(), bytes.size());
    EXPECT_EQ(host::crc32c(bytes), small.value());
    EXPECT_EQ(host::crc32c_by_table(bytes), small.value());
    EXPECT_EQ(plain_crc32c(bytes), small.value());
  }
}

struct VectorSink {
  Bytes bytes;
  void write(const uint8_t* from, size_t count) { bytes.insert(bytes.end(), from, from + count); }
};

TEST(Cobs, UndoesWhatTheTargetDoes) {
  std::mt19937 random(2);
  for (size_t count = 0; count < 1200; ++count) {
    const Bytes bytes = random_bytes(random, count, count % 3 == 0 ? 1000 : 3);
    VectorSink sink;
    wire::CobsEncoder encoder(sink);
    encoder.begin();
    for (const uint8_t byte : bytes) encoder.add(byte);
    encoder.end();
    ASSERT_EQ(sink.bytes, plain_cobs(bytes));
    Bytes decoded(sink.bytes.size() + host::kCobsReach);
    const auto size =
        host::cobs_decode(std::span(sink.bytes).subspan(1, sink.bytes.size() - 2), decoded.data());
    ASSERT_TRUE(size.has_value());
    decoded.resize(*size);
    ASSERT_EQ(decoded, bytes);
  }
}

TEST(Cobs, RefusesABlockThatIsLongerThanTheRest) {
  Bytes decoded(64 + host::kCobsReach);
  EXPECT_FALSE(host::cobs_decode(from_hex("05 11 22 33"), decoded.data()));
  EXPECT_FALSE(host::cobs_decode(from_hex("02 11 ff"), decoded.data()));
  EXPECT_TRUE(host::cobs_decode(from_hex("04 11 22 33"), decoded.data()));
  EXPECT_FALSE(host::cobs_decode(from_hex("00 11"), decoded.data()));
  EXPECT_FALSE(host::cobs_decode(from_hex("02 11 00 22"), decoded.data()));
}

// The chunks differ in length and damage.
TEST(Cobs, SeveralAtOnceAreAsOneByOne) {
  std::mt19937 random(5);
  size_t refused = 0;
  for (size_t count = 0; count < 1000; ++count) {
    std::vector<host::CobsTask> tasks(random() % (2 * host::kCobsTogether + 1));
    std::vector<Bytes> coded(tasks.size());
    std::vector<Bytes> decoded(tasks.size());
    for (size_t i = 0; i < tasks.size(); ++i) {
      Bytes& each = coded[i];
      each = plain_cobs(random_bytes(random, random() % 1000, random() % 3 == 0 ? 1000 : 3));
      each = Bytes(each.begin() + 1, each.end() - 1);
      if (random() % 4 == 0) each.resize(each.size() - std::min<size_t>(each.size(), 7));
      if (random() % 4 == 0 && !each.empty())
        each[random() % each.size()] = static_cast<uint8_t>(1 + random() % 255);
      decoded[i].resize(each.size() + host::kCobsReach);
      tasks[i] = {.coded = each, .decoded = decoded[i].data()};
    }
    host::cobs_decode_together(tasks);
    for (size_t i = 0; i < tasks.size(); ++i) {
      Bytes alone(coded[i].size() + host::kCobsReach);
      const auto size = host::cobs_decode(coded[i], alone.data());
      ASSERT_EQ(tasks[i].bytes, size);
      refused += size ? 0 : 1;
      if (!size) continue;
      alone.resize(*size);
      decoded[i].resize(*size);
      ASSERT_EQ(decoded[i], alone);
    }
  }
  EXPECT_GT(refused, 200u);
}

TEST(Base64, IsStrict) {
  std::mt19937 random(3);
  for (size_t count = 0; count < 100; ++count) {
    const Bytes bytes = random_bytes(random, count, 5);
    const std::string text = plain_base64(bytes);
    Bytes decoded(text.size());
    const auto size = host::base64_decode(text, decoded.data());
    ASSERT_TRUE(size.has_value());
    decoded.resize(*size);
    EXPECT_EQ(decoded, bytes);
    EXPECT_EQ(host::base64_run(text + "\r\n"), text.size());
  }
  Bytes decoded(64);
  EXPECT_TRUE(host::base64_decode("QQ==", decoded.data()));
  for (const char* text :
       {"QR==", "QUF=", "Q===", "====", "QQ=", "QQ", "Q=Q=", "QQ==QQ==", "QQ!=", "Q\nQ=", "QUJ="})
    EXPECT_FALSE(host::base64_decode(text, decoded.data())) << text;
}

TEST(Utf8, IsDistinguishedFromOtherBytes) {
  const auto valid = [](const std::string& text) {
    return host::is_utf8({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  for (const char* text : {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                           "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf", "seven..\xc3\xa9"})
    EXPECT_TRUE(valid(text)) << text;
  for (const char* text :
       {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "ascii ascii\xff"})
    EXPECT_FALSE(valid(text));

  Bytes bytes = from_hex("61 ff e2 82 ac e2 82 62");
  EXPECT_EQ(host::repair_utf8(bytes), 3u);
  EXPECT_EQ(bytes, from_hex("61 3f e2 82 ac 3f 3f 62"));
  EXPECT_EQ(host::utf8_cut(from_hex("61 e2 82 ac"), 3), 1u);
  EXPECT_EQ(host::utf8_cut(from_hex("61 e2 82 ac"), 4), 4u);
}

TEST(SpooledArray, GrowsBeyondMemoryAndKeepsEverything) {
  host::SpooledArray<uint64_t> array;
  const size_t count = host::SpooledBytes::kInMemoryBytes / 8 * 3;
  for (size_t i = 0; i < count; ++i) ASSERT_TRUE(array.push_back(i * i).ok());
  ASSERT_EQ(array.size(), count);
  for (size_t i = 0; i < count; ++i) ASSERT_EQ(array.all()[i], i * i);
}

TEST(SpooledBytes, KeepsAllHoweverLittleMemoryItMayHave) {
  host::SpooledBytes bytes(1000);
  const Bytes some(900, 7);
  for (size_t at = 0; at < 4 * some.size(); at += some.size()) {
    ASSERT_TRUE(bytes.reserve(some.size()).ok());
    std::copy(some.begin(), some.end(), bytes.data() + at);
    bytes.grow(some.size());
    bytes.release_memory();
    for (size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(bytes.data()[i], 7) << i;
  }
}

// Sizes of all kinds, up to more than is kept from one write to the next.
TEST(SpooledStream, KeepsEverythingInMemoryAndInAFile) {
  std::mt19937 random(7);
  host::SpooledStream stream;
  Bytes all;
  bool was_in_memory = false;
  while (all.size() < host::SpooledBytes::kInMemoryBytes * 3) {
    const size_t most = random() % 50 == 0 ? size_t{1} << 19 : 2000;
    const Bytes more = random_bytes(random, random() % most, 256);
    ASSERT_TRUE(stream.append(more).ok());
    all.insert(all.end(), more.begin(), more.end());
    ASSERT_EQ(stream.size(), all.size());
    if (random() % 50 != 0) continue;
    // More may follow.
    ASSERT_TRUE(stream.finish().ok());
    ASSERT_TRUE(std::equal(all.begin(), all.end(), stream.data()));
    was_in_memory = was_in_memory || all.size() < host::SpooledBytes::kInMemoryBytes;
  }
  EXPECT_TRUE(was_in_memory);
  ASSERT_TRUE(stream.finish().ok());
  stream.release_memory();
  EXPECT_TRUE(std::equal(all.begin(), all.end(), stream.data()));
}

TEST(SpooledStream, ReportsThatAFileHasNoRoom) {
  struct rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const struct rlimit low = {.rlim_cur = host::SpooledBytes::kInMemoryBytes + 1000,
                             .rlim_max = limit.rlim_max};
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  host::SpooledStream stream;
  host::Status status;
  const Bytes more(4096, 1);
  size_t bytes = 0;
  for (; bytes < 2 * host::SpooledBytes::kInMemoryBytes && status.ok(); bytes += more.size())
    status = stream.append(more);
  (void)::setrlimit(RLIMIT_FSIZE, &limit);
  (void)std::signal(SIGXFSZ, old);
  EXPECT_GT(bytes, host::SpooledBytes::kInMemoryBytes);  // all of which needs no file
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().what.find("cannot grow a temporary file"), std::string::npos)
      << status.error().what;
}

class VectorByteSink final : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t> from) override {
    bytes.insert(bytes.end(), from.begin(), from.end());
    return {};
  }
  Bytes bytes;
};

TEST(ArchiveWriter, WritesWhatAPlainDecoderReads) {
  using host::ArchiveArgument;
  using host::ArchiveText;
  for (const host::ByteOrder order : {host::ByteOrder::kLittle, host::ByteOrder::kBig}) {
    VectorByteSink sink;
    host::ArchiveWriter writer(sink, order);
    writer.magic_number();
    writer.provider_info(3, "provider");
    writer.provider_section(3);
    writer.initialization(1000);
    writer.string(1, "category");
    writer.thread(5, 10, 11);
    const ArchiveText name = ArchiveText::spelled_out("argument");
    const std::vector<ArchiveArgument> arguments = {
        ArchiveArgument::null(name),
        ArchiveArgument::int32(name, -4),
        ArchiveArgument::uint32(name, 4),
        ArchiveArgument::int64(name, -5),
        ArchiveArgument::uint64(name, 5),
        ArchiveArgument::real(name, 1.0),
        ArchiveArgument::pointer(name, 16),
        ArchiveArgument::koid(name, 11),
        ArchiveArgument::boolean(name, true),
        ArchiveArgument::string(name, ArchiveText::indexed(1))};
    ASSERT_TRUE(writer.event({.type = fxt::EventType::kDurationComplete,
                              .timestamp = 7,
                              .thread = {.index = 5},
                              .category = ArchiveText::indexed(1),
                              .name = ArchiveText::spelled_out("name"),
                              .trailing_word = 9},
                             arguments));
    writer.provider_event(3, 0);
    ASSERT_TRUE(writer.flush().ok());
    EXPECT_EQ(writer.bytes(), sink.bytes.size());

    const PlainArchive archive = decode_plainly(sink.bytes);
    EXPECT_EQ(archive.problem_text(), "");
    ASSERT_EQ(archive.records.size(), 8u);
    const PlainRecord& event = archive.records[6];
    EXPECT_EQ(event.category, "category");
    EXPECT_EQ(event.name, "name");
    EXPECT_EQ(event.thread, 11u);
    EXPECT_EQ(event.value, 9u);
    ASSERT_EQ(event.arguments.size(), 10u);
    EXPECT_EQ(event.arguments[1].bits, static_cast<uint64_t>(-4));
    EXPECT_EQ(event.arguments[5].bits, 0x3ff0000000000000u);
    EXPECT_EQ(event.arguments[9].text, "category");
  }
}

TEST(ArchiveWriter, RefusesARecordThatIsTooLong) {
  VectorByteSink sink;
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  const std::string half(20'000, 'x');
  EXPECT_FALSE(writer.event({.category = host::ArchiveText::spelled_out(half),
                             .name = host::ArchiveText::spelled_out(half)},
                            {}));
  const std::vector<host::ArchiveArgument> sixteen(16, host::ArchiveArgument::null({}));
  EXPECT_FALSE(writer.event({}, sixteen));
  EXPECT_EQ(writer.bytes(), 0u);
}

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "barefxt-output-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ / "out.fxt"; }
  std::string content() const {
    std::ifstream file(path());
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

TEST_F(OutputFileTest, AppearsWholeOrNotAtAll) {
  std::ofstream(path()) << "older";
  {
    auto output = host::OutputFile::create(path());
    ASSERT_TRUE(output.ok());
    ASSERT_TRUE(output.value()->write(from_hex("61 62")).ok());
    EXPECT_EQ(content(), "older");
  }
  EXPECT_EQ(content(), "older");
  EXPECT_EQ(files(), 1u);
  auto output = host::OutputFile::create(path());
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE(output.value()->write(from_hex("61 62")).ok());
  ASSERT_TRUE(output.value()->commit().ok());
  EXPECT_EQ(content(), "ab");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, KeepsASymbolicLinkOne) {
  const std::filesystem::path link = folder_ / "link.fxt";
  std::ofstream(path()) << "older";
  std::filesystem::create_symlink(path(), link);
  auto output = host::OutputFile::create(link);
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE(output.value()->write(from_hex("61")).ok());
  ASSERT_TRUE(output.value()->commit().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(content(), "a");
}

TEST_F(OutputFileTest, GoesToADeviceWithoutReplacingIt) {
  auto output = host::OutputFile::create("/dev/null");
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE(output.value()->write(from_hex("61")).ok());
  ASSERT_TRUE(output.value()->commit().ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, SaysWhyItCannotBe) {
  EXPECT_FALSE(host::OutputFile::create(folder_).ok());
  EXPECT_FALSE(host::OutputFile::create(folder_ / "no" / "such" / "folder.fxt").ok());
}

}  // namespace
}  // namespace barefxt::test::rebuild_parts_test
