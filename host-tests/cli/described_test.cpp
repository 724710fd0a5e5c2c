// The command's own description: the manual page, and completions of shells.
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "cli/shell_line.h"
#include "contains.h"

namespace barefxt::test::described_test {
namespace {

std::string output_of(const std::string& line) {
  const LineResult ran = run_line(line);
  EXPECT_EQ(ran.status, 0) << line;
  return ran.output;
}

const std::string kCommand = BAREFXT_COMMAND;
const std::set<std::string> kVerbs = {"rebuild", "capture", "print",   "lint",   "stats",
                                      "report",  "open",    "convert", "doctor", "top",
                                      "explain", "check",   "learn",   "profile"};

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
    EXPECT_TRUE(contains(page, "barefxt " + verb)) << verb;
    const std::string help = output_of(kCommand + " " + verb + " --help");
    const std::regex option("(^|[ ,])(--[a-z-]+)");
    size_t options = 0;
    for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
      EXPECT_TRUE(contains(page, (*found)[2].str())) << (*found)[2];
      ++options;
    }
    EXPECT_GE(options, 2u) << verb;
  }
}

// One language: docs/reference/command.md shows each change of it.
TEST(Described, HelpIsOfOneForm) {
  for (const std::string& verb : kVerbs) {
    const std::string help = output_of(kCommand + " " + verb + " --help");
    std::istringstream lines(help);
    std::string usage;
    std::string entry;
    std::set<std::string> required;
    bool is_among_arguments = false;
    const std::regex argument("  [A-Z]+([.]{3})?  .*");
    const std::regex option("  (-o, )?(--[a-z-]+)( [^ ].*?)?(  .*)?");
    const std::regex value(" (([a-z]+=)?[A-Z][A-Z,.:]*|[A-Z]+ [A-Z]+|[a-z0-9-]+([|][a-z0-9-]+)+)");
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
      if (line.starts_with("Usage: ")) usage = line;
      std::smatch parts;
      if (std::regex_match(line, parts, option)) {
        entry = parts[2];
        const std::string placeholder = parts[3];
        const bool is_one = placeholder.empty() || std::regex_match(placeholder, value);
        EXPECT_TRUE(is_one) << verb << " " << line;
      }
      if (line.find("(required)") != std::string::npos) required.insert(entry);
      // Arguments stand above the options, wherever the verb can do without them.
      const bool is_argument = std::regex_match(line, argument);
      EXPECT_TRUE(!is_argument || is_among_arguments || verb == "capture" || verb == "top") << line;
      if (line == "Arguments:") is_among_arguments = true;
      if (line == "Options:") is_among_arguments = false;
      // Defaults have one form.
      EXPECT_TRUE(lacks(line, "default ")) << verb << " ";
      EXPECT_TRUE(lacks(line, "; default")) << verb << " ";
      // Defaults stand at the end of a description, where the parser's own values stand.
      const size_t preset = line.find("(default: ");
      const size_t end = preset == std::string::npos ? preset : line.find(')', preset);
      EXPECT_TRUE(end == std::string::npos || end + 1 == line.size()) << verb << " " << line;
    }
    required.erase("");
    for (const std::string& name : required) EXPECT_TRUE(contains(usage, " " + name + " "));
    const size_t examples = help.find("\n\nExamples:\n  barefxt " + verb + " ");
    ASSERT_NE(examples, std::string::npos) << verb;
    EXPECT_NE(help.find("\n  barefxt " + verb + " ", examples + 16), std::string::npos) << verb;
    EXPECT_TRUE(contains(help, "\nExit status: 0 done")) << verb;
  }
}

// They work for one version more, and say what to write instead.
TEST(Described, OldSpellingsWarn) {
  const std::string folder = output_of("mktemp -d");
  const std::string in = folder.substr(0, folder.size() - 1) + "/in.fxt";
  (void)output_of("printf '\\020\\0\\04\\106\\170\\124\\026\\0' >" + in);
  const auto warned = [&](const std::string& arguments) {
    return output_of(kCommand + " " + arguments + " 2>&1 >/dev/null");
  };
  for (const std::string verb : {"print", "lint", "stats"}) {
    EXPECT_EQ(warned(verb + " " + in), "");
    const std::string text = warned(verb + " --byte-order little " + in);
    EXPECT_TRUE(contains(text, "--byte-order is an old spelling"));
    EXPECT_TRUE(contains(text, "use --input-byte-order"));
    EXPECT_TRUE(lacks(output_of(kCommand + " " + verb + " --help"), " --byte-order"));
  }
  // `convert` means the output by it with --to fxt, else the input.
  (void)warned("convert --byte-order big --to fxt -o " + in + ".big " + in);
  EXPECT_EQ(output_of("od -An -tx1 " + in + ".big"), " 00 16 54 78 46 04 00 10\n");
  EXPECT_TRUE(contains(
      warned("convert --byte-order big --to chrome-json -o " + in + ".json " + in + ".big"),
      "--input-byte-order"));
  (void)output_of("rm -r " + folder);
}

TEST(Described, TheManualPageIsCleanTroff) {
  EXPECT_EQ(output_of(kCommand + " --man | groff -man -ww -Tascii 2>&1 >/dev/null"), "");
}

TEST(Described, BashCompletesVerbsOptionsAndValues) {
  EXPECT_EQ(completed("barefxt capt"), "capture\n");
  EXPECT_EQ(completed("barefxt --ver"), "--version\n");
  EXPECT_EQ(completed("barefxt rebuild --outp"), "--output --output-byte-order\n");
  EXPECT_EQ(completed("barefxt rebuild --output-byte-order \"\""), "little big\n");
  EXPECT_EQ(completed("barefxt convert --to p"), "perfetto parquet\n");
  EXPECT_EQ(completed("barefxt lint --thr"), "--thread\n");
  EXPECT_EQ(completed("barefxt stats --color a"), "auto always\n");
  EXPECT_EQ(completed("barefxt capture --flow x"), "xonxoff\n");
  EXPECT_EQ(completed("barefxt rebuild /dev/nul"), "/dev/null\n");
  EXPECT_EQ(completed("barefxt rebuild -o /dev/nul"), "/dev/null\n");
  EXPECT_EQ(completed("barefxt nonsense"), "\n");
}

TEST(Described, ZshCompletesVerbsOptionsAndValues) {
  const std::string script = output_of(kCommand + " --completion zsh");
  for (const std::string& verb : kVerbs) EXPECT_TRUE(contains(script, "'" + verb + ":")) << verb;
  EXPECT_TRUE(contains(script, "*--flow["));
  EXPECT_TRUE(contains(script, ":value:(none rtscts xonxoff)"));
  EXPECT_EQ(output_of(kCommand + " --completion zsh | zsh -n /dev/stdin 2>&1"), "");
  // The arguments that zsh's own _arguments gets for one verb.
  const std::string described = output_of(
      "zsh -fc '_arguments() { print -rl -- \"$@\" }; words=(barefxt lint \"\"); CURRENT=3; "
      ". <(" +
      kCommand + " --completion zsh)'");
  EXPECT_TRUE(contains(described, "*--json["));
  EXPECT_TRUE(contains(described, "*:file:_files"));
}

}  // namespace
}  // namespace barefxt::test::described_test
