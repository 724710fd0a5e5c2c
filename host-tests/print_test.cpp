// How records look as text.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include <barefxt/host/json.h>

#include "goldens.h"
#include "printing.h"

namespace barefxt::test {
namespace {

using U = std::uint64_t;

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
  EXPECT_EQ(quoted("a\"\\\n\r\t\x01\x1f\x7f/"), "\"a\\\"\\\\\\n\\r\\t\\u0001\\u001f\x7f/\"");
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
  const std::string json = json_of(little_endian({W(kMagic), W(U{1} | U{2} << 4), W(9)}), {}, true);
  EXPECT_EQ(json, R"({"offset":0,"record":"magic","raw":"EAAERnhUFgA="}
{"offset":8,"record":"initialization","ticks_per_second":9,"raw":"IQAAAAAAAAAJAAAAAAAAAA=="}
)");
}

TEST(JsonLines, MalformedPlacesSayWhyAndShowTheirBytes) {
  EXPECT_EQ(json_of(little_endian({W(kMagic), W(0)})), R"({"offset":0,"record":"magic"}
{"offset":8,"record":"malformed","bytes":8,"why":"a record of size 0","raw":"AAAAAAAAAAA="}
)");
}

TEST(HumanText, ShowsNamesForThreadsAndTimesInSeconds) {
  const std::string text = text_of(little_endian({
      W(kMagic),
      W(U{1} << 0 | U{2} << 4),
      W(1000),
      W(U{7} << 0 | U{3} << 4 | U{2} << 16 | U{0x8006} << 24),
      W(11),
      S("worker\0\0"),
      W(U{8} << 0 | U{6} << 4 | U{3} << 16 | U{3} << 24),
      W(1500),
      W(10),
      W(11),
      W(8),
      W(9),
  }));
  EXPECT_NE(text.find("1.500000000  context switch    cpu 3   10:worker/11 (blocked"),
            std::string::npos)
      << text;
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

}  // namespace
}  // namespace barefxt::test
