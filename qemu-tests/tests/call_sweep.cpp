#include "call_sweep.h"

#include <gtest/gtest.h>
#include <sstream>

#include "image_code.h"
#include "key_values.h"
#include "qemu.h"

namespace barefxt::test {

uint32_t every_in_this_run() { return is_full_run() ? 1 : 13; }

CallSweep sweep_calls(const Image& image, const std::string& name, const std::string& what,
                      uint64_t interrupts) {
  Boot options = {.build = image.build, .image = name, .counting = true};
  CallSweep sweep;
  options.arguments = "mode=sweep sweep=" + what + " every=" + std::to_string(sweep.every);
  const Booted run = boot(options);
  const std::string console = read_file(run.uart);
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  bool is_complete = false;
  std::istringstream lines(console);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    is_complete = is_complete || line == "SWEEP end";
    if (first != "CALLS" && first != "HIT") continue;
    const KeyValues fields = read_key_values(words);
    if (first == "HIT") {
      for (uint64_t at = number(fields, "from"); at < number(fields, "to"); ++at)
        sweep.hits.insert(at);
      continue;
    }
    EXPECT_EQ(fields.at("result"), "ok") << line;
    sweep.interrupts += number(fields, "interrupts");
    sweep.ways.insert(fields.at("way"));
  }
  EXPECT_TRUE(is_complete) << console.substr(0, 2000);
  EXPECT_GT(sweep.interrupts * sweep.every, interrupts);
  return sweep;
}

CallCoverage coverage_of(const CallSweep& sweep, const Image& image, const std::string& name,
                         const std::function<bool(const std::string& function)>& is_meant,
                         const std::string& excepted_target,
                         const std::vector<ExceptedLine>& excepted_lines) {
  CallCoverage coverage;
  const std::string path = image_path(image.build, name);
  std::vector<uint64_t> missed;
  std::vector<std::string> texts;
  for (const Function& function : functions_of(path)) {
    if (!is_meant(function.name)) continue;
    for (const Instruction& instruction : function.instructions) {
      if (instruction.is_padding) continue;
      if (!excepted_target.empty() && instruction.text.find(excepted_target) != std::string::npos)
        continue;
      ++coverage.instructions;
      if (sweep.hits.count(instruction.address) != 0) {
        ++coverage.hit;
        continue;
      }
      missed.push_back(instruction.address);
      texts.push_back(function.name + ": " + instruction.text);
    }
  }
  const auto lines = lines_of(path, missed);
  for (size_t i = 0; i < missed.size(); ++i) {
    bool is_excepted = false;
    for (const SourceLine& line : lines[i]) {
      texts[i] += "\n    " + line.file.substr(line.file.rfind('/') + 1) + ": " + line.text;
      for (const ExceptedLine& excepted : excepted_lines)
        is_excepted = is_excepted || (line.file.substr(line.file.rfind('/') + 1) == excepted.file &&
                                      line.text.find(excepted.text) != std::string::npos);
    }
    if (is_excepted)
      --coverage.instructions;
    else
      coverage.missed.append(texts[i]).append("\n");
  }
  return coverage;
}

void expect_reached(const CallSweep& sweep, const CallCoverage& coverage, size_t never) {
  if (sweep.every == 1)
    EXPECT_LE(coverage.never(), never) << coverage.missed;
  else
    EXPECT_GT(2 * coverage.hit, coverage.instructions);
}

}  // namespace barefxt::test
