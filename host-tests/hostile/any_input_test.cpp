// Every verb that reads archives reads captures as well, as if `rebuild` had come first. What holds
// no trace is called what it is.

#include <algorithm>
#include <gtest/gtest.h>

#include "shell.h"

namespace barefxt::test::any_input_test {
namespace {

const std::string kCaptures = BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/";
const std::string kMemory = BAREFXT_SOURCE_DIR "/host-tests/goldens/memory/";

class AnyInput : public Shell {
 protected:
  // The verbs say about the inputs what they say about the archive that `rebuild` makes of them,
  // and the messages of `rebuild` as well.
  void expect_as_rebuilt(const std::string& inputs, int rebuilding) {
    SCOPED_TRACE(inputs);
    ASSERT_EQ(run("BAREFXT rebuild " + inputs + " -o a.fxt"), rebuilding) << messages();
    const std::string rebuilt = messages();
    for (const char* verb :
         {"print --json", "lint", "stats --json", "stats --csv", "convert --to chrome-json -o -",
          "convert --to fxt -o -", "explain --json", "profile --json", "report -o r.html"}) {
      SCOPED_TRACE(verb);
      const int status_of_archive = run(std::string("BAREFXT ") + verb + " a.fxt");
      const std::string of_archive = printed();
      const std::string about_archive = without_name(messages());
      const int status = run(std::string("BAREFXT ") + verb + " " + inputs);
      EXPECT_EQ(printed(), of_archive);
      EXPECT_EQ(messages().substr(0, rebuilt.size()), rebuilt);
      EXPECT_EQ(without_name(messages().substr(std::min(messages().size(), rebuilt.size()))),
                about_archive);
      const bool is_lint = std::string(verb) == "lint";
      EXPECT_EQ(status, std::max(status_of_archive, rebuilding == 3 && is_lint ? 1 : rebuilding));
    }
  }

  // "barefxt: FILE: text" without what names the file.
  static std::string without_name(const std::string& lines) {
    std::string texts;
    for (size_t at = 0; at < lines.size();) {
      const size_t end = std::min(lines.find('\n', at), lines.size());
      const std::string line = lines.substr(at, end - at);
      texts += line.substr(std::min(line.rfind(": "), line.size())) + "\n";
      at = end + 1;
    }
    return texts;
  }
};

TEST_F(AnyInput, ThatIsACaptureIsReadAsItsArchive) {
  expect_as_rebuilt(kCaptures + "cortex-m3-circular.v1.raw", 0);
  expect_as_rebuilt(kCaptures + "0.1.0/aarch64-text-coded.raw.gz", 0);
  expect_as_rebuilt(kCaptures + "0.1.0/aarch64_be-full.core.gz", 0);
  expect_as_rebuilt(
      kCaptures + "0.1.0/cortex-m3-recovered.raw.gz " + kCaptures + "0.1.0/rv32-circular.raw.gz",
      0);
  expect_as_rebuilt(
      kMemory + "cortex-m3-circular.ram.gz --elf " + kMemory + "cortex-m3-circular.elf.gz", 0);
}

// Each file is a trace by itself there, and verdicts name it.
TEST_F(AnyInput, ThatIsACaptureIsCheckedAsItsArchive) {
  write("rules", std::string("irq \"*\" lasts <= 3600s\nnever thread \"*\" runs\n"));
  ASSERT_EQ(run("cp " + kCaptures + "cortex-m3-circular.v1.raw whole && cp " + kCaptures +
                "kernels/zephyr.raw other && BAREFXT rebuild whole -o a && BAREFXT rebuild other "
                "-o b"),
            0);
  EXPECT_EQ(run("BAREFXT check --json rules a b | sed 's/\"trace\":\"[a-z]*\"//g'"), 0);
  const std::string of_archives = printed();
  EXPECT_TRUE(contains(of_archives, "\"verdict\":\"violated\""));
  EXPECT_EQ(run("BAREFXT check --json rules whole other | sed 's/\"trace\":\"[a-z]*\"//g'"), 0);
  EXPECT_EQ(printed(), of_archives);
  EXPECT_TRUE(contains(messages(), "records in"));
}

// Each byte in a packet of its own.
TEST_F(AnyInput, ThatAnItmSentIsReadAsItsArchive) {
  ASSERT_EQ(run("cp " + kCaptures + "cortex-m3-circular.v1.raw line"), 0);
  std::string packets;
  for (const char byte : read("line")) packets.append(1, '\1').append(1, byte);
  write("swo", packets);
  expect_as_rebuilt("swo --itm plain", 0);
  ASSERT_EQ(run("BAREFXT rebuild line -o b.fxt && cmp a.fxt b.fxt"), 0);
  EXPECT_EQ(run("BAREFXT doctor swo --itm plain"), 0) << printed();
  // It examines what the ports sent, rather than the packets.
  write("words", std::string("\1H\1e\1l\1l\1o\1\n"));
  EXPECT_EQ(run("BAREFXT doctor words --itm plain"), 1);
  EXPECT_TRUE(contains(printed(), "words: 6 bytes of console text"));
}

TEST_F(AnyInput, HasInterruptsOfTheList) {
  write("list", std::string("0 beat of the heart\n"));
  const std::string capture = kCaptures + "kernels/zephyr.raw";
  expect_as_rebuilt(capture + " --interrupts list", 0);
  EXPECT_EQ(run("BAREFXT stats " + capture), 0);
  EXPECT_TRUE(lacks(printed(), "beat of the heart"));
  EXPECT_EQ(run("BAREFXT stats " + capture + " --interrupts list"), 0);
  EXPECT_TRUE(contains(printed(), "beat of the heart"));
  EXPECT_EQ(run("BAREFXT stats " + capture + " --interrupts nowhere"), 2);
  EXPECT_EQ(run("BAREFXT report " + capture + " --interrupts list -o list"), 2);
}

TEST_F(AnyInput, ThatLacksBytesIsIncomplete) {
  ASSERT_EQ(run("head -c 9000 " + kCaptures + "cortex-m3-demo.v2.raw >cut; tail -c +9500 " +
                kCaptures + "cortex-m3-demo.v2.raw >>cut"),
            0);
  expect_as_rebuilt("cut", 3);
}

TEST_F(AnyInput, ThatComesByAPipeIsReadOnce) {
  const std::string capture = kCaptures + "cortex-m3-circular.v1.raw";
  ASSERT_EQ(run("BAREFXT print " + capture), 0);
  const std::string printed_of_file = printed();
  EXPECT_EQ(run("cat " + capture + " | BAREFXT print -"), 0);
  EXPECT_EQ(printed(), printed_of_file);
  EXPECT_EQ(run("cat " + capture + " | BAREFXT doctor -"), 0) << printed();
}

TEST_F(AnyInput, ThatIsAnArchiveIsExaminedByTheDoctor) {
  ASSERT_EQ(run("BAREFXT rebuild " + kCaptures + "cortex-m3-circular.v1.raw -o a.fxt"), 0);
  EXPECT_EQ(run("BAREFXT doctor a.fxt"), 0);
  EXPECT_EQ(printed(), "no fault found\n");
  EXPECT_EQ(run("BAREFXT rebuild " + kCaptures + "boots.v5.raw -o b.fxt && BAREFXT doctor b.fxt"),
            1);
  EXPECT_TRUE(contains(printed(), "and 9 more [kernel-object-shared]"));
  EXPECT_EQ(run("BAREFXT doctor --json - <b.fxt"), 1);
  EXPECT_TRUE(contains(printed(), R"({"check":"kernel-object-shared","where":"standard input")"));
}

TEST_F(AnyInput, ThatIsNoTraceIsCalledWhatItIs) {
  ASSERT_EQ(run("BAREFXT rebuild " + kCaptures + "cortex-m3-circular.v1.raw -o a.fxt"), 0);
  for (const char* form : {"chrome-json", "perfetto", "parquet", "ctf"})
    ASSERT_EQ(run(std::string("BAREFXT convert a.fxt --to ") + form + " -o " + form), 0);
  write("words", std::string("Nothing but words.\n"));
  ASSERT_EQ(run("gzip -c words >packed"), 0);
  write("rules", std::string("never thread \"a\" runs\n"));
  write("network", std::string("\xd4\xc3\xb2\xa1\x02\x00\x04\x00", 8) + std::string(400, '\1'));
  write("log", std::string("\x05\x00\x01\x00\x03\x00\x00\x00", 8) + std::string(24, '\0'));
  const std::pair<const char*, const char*> kinds[] = {
      {"words", "text"},
      {"packed", "text, packed by gzip"},
      {"network", "a capture of a network (PCAP)"},
      {"chrome-json", "a trace for chrome://tracing (JSON)"},
      {"perfetto", "a trace of Perfetto (protobuf)"},
      {"parquet", "a table (Parquet)"},
      {"ctf", "a folder in the Common Trace Format"},
      {BAREFXT_COMMAND, "a program (ELF)"},
      {"log", "an XRay log"},
  };
  for (const auto& [file, kind] : kinds) {
    for (const char* verb : {"print", "lint", "stats", "report -o r.html", "open", "explain",
                             "check rules", "learn -o l", "profile"}) {
      EXPECT_EQ(run(std::string("BAREFXT ") + verb + " " + file), 4) << verb << " " << file;
      EXPECT_TRUE(contains(messages(), std::string(": ") + kind + ", no trace of barefxt"))
          << verb << ": ";
      EXPECT_EQ(printed(), "");
    }
    // These two look for a trace in text that a console printed.
    if (std::string(kind).starts_with("text")) continue;
    for (const char* verb : {"doctor", "doctor --json", "rebuild -o o.fxt"}) {
      EXPECT_EQ(run(std::string("BAREFXT ") + verb + " " + file), 4) << verb << " " << file;
      EXPECT_TRUE(contains(messages(), std::string(": ") + kind + ", no trace of barefxt"))
          << verb << ": ";
      EXPECT_EQ(printed(), "");
    }
  }
  EXPECT_EQ(run("BAREFXT doctor words"), 1);
  EXPECT_TRUE(contains(printed(), "console text, and no frame in it [text-only]"));
  EXPECT_EQ(run("BAREFXT convert words --to perfetto -o c"), 4);
}

}  // namespace
}  // namespace barefxt::test::any_input_test
