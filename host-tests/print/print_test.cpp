// How records look as text.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include <barefxt/host/json.h>

#include "contains.h"
#include "goldens/goldens.h"
#include "printing.h"

namespace barefxt::test::print_test {
namespace {

using U = uint64_t;

std::string quoted(std::string_view bytes) {
  host::StringOutput out;
  host::json_string(out, bytes);
  return out.take();
}

std::string real(double value) {
  host::StringOutput out;
  host::json_double(out, value);
  return out.take();
}

std::string base64(std::string_view bytes) {
  host::StringOutput out;
  host::json_base64(out, bytes);
  return out.take();
}

TEST(JsonString, EscapesWhatJsonForbids) {
  EXPECT_EQ(quoted("a\"\\\n\r\t\x01\x1f\x7f/"), "\"a\\\"\\\\\\n\\r\\t\\u0001\\u001f\\u007f/\"");
}

TEST(JsonString, KeepsUtf8AndReplacesEachBrokenSequenceOnce) {
  EXPECT_EQ(quoted("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82"), "\"é€🙂\"");
  EXPECT_EQ(quoted("\xFF"), "\"�\"");
  EXPECT_EQ(quoted("\x80\x80"), "\"��\"");
  EXPECT_EQ(quoted("\xE2\x82"), "\"�\"");  // cut short: one
  EXPECT_EQ(quoted("\xE2\x82z"), "\"�z\"");
  EXPECT_EQ(quoted("\xC0\xAF"), "\"��\"");            // overlong
  EXPECT_EQ(quoted("\xED\xA0\x80"), "\"���\"");       // a surrogate
  EXPECT_EQ(quoted("\xF4\x90\x80\x80"), "\"����\"");  // beyond U+10FFFF
}

TEST(JsonDouble, ReadsBackAsTheSameDouble) {
  EXPECT_EQ(real(0.1), "0.1");
  EXPECT_EQ(real(5), "5.0");
  EXPECT_EQ(real(-0.0), "-0.0");
  EXPECT_EQ(real(1e300), "1e+300");
  EXPECT_EQ(std::strtod(real(5e-324).c_str(), nullptr), 5e-324);
  EXPECT_EQ(std::strtod(real(1.0 / 3).c_str(), nullptr), 1.0 / 3);
}

TEST(JsonBase64, PadsAsTheStandardSays) {
  EXPECT_EQ(base64(""), "\"\"");
  EXPECT_EQ(base64("f"), "\"Zg==\"");
  EXPECT_EQ(base64("fo"), "\"Zm8=\"");
  EXPECT_EQ(base64("foo"), "\"Zm9v\"");
  EXPECT_EQ(base64("\xff\xff\xff\xff"), "\"/////w==\"");
}

TEST(JsonLines, RawAddsTheBytesOfEachRecord) {
  const std::string json = json_of(little_endian({W(kMagic), W(U{1} | U{2} << 4, 9)}), {}, true);
  EXPECT_EQ(json, R"({"offset":0,"record":"magic","raw":"EAAERnhUFgA="}
{"offset":8,"record":"initialization","ticks_per_second":9,"raw":"IQAAAAAAAAAJAAAAAAAAAA=="}
)");
}

TEST(JsonLines, MalformedPlacesSayWhyAndShowTheirBytes) {
  EXPECT_EQ(json_of(little_endian({W(kMagic), W(0)})), R"({"offset":0,"record":"magic"}
{"offset":8,"record":"malformed","bytes":8,"why":"a record of size 0","raw":"AAAAAAAAAAA="}
)");
}

// A record's name and its keys in order, arguments and all. Offset and provider come and go.
std::string shape(const nlohmann::ordered_json& object) {
  std::string text = object.value("record", "");
  for (const auto& [key, value] : object.items()) {
    if (key == "offset" || key == "provider" || key == "record") continue;
    text += " " + key;
    if (value.is_object()) text += "(" + shape(value) + ")";
  }
  return text;
}

std::set<std::string> shapes_of(const std::string& lines) {
  std::set<std::string> shapes;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    shapes.insert(shape(nlohmann::ordered_json::parse(line)));
  }
  return shapes;
}

TEST(JsonLines, LookAsTheDocumentationShowsThem) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/reference/print-json.md");
  std::string documented;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("    {", 0) == 0) documented += line.substr(4) + "\n";
  }
  std::string printed = json_of(little_endian({W(kMagic), W(0)}));
  for (const Golden& one : goldens()) printed += json_of(little_endian(one.pieces));
  const std::set<std::string> shown = shapes_of(printed);
  const std::set<std::string> documented_shapes = shapes_of(documented);
  EXPECT_EQ(documented_shapes.size(), 23U);
  for (const std::string& one : documented_shapes) EXPECT_TRUE(shown.contains(one)) << one;
  // And no record is printed that the documentation does not show.
  const auto name = [](const std::string& one) { return one.substr(0, one.find(' ')); };
  std::set<std::string> names;
  for (const std::string& one : documented_shapes) names.insert(name(one));
  for (const std::string& one : shown) EXPECT_TRUE(names.contains(name(one))) << one;
}

TEST(JsonLines, RawAddsRawToEveryObjectAndNothingElse) {
  for (const Golden& one : goldens()) {
    std::istringstream with(json_of(little_endian(one.pieces), {}, true));
    std::istringstream without(json_of(little_endian(one.pieces)));
    for (std::string line, bare; std::getline(with, line) && std::getline(without, bare);) {
      nlohmann::json object = nlohmann::json::parse(line);
      nlohmann::json same = nlohmann::json::parse(bare);
      EXPECT_TRUE(object.contains("raw")) << line;
      object.erase("raw");
      same.erase("raw");
      EXPECT_EQ(object, same);
    }
  }
}

TEST(HumanText, ShowsWhatPointersAndKoidsReferTo) {
  const std::string text = text_of(little_endian({
      W(kMagic),
      // pointer 16 is u in process 10 and v in process 20, koid 77 is k
      W(U{6} << 0 | U{4} << 4 | U{0x8001} << 24, 16, 10),
      S("u\0\0\0\0\0\0\0"),
      W(U{6} << 0 | U{4} << 4 | U{0x8001} << 24, 16, 20),
      S("v\0\0\0\0\0\0\0"),
      W(U{7} << 0 | U{3} << 4 | U{3} << 16 | U{0x8001} << 24, 77),
      S("k\0\0\0\0\0\0\0"),
      // instants of processes 10, 20 and 30 with a pointer and a koid
      W(U{4} << 0 | U{8} << 4 | U{2} << 20, 1, 10, 11),
      W(U{7} << 0 | U{2} << 4, 16),
      W(U{8} << 0 | U{2} << 4, 77),
      W(U{4} << 0 | U{6} << 4 | U{1} << 20, 2, 20, 21),
      W(U{7} << 0 | U{2} << 4, 16),
      W(U{4} << 0 | U{6} << 4 | U{1} << 20, 3, 30, 31),
      W(U{7} << 0 | U{2} << 4, 16),
  }));
  EXPECT_TRUE(contains(text, "\"\"=u/0x10  \"\"=k/77\n"));
  EXPECT_TRUE(contains(text, "20:21  \"\" \"\"  \"\"=v/0x10\n"));
  EXPECT_TRUE(contains(text, "30:31  \"\" \"\"  \"\"=0x10\n"));
}

TEST(HumanText, SaysWhichChunkOfItsBlobEachIs) {
  const Piece b3 = W(U{5} << 0 | U{3} << 4 | U{0x8001} << 16 | U{3} << 32 | U{1} << 48);
  const Piece b = S("b\0\0\0\0\0\0\0");
  const Piece c = S("c\0\0\0\0\0\0\0");
  const Piece xyz = S("xyz\0\0\0\0\0");
  const Piece another_provider = W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{9} << 20);
  const std::string text = text_of(
      little_endian({W(kMagic), b3, b, xyz, b3, c, xyz, b3, b, xyz, another_provider, b3, b, xyz}));
  std::vector<std::string> chunks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("blob ");
    if (at == std::string::npos) continue;
    const size_t name = line.find('"');
    chunks.push_back(line.substr(name, line.find("  3 bytes") - name));
  }
  EXPECT_EQ(chunks, (std::vector<std::string>{
                        "\"b\"  type 1  chunk 1 at byte 0", "\"c\"  type 1  chunk 1 at byte 0",
                        "\"b\"  type 1  chunk 2 at byte 3", "\"b\"  type 1  chunk 1 at byte 0"}))
      << text;
}

TEST(HumanText, ShowsReferencesThatWereNeverRegistered) {
  const std::string text = text_of(little_endian(
      {W(kMagic), W(U{4} << 0 | U{3} << 4 | U{1} << 20 | U{9} << 24 | U{18} << 32 | U{17} << 48, 1),
       W(U{6} << 0 | U{1} << 4 | U{19} << 16 | U{20} << 32)}));
  EXPECT_TRUE(contains(text, "<thread 9?>  <string 18?> <string 17?>  <string 19?>=<string 20?>"));
}

TEST(Referents, RememberSoManyAndCountTheRest) {
  host::Referents referents;
  host::Record record;
  for (U koid = 0; koid < host::Referents::kMax + 3; ++koid) {
    record.content = host::KernelObject{koid, 2, {"n", {}, true}, {}};
    referents.learn(record);
  }
  EXPECT_EQ(referents.forgotten(), 3U);
  EXPECT_EQ(referents.kernel_object(host::Referents::kMax - 1), "n");
  EXPECT_EQ(referents.kernel_object(host::Referents::kMax), "");
}

TEST(HumanText, ShowsNamesForThreadsAndTimesInSeconds) {
  const std::string text = text_of(little_endian({
      W(kMagic),
      W(U{1} << 0 | U{2} << 4, 1000),
      W(U{7} << 0 | U{3} << 4 | U{2} << 16 | U{0x8006} << 24, 11),
      S("worker\0\0"),
      W(U{8} << 0 | U{6} << 4 | U{3} << 16 | U{3} << 24, 1500, 10, 11, 8, 9),
  }));
  EXPECT_TRUE(contains(text, "1.500000000  context switch    cpu 3   10:worker/11 (blocked"));
}

TEST(HumanText, WithoutAnInitializationATickIsANanosecond) {
  const std::string text =
      text_of(little_endian({W(kMagic), W(U{4} << 0 | U{4} << 4, 1'500'000'001, 10, 11)}));
  EXPECT_TRUE(contains(text, " 1.500000001  instant"));
}

TEST(HumanText, EveryGoldenHasOneLineARecord) {
  for (const Golden& one : goldens()) {
    const std::string text = text_of(little_endian(one.pieces));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
              std::count(one.json.begin(), one.json.end(), '\n'))
        << text;
  }
}

TEST(HumanText, ControlCharactersReachNoTerminal) {
  const std::string text = text_of(little_endian(
      {W(kMagic), W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{4} << 32), S("\x1b[2J\0\0\0\0")}));
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
}

TEST(Formatted, FillsInTextAndNumbers) {
  EXPECT_EQ(host::formatted("{}", ""), "");
  EXPECT_EQ(host::formatted("{}{} of {}", "all ", std::string_view("x"), std::string("y")),
            "all x of y");
  EXPECT_EQ(host::formatted("{}..{}", INT64_MIN, UINT64_MAX),
            "-9223372036854775808..18446744073709551615");
  EXPECT_EQ(host::formatted("{} {}", uint8_t{65}, int16_t{-1}), "65 -1");
  EXPECT_EQ(host::formatted("${{{}}}}}", "WORD"), "${WORD}}");
  std::string text = "a";
  host::append(text, " and {{}}, {}", 2U);
  EXPECT_EQ(text, "a and {}, 2");
}

TEST(Formatted, FillsUpToAWidth) {
  EXPECT_EQ(host::formatted("[{:4}] [{:<4}] [{:>4}] [{:1}]", "ab", "ab", "ab", "ab"),
            "[ab  ] [ab  ] [  ab] [ab]");
  EXPECT_EQ(host::formatted("[{:4}] [{:<4}] [{:>4}] [{:04}] [{:1}]", 42U, 42, 42U, 42U, 42),
            "[  42] [42  ] [  42] [0042] [42]");
  EXPECT_EQ(host::formatted("{:x} {:08x} {:02x}", UINT64_MAX, 0xbeefU, uint8_t{7}),
            "ffffffffffffffff 0000beef 07");
}

TEST(Formatted, PrintsDoublesAsPrintf) {
  EXPECT_EQ(
      host::formatted("{:.3f} {:+.1f} {:.0f} {:.10g} {:g} {}", 1.0 / 3, 0.25, 2.5, 0.1, 1e20, 0.5),
      "0.333 +0.2 2 0.1 1e+20 0.5");
  EXPECT_EQ(host::formatted("{:f}", -1e300).size(), 309U);
}

TEST(Formatted, CountsInSingularAndPlural) {
  EXPECT_EQ(host::counted(0, "record"), "0 records");
  EXPECT_EQ(host::counted(1, "record"), "1 record");
  EXPECT_EQ(host::counted(2, "entry", "entries"), "2 entries");
  EXPECT_EQ(host::counted(1, "entry", "entries"), "1 entry");
}

}  // namespace
}  // namespace barefxt::test::print_test
