// `barefxt convert`: exit statuses, and what becomes of its outputs.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "converting.h"
#include "goldens/goldens.h"
#include "hostile/shell.h"

namespace barefxt::test::convert_command_test {
namespace {

namespace files = std::filesystem;
using host::ArchiveText;
using U = uint64_t;

class ConvertCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("good", little_endian({W(kMagic), W(U{1} << 0 | U{2} << 4, 9)}));
    write("cut", little_endian({W(kMagic), W(U{1} << 0 | U{2} << 4)}));
    write("unknown", little_endian({W(kMagic), W(U{12} << 0 | U{1} << 4)}));
    write("empty", "");
    write("noise", "this is no archive at all, is it now?");
  }

  int run(const std::string& arguments) { return Shell::run("BAREFXT convert " + arguments); }
  int convert(const std::string& in, const std::string& format, const std::string& out) {
    return run(path(in) + " --to " + format + " -o " + path(out));
  }
  bool reports(const std::string& text) const { return messages().find(text) != std::string::npos; }
};

TEST_F(ConvertCommand, AWholeArchiveIsDone) {
  for (const char* format : {"fxt", "chrome-json", "perfetto", "ctf", "parquet", "blobs"})
    EXPECT_EQ(convert("good", format, format), 0) << messages();
  EXPECT_EQ(read("fxt"), read("good"));
  EXPECT_TRUE(nlohmann::json::accept(read("chrome-json")));
  EXPECT_TRUE(files::is_empty(path("blobs")));
  EXPECT_TRUE(reports("no blob"));
}

TEST_F(ConvertCommand, WhatIsMissingFromTheOutputMakesItIncomplete) {
  for (const char* in : {"cut", "unknown"}) {
    for (const char* format : {"fxt", "chrome-json", "perfetto", "parquet"}) {
      EXPECT_EQ(convert(in, format, "out"), 3) << in << " " << format;
      EXPECT_TRUE(reports(in == std::string("cut") ? "malformed place" : "unknown type"));
      EXPECT_NE(read("out"), "");
    }
  }
  EXPECT_EQ(convert("cut", "blobs", "folder"), 3);
  EXPECT_TRUE(files::is_directory(path("folder")));
}

TEST_F(ConvertCommand, WhereNothingCanBeReadNothingIsWritten) {
  write("old", "old");
  files::create_directory(path("old folder"));
  const std::string before = entries();
  for (const char* in : {"empty", "noise"}) {
    for (const char* format : {"fxt", "chrome-json", "perfetto", "ctf", "parquet", "blobs"}) {
      EXPECT_EQ(convert(in, format, "new"), 4) << in << " " << format;
      EXPECT_FALSE(files::exists(path("new")));
    }
    EXPECT_EQ(convert(in, "fxt", "old"), 4);
    EXPECT_EQ(read("old"), "old");
  }
  EXPECT_EQ(entries(), before);
}

TEST_F(ConvertCommand, BadUsageAndFilesThatCannotBeOpenedOrWritten) {
  for (const std::string& arguments : {std::string(""),
                                       path("good"),
                                       path("good") + " --to fxt",
                                       path("good") + " -o x",
                                       path("good") + " --to nonsense -o x",
                                       path("good") + " --to fxt -o x --output-byte-order middle",
                                       path("nowhere") + " --to fxt -o x",
                                       path("good") + " --to fxt -o /nowhere/at/all",
                                       path("good") + " --to chrome-json -o /nowhere/at/all",
                                       path("good") + " --to blobs -o /nowhere/at/all",
                                       path("good") + " --to ctf -o /nowhere/at/all",
                                       path("good") + " --to parquet -o /dev/full",
                                       path("good") + " --to perfetto -o /dev/full",
                                       path("good") + " --to fxt -o /tmp",
                                       path("good") + " --to blobs -o " + path("."),
                                       path("good") + " --to blobs -o " + path("good"),
                                       path("good") + " --to fxt -o /dev/full",
                                       path("good") + " --to chrome-json -o /dev/full",
                                       path("good") + " --to perfetto --perfetto-logs -o x",
                                       path("good") + " --to fxt -o - >/dev/full"}) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_NE(messages(), "") << arguments;
  }
}

TEST_F(ConvertCommand, HelpAndVersion) {
  EXPECT_EQ(run("--help >" + path("help")), 0);
  for (const char* text :
       {"chrome-json", "perfetto", "ctf", "parquet", "blobs", "--output-byte-order", "--dialect"})
    EXPECT_TRUE(contains(read("help"), text));
  EXPECT_EQ(run("--version >" + path("help")), 0);
}

TEST_F(ConvertCommand, WritesEitherByteOrderAndReadsItBack) {
  for (const Golden& golden : goldens()) {
    const std::string dialect = golden.old ? " --dialect 2017" : "";
    write("in", little_endian(golden.pieces));
    (void)run(path("in") + " --to fxt -o " + path("little") + dialect);
    (void)run(path("in") + " --to fxt --output-byte-order big -o " + path("big") + dialect);
    EXPECT_EQ(read("big")[0], 0);
    EXPECT_EQ(convert("big", "fxt", "back"), 0) << messages();
    EXPECT_EQ(read("back"), read("little")) << golden.name;
    EXPECT_EQ(messages(), "");
  }
}

TEST_F(ConvertCommand, TheInputsByteOrderCanBeOverruled) {
  write("big", big_endian({W(U{1} << 0 | U{2} << 4, 9)}));
  EXPECT_EQ(run(path("big") + " --input-byte-order big --to fxt -o " + path("out")), 0);
  EXPECT_EQ(read("out"), read("good"));
  EXPECT_EQ(run(path("big") + " --input-byte-order big --to chrome-json -o " + path("out")), 0);
}

TEST_F(ConvertCommand, StandardInputAndOutput) {
  EXPECT_EQ(run("- --to fxt -o - <" + path("good") + " >" + path("out")), 0);
  EXPECT_EQ(read("out"), read("good"));
  EXPECT_EQ(run(path("good") + " --to fxt -o " + path("good")), 2) << "onto itself";
  EXPECT_EQ(read("out"), read("good")) << "untouched";
}

TEST_F(ConvertCommand, BlobsAreJoinedByProviderAndName) {
  const std::string large(100'000, 'l');
  write("in", written([&](host::ArchiveWriter& writer) {
          const auto text = [](const char* name) { return ArchiveText::spelled_out(name); };
          writer.blob(text("x"), fxt::BlobType::kData, "of nobody");
          writer.provider_info(1, "one");
          writer.blob(text("../etc/x y"), fxt::BlobType::kData, "first, ");
          writer.provider_info(2, "two");
          writer.blob(text("../etc/x y"), fxt::BlobType::kData, "another's");
          writer.provider_section(1);
          writer.blob(text(".._etc_x_y"), fxt::BlobType::kData, "confusable");
          writer.blob(text("../etc/x y"), fxt::BlobType::kData, "second");
          writer.blob(text("large"), fxt::BlobType::kData, large);
          EXPECT_TRUE(writer.large_blob({{}, text("large")}, {}, "and more"));
          writer.blob(text(""), fxt::BlobType::kData, "");
          writer.blob(ArchiveText::indexed(17), fxt::BlobType::kData, "unregistered");
        }));
  files::create_directory(path("out"));  // empty, which is fine
  EXPECT_EQ(convert("in", "blobs", "out"), 0) << messages();
  EXPECT_EQ(read("out/none-x"), "of nobody");
  EXPECT_EQ(read("out/1-.._etc_x_y"), "first, second");
  EXPECT_EQ(read("out/2-.._etc_x_y"), "another's");
  EXPECT_EQ(read("out/1-.._etc_x_y-2"), "confusable");
  EXPECT_EQ(read("out/1-large"), large + "and more");
  EXPECT_EQ(read("out/1-string_17"), "unregistered");
  EXPECT_EQ(std::distance(files::directory_iterator(path("out")), files::directory_iterator()), 7);
  EXPECT_EQ(convert("in", "blobs", "out"), 2) << "not into a folder that is in use";
  EXPECT_EQ(read("out/none-x"), "of nobody");

  // A large record that convert takes apart is the same blob.
  EXPECT_EQ(convert("in", "fxt", "normal"), 3);
  EXPECT_EQ(convert("normal", "blobs", "again"), 0);
  EXPECT_EQ(read("again/1-large"), large + "and more");
}

}  // namespace
}  // namespace barefxt::test::convert_command_test
