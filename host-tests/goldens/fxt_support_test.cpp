// docs/reference/fxt-support.md is right and complete: every name in it exists in the file of its
// column, and every record and field of the code is in it.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <barefxt/host/lint.h>

#include "contains.h"
#include "goldens.h"

namespace barefxt::test::fxt_support_test {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path source(const std::string& path) { return fs::path(BAREFXT_SOURCE_DIR) / path; }

std::string all_of(const std::string& folder) {
  std::string text;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source(folder)))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
      text += read_text(entry.path());
  return text;
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (!is_part(at - 1) && !is_part(at + word.size())) return true;
  return false;
}

// The words between backticks.
std::vector<std::string> names(const std::string& cell) {
  std::vector<std::string> found;
  static const std::regex kName("`([^`]+)`");
  for (std::sregex_iterator at(cell.begin(), cell.end(), kName), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

using Row = std::map<std::string, std::string>;  // by the column's title

// The tables of the page by the title of their section.
std::map<std::string, std::vector<Row>> read_page() {
  std::map<std::string, std::vector<Row>> tables;
  std::istringstream page(read_text(source("docs/reference/fxt-support.md")));
  std::string section;
  std::vector<std::string> titles;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (!line.starts_with("|")) {
      titles.clear();
      continue;
    }
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(trimmed(cell));
    if (titles.empty()) {
      titles = cells;
    } else if (!cells[0].starts_with("---")) {
      EXPECT_EQ(cells.size(), titles.size()) << line;
      Row fields;
      for (size_t i = 0; i < std::min(cells.size(), titles.size()); ++i)
        fields[titles[i]] = cells[i];
      tables[section].push_back(fields);
    }
  }
  return tables;
}

std::vector<std::string> column(const std::vector<Row>& rows, const std::string& title) {
  std::vector<std::string> cells;
  for (const Row& row : rows) {
    if (row.contains(title)) cells.push_back(row.at(title));
  }
  EXPECT_FALSE(cells.empty()) << title;
  return cells;
}

std::string json_of_goldens() {
  std::string json;
  for (const Golden& golden : goldens()) json += golden.json;
  return json;
}

class FxtSupportTest : public ::testing::Test {
 protected:
  const std::map<std::string, std::vector<Row>> page_ = read_page();

  std::set<std::string> named(const std::string& section, const std::string& title) const {
    std::set<std::string> all;
    for (const std::string& cell : column(page_.at(section), title))
      for (const std::string& name : names(cell)) all.insert(name);
    return all;
  }
};

TEST_F(FxtSupportTest, WhatTheTargetWritesIsWrittenInQemu) {
  const std::string interface = all_of("runtime/include/barefxt");
  const std::string workload = all_of("qemu-tests/workload");
  std::set<std::string> documented = named("Records", "on the target");
  documented.merge(named("Events", "on the target"));
  documented.merge(named("Arguments", "name interned"));
  documented.merge(named("Arguments", "name inline"));
  documented.merge(named("References", "on the target"));
  for (const std::string& name : documented) {
    EXPECT_TRUE(has_word(interface, name)) << name << " is in no header of the runtime";
    EXPECT_TRUE(has_word(workload, name)) << name << " is written nowhere in QEMU";
  }
  // Every macro and function that writes a record, by its name in the headers.
  static const std::regex kWriter(
      "#define (BAREFXT_(?!ARG_DOUBLE\\b|TEXT|CATEGORY|ENABLED|STRING|STATIC)[A-Z0-9_]*[A-Z0-9])\\("
      "|\\b(barefxt_arg_[a-z0-9_]+)\\(");
  std::string probes = read_text(source("runtime/include/barefxt/probe.h")) +
                       read_text(source("runtime/include/barefxt/probe_records.h")) +
                       read_text(source("runtime/include/barefxt/argument_c.h"));
  for (std::sregex_iterator at(probes.begin(), probes.end(), kWriter), end; at != end; ++at) {
    const std::string name = (*at)[1].matched ? (*at)[1] : (*at)[2];
    EXPECT_TRUE(documented.contains(name)) << name << " is not on the page";
  }
}

TEST_F(FxtSupportTest, WhatTheHostWritesIsAMemberOfTheArchiveWriter) {
  const std::string writer = read_text(source("host/include/barefxt/host/archive_writer.h"));
  const std::string tests = all_of("host-tests");
  std::set<std::string> documented = named("Records", "on the host");
  for (const std::string& name : documented) {
    EXPECT_TRUE(std::regex_search(writer, std::regex("  .*\\b" + name + "\\("))) << name;
    EXPECT_TRUE(has_word(tests, name)) << name << " is in no test";
  }
  for (const std::string& name : named("Arguments", "on the host"))
    EXPECT_TRUE(std::regex_search(writer, std::regex("static ArchiveArgument " + name + "\\(")))
        << name;
}

TEST_F(FxtSupportTest, WhatIsReadIsATypeOfTheReadersAndNoneIsMissing) {
  const std::string record = read_text(source("host/include/barefxt/host/record.h"));
  std::smatch variant;
  ASSERT_TRUE(
      std::regex_search(record, variant, std::regex("using Content =\\s*std::variant<([^>]*)>")));
  std::set<std::string> types;
  const std::string list = variant[1];
  static const std::regex kWord("\\w+");
  for (std::sregex_iterator at(list.begin(), list.end(), kWord), end; at != end; ++at)
    types.insert(at->str());
  EXPECT_EQ(named("Records", "read as"), types);
}

TEST_F(FxtSupportTest, WhatIsPrintedIsInAGolden) {
  const std::string json = json_of_goldens();
  // No golden is malformed: what is wrong with an archive is made from them by cutting and
  // flipping.
  for (const std::string& name : named("Records", "JSON"))
    if (name != "malformed") {
      EXPECT_TRUE(contains(json, "\"record\":\"" + name + "\"")) << name;
    }
  for (const std::string& name : named("Events", "JSON"))
    EXPECT_TRUE(contains(json, "\"event\":\"" + name + "\"")) << name;
  for (const std::string& name : named("Arguments", "JSON"))
    EXPECT_TRUE(contains(json, "\"type\":\"" + name + "\"")) << name;
  for (const std::string& name : named("Fields", "shown as"))
    if (name != "reserved-bits") {
      EXPECT_TRUE(contains(json, "\"" + name + "\":")) << name;
    }
}

TEST_F(FxtSupportTest, TheGoldensAndTheRulesOfLintExist) {
  std::set<std::string> known;
  for (const Golden& golden : goldens()) known.emplace(golden.name);
  std::set<std::string> documented;
  for (const auto& [section, rows] : page_)
    for (const Row& row : rows)
      if (row.contains("golden")) documented.insert(row.at("golden"));
  documented.erase("");
  documented.erase("every golden");
  for (const std::string& name : documented)
    EXPECT_TRUE(known.contains(name)) << "no golden: " << name;

  std::set<std::string> rules;
  for (const host::Rule& rule : host::lint_rules()) rules.emplace(rule.name);
  std::set<std::string> named_rules = named("Dialects and liberties", "lint");
  named_rules.insert("reserved-bits");
  for (const std::string& name : named_rules) EXPECT_TRUE(rules.contains(name)) << name;
}

TEST_F(FxtSupportTest, TheFieldsAreThoseOfTheHeadersBitForBit) {
  static const std::regex kStruct("^struct (\\w+)");
  static const std::regex kField("^  using (\\w+) = (Field|Reserved)<(\\d+), (\\d+)>");
  std::set<std::string> defined;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(source("runtime/include/barefxt/fxt"))) {
    // Records that never leave a ring are not part of the format.
    if (entry.path().filename() == "ring_record.h") continue;
    std::istringstream lines(read_text(entry.path()));
    std::string current;
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (std::regex_search(line, match, kStruct)) current = match[1];
      if (std::regex_search(line, match, kField))
        defined.insert(entry.path().filename().string() + " " + current + "." + match[1].str() +
                       " " + match[3].str() + ".." + match[4].str());
    }
  }
  std::set<std::string> documented;
  for (const Row& row : page_.at("Fields"))
    documented.insert(names(row.at("header")).at(0) + " " + names(row.at("field")).at(0) + " " +
                      row.at("bits"));
  EXPECT_EQ(documented, defined);
}

}  // namespace
}  // namespace barefxt::test::fxt_support_test
