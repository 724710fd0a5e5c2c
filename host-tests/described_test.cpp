// The command's own description: the manual page, and completions of shells.
#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <string>

namespace barefxt::test::described_test {
namespace {

std::string output_of(const std::string& line) {
  std::FILE* pipe = ::popen(line.c_str(), "r");  // NOLINT(cert-env33-c)
  std::string output;
  std::array<char, 4096> buffer;
  for (size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), got);
  EXPECT_EQ(::pclose(pipe), 0) << line;
  return output;
}

const std::string kCommand = BAREFXT_COMMAND;
const std::set<std::string> kVerbs = {"rebuild", "capture", "print",   "lint",   "stats",
                                      "report",  "open",    "convert", "doctor", "explain"};

// Completions that bash offers for the last of the words.
std::string completed(const std::string& words) {
  return output_of("bash -c '. <(" + kCommand + " --completion bash); COMP_WORDS=(" + words +
                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _barefxt; echo \"${COMPREPLY[*]}\"'");
}

TEST(Described, TheManualPageNamesEveryVerbAndOptionThatHelpLists) {
  std::string page = output_of(kCommand + " --man | groff -man -Tascii -P-cbou");
  // Lines are broken at hyphens, too.
  page = std::regex_replace(page, std::regex("-\n *"), "-");
  for (const std::string& verb : kVerbs) {
    EXPECT_NE(page.find("barefxt " + verb), std::string::npos) << verb;
    const std::string help = output_of(kCommand + " " + verb + " --help");
    const std::regex option("(^|[ ,])(--[a-z-]+)");
    size_t options = 0;
    for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
      EXPECT_NE(page.find((*found)[2].str()), std::string::npos) << (*found)[2];
      ++options;
    }
    EXPECT_GE(options, 2u) << verb;
  }
}

TEST(Described, TheManualPageIsCleanTroff) {
  EXPECT_EQ(output_of(kCommand + " --man | groff -man -ww -Tascii 2>&1 >/dev/null"), "");
}

TEST(Described, BashCompletesVerbsOptionsAndValues) {
  EXPECT_EQ(completed("barefxt capt"), "capture\n");
  EXPECT_EQ(completed("barefxt --ver"), "--version\n");
  EXPECT_EQ(completed("barefxt rebuild --by"), "--byte-order\n");
  EXPECT_EQ(completed("barefxt rebuild --byte-order \"\""), "little big\n");
  EXPECT_EQ(completed("barefxt capture --flow x"), "xonxoff\n");
  EXPECT_EQ(completed("barefxt rebuild /dev/nul"), "/dev/null\n");
  EXPECT_EQ(completed("barefxt rebuild -o /dev/nul"), "/dev/null\n");
  EXPECT_EQ(completed("barefxt nonsense"), "\n");
}

TEST(Described, ZshCompletesVerbsOptionsAndValues) {
  const std::string script = output_of(kCommand + " --completion zsh");
  for (const std::string& verb : kVerbs)
    EXPECT_NE(script.find("'" + verb + ":"), std::string::npos) << verb;
  EXPECT_NE(script.find("*--flow["), std::string::npos);
  EXPECT_NE(script.find(":value:(none rtscts xonxoff)"), std::string::npos);
  EXPECT_EQ(output_of(kCommand + " --completion zsh | zsh -n /dev/stdin 2>&1"), "");
  // The arguments that zsh's own _arguments gets for one verb.
  const std::string described = output_of(
      "zsh -fc '_arguments() { print -rl -- \"$@\" }; words=(barefxt lint \"\"); CURRENT=3; "
      ". <(" +
      kCommand + " --completion zsh)'");
  EXPECT_NE(described.find("*--json["), std::string::npos) << described;
  EXPECT_NE(described.find("*:file:_files"), std::string::npos) << described;
}

}  // namespace
}  // namespace barefxt::test::described_test
