// Archives as they lie about: packed, cut, in several files, in memory that was made room in.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <zlib.h>
#include <zstd.h>

#include "goldens/goldens.h"
#include "hostile/shell.h"

namespace barefxt::test::packed_command_test {
namespace {

namespace files = std::filesystem;
using U = uint64_t;

std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  constexpr int kGzip = 16;
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// With a checksum, as the program zstd makes it.
std::string zstandard(const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const size_t size =
      ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size());
  EXPECT_EQ(ZSTD_isError(size), 0U);
  ZSTD_freeCCtx(context);
  packed.resize(size);
  return packed;
}

class PackedCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    // Long enough that what is packed has more than one block, and nothing that packs to nothing.
    std::vector<Piece> pieces = {W(kMagic)};
    for (U i = 0; i < 200'000; ++i) {
      pieces.push_back(W(U{1} << 0 | U{2} << 4));
      pieces.push_back(W(i * i % 1'000'003 + 1));
    }
    plain_ = little_endian(pieces);
    write("plain", plain_);
  }

  int run(const std::string& arguments) { return Shell::run("BAREFXT " + arguments); }
  bool reports(const std::string& text) const { return messages().find(text) != std::string::npos; }
  std::string print(const std::string& name) {
    EXPECT_EQ(run("print --json " + path(name)), 0) << messages();
    return printed();
  }

  std::string plain_;
};

TEST_F(PackedCommand, EveryVerbReadsWhatIsPackedWhateverItIsCalled) {
  write("gz", gzipped(plain_));
  write("zst", zstandard(plain_));
  for (const std::string verb : {"print --json ", "lint ", "stats --json "}) {
    const int status = run(verb + path("plain"));
    const std::string expected = printed();
    for (const char* packed : {"gz", "zst"}) {
      EXPECT_EQ(run(verb + path(packed)), status) << verb << packed << messages();
      EXPECT_EQ(printed(), expected) << verb << packed;
      EXPECT_EQ(run(verb + "- <" + path(packed)), status);
      EXPECT_EQ(printed(), expected) << "a pipe, too";
    }
  }
  for (const char* packed : {"gz", "zst"}) {
    EXPECT_EQ(run("convert " + path(packed) + " --to fxt -o " + path("again")), 0);
    EXPECT_EQ(read("again"), plain_);
  }
}

TEST_F(PackedCommand, SeveralMembersFramesAndPaddingAreOne) {
  const size_t half = plain_.size() / 16 * 8 + 3;  // within a record
  const std::string first = plain_.substr(0, half);
  const std::string second = plain_.substr(half);
  const std::string expected = print("plain");
  write("gz", gzipped(first) + gzipped(second) + std::string(512, '\0'));
  EXPECT_EQ(print("gz"), expected);
  const std::string skippable("\x50\x2a\x4d\x18\x04\0\0\0skip", 12);
  write("zst", zstandard(first) + skippable + zstandard(second));
  EXPECT_EQ(print("zst"), expected);
}

TEST_F(PackedCommand, WhatIsCutOrDamagedIsReadAsFarAsItGoes) {
  for (const std::string& packed : {gzipped(plain_), zstandard(plain_)}) {
    for (const size_t left : {packed.size() - 1, packed.size() / 2}) {
      write("cut", packed.substr(0, left));
      EXPECT_EQ(run("print --json " + path("cut")), 3);
      EXPECT_TRUE(reports("cut: it ends within")) << messages();
      EXPECT_GT(printed().size(), 1000U);
      EXPECT_EQ(run("stats --json " + path("cut")), 3);
      EXPECT_EQ(run("lint " + path("cut")), 1);
      EXPECT_EQ(run("convert " + path("cut") + " --to fxt -o " + path("mended")), 3);
    }
    write("cut", packed.substr(0, 12));
    EXPECT_EQ(run("print " + path("cut")), 4);
    std::string damaged = packed;
    for (size_t i = 0; i < 64; ++i) damaged[damaged.size() / 2 + i] ^= 0x55;
    write("damaged", damaged);
    EXPECT_EQ(run("print --json " + path("damaged")), 3);
    EXPECT_TRUE(reports("damaged at byte")) << messages();
    write("more", packed + "and more");
    EXPECT_EQ(run("print --json " + path("more")), 3);
    EXPECT_TRUE(reports("8 bytes behind its end")) << messages();
  }
}

TEST_F(PackedCommand, NoByteOfSomethingPackedMakesItFail) {
  const std::string small = plain_.substr(0, 264);
  for (const std::string& packed : {gzipped(small), zstandard(small)}) {
    for (size_t at = 4; at < packed.size(); at += 3) {
      std::string bad = packed;
      bad[at] ^= 0x40;
      write("bad", bad);
      const int status = run("print " + path("bad"));
      EXPECT_TRUE(status == 0 || status == 3 || status == 4) << at << ": " << status;
    }
  }
}

TEST_F(PackedCommand, IsUnpackedElsewhereWhereTmpdirIsNoFolder) {
  write("gz", gzipped(plain_));
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  EXPECT_EQ(run("print " + path("gz")), 0) << messages();
  ::unsetenv("TMPDIR");
}

TEST_F(PackedCommand, CapturesMayBePackedToo) {
  const std::string golden = BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/";
  const auto entry = files::directory_iterator(golden);
  ASSERT_NE(entry, files::directory_iterator());
  files::path capture;
  for (const auto& file : files::directory_iterator(golden))
    if (file.is_regular_file() && (capture.empty() || file.path() < capture)) capture = file.path();
  const int status = run("rebuild " + capture.string() + " -o " + path("plainly"));
  ASSERT_TRUE(status == 0 || status == 3) << capture << messages();
  std::ostringstream bytes;
  bytes << std::ifstream(capture, std::ios::binary).rdbuf();
  write("capture.gz", gzipped(bytes.str()));
  EXPECT_EQ(run("rebuild " + path("capture.gz") + " -o " + path("unpacked")), status);
  EXPECT_EQ(read("unpacked"), read("plainly"));
  write("cut.zst", zstandard(bytes.str()).substr(0, zstandard(bytes.str()).size() - 2));
  const int of_cut = run("rebuild " + path("cut.zst") + " -o " + path("unpacked"));
  EXPECT_TRUE(of_cut == 3 || of_cut == 4) << of_cut;
  EXPECT_TRUE(reports("cut: it ends within")) << messages();
}

TEST_F(PackedCommand, SeveralFilesAreOneArchive) {
  const size_t cut = 8 + 16 * size_t{1000};
  write("1", plain_.substr(0, cut));
  write("2.gz", gzipped(plain_.substr(cut)));
  const std::string both = path("1") + " " + path("2.gz");
  const std::string expected = print("plain");
  EXPECT_EQ(run("print --json " + both), 0) << messages();
  EXPECT_EQ(printed(), expected);
  EXPECT_EQ(run("stats " + both), 0);
  EXPECT_EQ(run("convert " + both + " --to fxt -o " + path("one")), 0);
  EXPECT_EQ(read("one"), plain_);

  // A torn end does not swallow what the next file begins with.
  write("1", plain_.substr(0, cut + 12));
  EXPECT_EQ(run("convert " + both + " --to fxt -o " + path("one")), 3);
  EXPECT_TRUE(reports("ends within a record, 12 bytes left out")) << messages();
  EXPECT_EQ(read("one"), plain_);
  EXPECT_EQ(run("print " + path("plain") + " " + path("nowhere")), 2);
  write("big", big_endian({W(kMagic)}));
  EXPECT_EQ(run("print " + path("plain") + " " + path("big")), 2);
  EXPECT_TRUE(reports("of another byte order")) << messages();
}

TEST_F(PackedCommand, RoomThatNothingWasWrittenToIsNoDamage) {
  const std::string archive = plain_.substr(0, 8 + 16 * size_t{100});
  write("short", archive);
  write("room", archive + std::string(3 * 4096 - archive.size(), '\0'));
  EXPECT_EQ(run("convert " + path("room") + " --to fxt -o " + path("out.fxt")), 0);
  EXPECT_EQ(read("out.fxt"), archive);
  EXPECT_TRUE(reports("bytes of zeros at its end")) << messages();
  for (const char* verb : {"print ", "stats "}) EXPECT_EQ(run(verb + path("room")), 0) << verb;
  EXPECT_EQ(run("lint " + path("room")), 1) << "Perfetto does not read it";
  EXPECT_EQ(run("print " + path("room") + " " + path("short")), 0);
  // Anything in it, or an end within a page, and it is damage as before.
  write("room", archive + std::string(3 * 4096 - archive.size() - 1, '\0') + "x");
  EXPECT_EQ(run("stats " + path("room")), 3);
  write("room", archive + std::string(64, '\0'));
  EXPECT_EQ(run("stats " + path("room")), 3);
  write("room", std::string(4096, '\0'));
  EXPECT_EQ(run("stats " + path("room")), 4);
}

}  // namespace
}  // namespace barefxt::test::packed_command_test
