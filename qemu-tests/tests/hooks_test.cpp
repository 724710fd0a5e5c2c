// The costs of the hooks of port/rtos: instructions of each, counted in stand-ins for the kernels,
// and the flash and RAM that an image grows by (qemu-tests/hooks). Each kernel's README has the
// figures in tables that are written here, and checked.

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

#include "costs_file.h"
#include "image_code.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

const char* const kBuild = "cortex-m3";
// Sizes in image.c, the application's choice.
constexpr uint64_t kRingBytes = 8192;

// An operation, or a kind of image, and its figures.
struct Row {
  std::string name;
  std::vector<double> figures;
};
using Rows = std::vector<Row>;

struct Kernel {
  const char* name;
  std::vector<std::string> levels;  // besides the one that has all
  double most_of_a_switch = 250;    // instructions
};
void PrintTo(const Kernel& kernel, std::ostream* out) { *out << kernel.name; }

std::map<std::string, double> instructions_of(const std::string& image,
                                              const std::string& build = kBuild) {
  const Booted run = boot({.build = build, .image = image, .counting = true});
  const std::string console = read_file(run.uart);
  EXPECT_EQ(run.status, 0) << image << "\n" << read_file(run.file("qemu.log")) << console;
  EXPECT_TRUE(contains(console, "COST end")) << image;
  return read_costs(console);
}

// Instructions that the hooks add to each operation, by level, and where nothing is recorded.
Rows count_instructions(const Kernel& kernel) {
  const std::string image = std::string("hooks_") + kernel.name;
  const auto without = instructions_of(image + "_without");
  std::vector<std::map<std::string, double>> with = {instructions_of(image)};
  EXPECT_EQ(instructions_of(image), with[0]) << "counts differ from run to run";
  for (const std::string& level : kernel.levels)
    with.push_back(instructions_of(std::string(image).append("_").append(level)));
  Rows rows;
  for (const auto& [operation, own] : without) {
    Row row = {operation, {}};
    for (const auto& costs : with) row.figures.push_back(std::round(costs.at(operation) - own));
    row.figures.push_back(std::round(with[0].at(operation + "_off") - own));
    rows.push_back(row);
  }
  return rows;
}

// Flash and RAM, rings apart, that the image grows by, for each build.
Rows measure_sizes(const Kernel& kernel) {
  const std::string image = std::string("size_") + kernel.name + "_";
  const std::string without = image_path(kBuild, image + "without");
  EXPECT_GT(flash_bytes(without), 900u) << "no application";
  Rows rows;
  const auto add = [&](const std::string& name, const std::string& how, uint64_t rings) {
    const std::string with = image_path(kBuild, image + how);
    const uint64_t flash = flash_bytes(with) - flash_bytes(without);
    const uint64_t ram = ram_bytes(with) - rings - ram_bytes(without);
    rows.push_back({name, {static_cast<double>(flash), static_cast<double>(ram)}});
  };
  const std::pair<const char*, const char*> runtimes[] = {
      {"defaults", "default"}, {"`BAREFXT_SMALL=1`", "small"}, {"`BAREFXT_SMALL=2`", "smallest"}};
  for (const auto& [name, how] : runtimes) add(name, how, kRingBytes);
  for (const std::string& level : kernel.levels)
    for (const auto& [name, how] : runtimes)
      add(std::string(name) + ", level `" + level + "`", level + "_" + how, kRingBytes);
  add("`BAREFXT_DISABLED=1`", "disabled", 0);
  return rows;
}

void write_row(std::ostream& out, const Row& row) {
  out << "| " << row.name;
  for (const double figure : row.figures) out << " | " << static_cast<int64_t>(figure);
  out << " |\n";
}

// Between the two comments in the README.
std::string table_of(const Kernel& kernel, const Rows& sizes, const Rows& instructions) {
  std::ostringstream out;
  out << "Bytes by which an image with start, stop and dump grows, linked for one Cortex-M3 by GCC "
         "at "
         "-Os; the rings come\non top of the RAM:\n\n"
         "| built with | flash | RAM |\n|---|---|---|\n";
  for (const Row& row : sizes) write_row(out, row);
  out << "\nInstructions that the hooks add on Cortex-M3, GCC at -O2, by QEMU's count:\n\n| "
         "operation | "
      << (kernel.levels.empty() ? "recorded" : "level `all`");
  for (const std::string& level : kernel.levels) out << " | `" << level << "`";
  out << " | stopped |\n|---|---|---|";
  for (size_t i = 0; i < kernel.levels.size(); ++i) out << "---|";
  out << "\n";
  for (Row row : instructions) {
    for (char& c : row.name)
      if (c == '_') c = ' ';
    write_row(out, row);
  }
  return out.str();
}

// Those that have figures.
std::map<std::string, std::vector<double>> rows_in(const std::string& table) {
  std::map<std::string, std::vector<double>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string cell;
    std::vector<std::string> all;
    while (std::getline(cells, cell, '|')) all.push_back(cell);
    if (all.size() < 3) continue;
    std::vector<double> figures;
    for (size_t i = 2; i < all.size(); ++i) {
      char* end = nullptr;
      const double figure = std::strtod(all[i].c_str(), &end);
      if (end != all[i].c_str()) figures.push_back(figure);
    }
    if (!figures.empty()) rows[all[1]] = figures;
  }
  return rows;
}

constexpr const char* kTableBegin = "<!-- hooks_test.cpp writes this -->\n";
constexpr const char* kTableEnd = "<!-- to here -->\n";

void expect_in_readme(const Kernel& kernel, const std::string& table) {
  const std::string path = std::string(BAREFXT_SOURCE) + "/port/rtos/" + kernel.name + "/README.md";
  std::string page = read_file(path);
  const size_t begin = page.find(kTableBegin);
  const size_t end = page.find(kTableEnd);
  ASSERT_NE(begin, std::string::npos) << path;
  ASSERT_NE(end, std::string::npos) << path;
  const size_t text = begin + std::string(kTableBegin).size();
  if (std::getenv("BAREFXT_WRITE_COST_BASELINE") != nullptr) {
    write_file(path, page.replace(text, end - text, "\n" + table + "\n"));
    return;
  }
  const auto stated = rows_in(page.substr(text, end - text));
  const auto now = rows_in(table);
  for (const auto& [name, figures] : now) {
    const auto row = stated.find(name);
    if (row == stated.end() || row->second.size() != figures.size()) {
      ADD_FAILURE() << path << " has no such row: " << name;
      continue;
    }
    for (size_t i = 0; i < figures.size(); ++i)
      EXPECT_NEAR(figures[i], row->second[i], 1 + (kWorse - 1) * std::abs(row->second[i]))
          << path << ", " << name;
  }
  EXPECT_EQ(stated.size(), now.size()) << path << " has rows that nothing is measured for";
  if (::testing::Test::HasFailure())
    std::printf("HooksTest with BAREFXT_WRITE_COST_BASELINE=1 writes the tables. They are:\n%s\n",
                table.c_str());
}

void note(const Kernel& kernel, const Rows& sizes, const Rows& instructions) {
  Json entries = Json::array();
  for (const Row& row : instructions) {
    Json entry = {{"target", kBuild},
                  {"compiler", "gcc"},
                  {"record", std::string(kernel.name) + "_" + row.name},
                  {"instructions", row.figures.front()},
                  {"instructions_stopped", row.figures.back()}};
    for (size_t i = 0; i < kernel.levels.size(); ++i)
      entry["instructions_" + kernel.levels[i]] = row.figures[i + 1];
    entries.push_back(entry);
  }
  for (const Row& row : sizes)
    entries.push_back({{"target", kBuild},
                       {"compiler", "gcc"},
                       {"record", std::string(kernel.name) + " image, " + row.name},
                       {"flash_bytes", row.figures[0]},
                       {"ram_bytes", row.figures[1]}});
  note_costs(entries);
}

constexpr double kMaxZephyrSwitch = 120;
// No pair of operations costs more instructions than this.
constexpr double kMaxOfAPair = 180;

class HooksTest : public ::testing::TestWithParam<Kernel> {};

TEST_P(HooksTest, CostWhatTheReadmeSays) {
  const Kernel& kernel = GetParam();
  const Rows sizes = measure_sizes(kernel);
  const Rows instructions = count_instructions(kernel);
  ASSERT_GT(instructions.size(), 7u);
  for (const Row& row : instructions) {
    if (row.name == "two_switches") {
      EXPECT_GT(row.figures[0], 2 * 40) << "a wrong count";
      EXPECT_LE(row.figures[0], 2 * kernel.most_of_a_switch);
    }
    if (row.name != "mutex_pair") continue;
    for (const double figure : row.figures) EXPECT_LE(figure, kMaxOfAPair);
  }
  // Nothing is left of a build without tracing.
  EXPECT_EQ(sizes.back().figures, (std::vector<double>{0, 0}));
  EXPECT_GT(sizes.front().figures[0], 8000) << "a wrong count";
  expect_in_readme(kernel, table_of(kernel, sizes, instructions));
  note(kernel, sizes, instructions);
}

const Kernel kKernels[] = {{"freertos", {"waits", "switches"}},
                           {"threadx", {}},
                           {"lk", {}},
                           {"nuttx", {}},
                           {"zephyr", {}, kMaxZephyrSwitch}};
// The target's label is found in the name.
INSTANTIATE_TEST_SUITE_P(Hooks, HooksTest, ::testing::ValuesIn(kKernels), [](const auto& kernel) {
  return std::string("cortex_m3_Gcc_") + kernel.param.name;
});

// Besides Cortex-M3, which the table is of.
class ZephyrSwitchTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ZephyrSwitchTest, TakesNoMoreThanItMay) {
  const auto count = [](const char* image) {
    return instructions_of(image, GetParam()).at("two_switches");
  };
  const double one = (count("hooks_zephyr") - count("hooks_zephyr_without")) / 2;
  std::printf("zephyr_switch %g\n", one);
  EXPECT_GT(one, 40) << "a wrong count";
  EXPECT_LE(one, kMaxZephyrSwitch);
}

INSTANTIATE_TEST_SUITE_P(Hooks, ZephyrSwitchTest, ::testing::Values("aarch64", "rv32"),
                         [](const auto& build) { return std::string(build.param) + "_Gcc"; });

}  // namespace
}  // namespace barefxt::test
