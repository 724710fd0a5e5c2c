#include "image_code.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "qemu.h"

namespace barefxt::test {
namespace {

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  for (size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) != 0;)
    output.append(buffer, got);
  pclose(pipe);
  return output;
}

std::string line_of_file(const std::string& path, unsigned line) {
  static std::map<std::string, std::vector<std::string>> files;
  std::vector<std::string>& lines = files[path];
  if (lines.empty()) {
    lines.emplace_back();  // lines count from 1
    std::istringstream text(read_file(path));
    for (std::string each; std::getline(text, each);) lines.push_back(each);
    if (line != 0 && lines.size() == 1)
      ADD_FAILURE() << "no source file " << path << ": the image was compiled in another folder";
  }
  return line < lines.size() ? lines[line] : std::string();
}

// "FILE:LINE:COLUMN"
SourceLine source_line(const std::string& place) {
  const size_t column = place.rfind(':');
  const size_t line = place.rfind(':', column - 1);
  if (column == std::string::npos || line == std::string::npos) return {place, 0, {}};
  SourceLine source;
  source.file = place.substr(0, line);
  source.line = static_cast<unsigned>(std::strtoul(place.c_str() + line + 1, nullptr, 10));
  source.text = line_of_file(source.file, source.line);
  return source;
}

// LLVM's does not know all that m68k has.
std::string disassembler_for(const std::string& image) {
  constexpr size_t kMachine = 19;  // the lower byte of a big-endian number
  constexpr char kM68k = 4;
  return read_file(image).at(kMachine) == kM68k ? "m68k-linux-gnu-objdump" : BAREFXT_OBJDUMP;
}

}  // namespace

std::vector<Function> functions_of(const std::string& image) {
  std::vector<Function> functions;
  std::istringstream lines(output_of(disassembler_for(image) + " -d --no-show-raw-insn " + image));
  for (std::string line; std::getline(lines, line);) {
    char* end = nullptr;
    const uint64_t address = std::strtoull(line.c_str(), &end, 16);
    const std::string rest = end;
    if (end == line.c_str()) continue;
    if (rest.compare(0, 2, " <") == 0 && rest.size() > 4) {
      functions.push_back({rest.substr(2, rest.size() - 4), {}});
    } else if (rest.compare(0, 1, ":") == 0 && !functions.empty()) {
      const size_t first = rest.find_first_not_of(" \t", 1);
      const std::string text = first == std::string::npos ? std::string() : rest.substr(first);
      // Literals between functions, as their bytes and what those mean; and a gap, as of zeros.
      if (text.find("\t.word") != std::string::npos || text.find("\t.short") != std::string::npos)
        continue;
      const bool padding = text.compare(0, 3, "nop") == 0 || text.compare(0, 3, "udf") == 0 ||
                           text.compare(0, 4, "int3") == 0 || text == "movs\tr0, r0" ||
                           text == "mov\tr8, r8";
      functions.back().instructions.push_back({address, text, padding});
    }
  }
  return functions;
}

std::vector<std::vector<SourceLine>> lines_of(const std::string& image,
                                              const std::vector<uint64_t>& addresses) {
  std::vector<std::vector<SourceLine>> all;
  // In pieces, as the command line has an end.
  constexpr size_t kPiece = 500;
  for (size_t from = 0; from < addresses.size(); from += kPiece) {
    std::ostringstream command;
    command << BAREFXT_SYMBOLIZER << " --inlines --functions=none --obj=" << image << std::hex;
    for (size_t i = from; i < addresses.size() && i < from + kPiece; ++i)
      command << " 0x" << addresses[i];
    std::istringstream lines(output_of(command.str()));
    std::vector<SourceLine> frames;
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) {
        frames.push_back(source_line(line));
      } else {
        all.push_back(frames);
        frames.clear();
      }
    }
  }
  all.resize(addresses.size());
  return all;
}

std::vector<Section> sections_of(const std::string& image) {
  std::vector<Section> sections;
  std::istringstream lines(output_of(std::string(BAREFXT_OBJDUMP) + " -h " + image));
  for (std::string line; std::getline(lines, line);) {
    // Number, name, size, address, kind.
    std::istringstream words(line);
    uint64_t number = 0;
    uint64_t address = 0;
    Section section = {};
    if (words >> std::dec >> number >> section.name >> std::hex >> section.bytes >> address >>
        section.kind)
      sections.push_back(section);
  }
  return sections;
}

uint64_t flash_bytes(const std::string& image) {
  uint64_t sum = 0;
  for (const Section& section : sections_of(image))
    if (section.kind == "TEXT" || section.kind == "DATA") sum += section.bytes;
  return sum;
}

uint64_t ram_bytes(const std::string& image) {
  uint64_t sum = 0;
  for (const Section& section : sections_of(image))
    if (section.name == ".data" || section.name == ".bss") sum += section.bytes;
  return sum;
}

uint64_t symbol_bytes(const std::string& image, const std::string& name) {
  std::istringstream lines(output_of(std::string(BAREFXT_OBJDUMP) + " -t " + image));
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos || line.size() < name.size() ||
        line.compare(line.size() - name.size(), name.size(), name) != 0)
      continue;
    return std::strtoull(line.c_str() + tab, nullptr, 16);
  }
  return 0;
}

}  // namespace barefxt::test
