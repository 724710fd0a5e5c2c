// Programs with more and more symbols of functions.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include <barefxt/host/function_names.h>
#include <barefxt/host/instrumentation_map.h>
#include <barefxt/host/interrupt_names.h>

#include "grown.h"
#include "hostile/function_elf.h"
#include "image/memory_builder.h"

namespace barefxt::test {
namespace {

void use_program(const Bytes& file, unsigned functions) {
  const auto elf = host::ElfFile::parse(file, "program");
  if (!elf.ok()) std::abort();
  const auto names = host::FunctionNames::read(elf.value());
  const auto map = host::InstrumentationMap::read(elf.value(), "program");
  if (!names || !map.ok()) std::abort();
  for (unsigned i = 1; i <= functions; ++i) {
    (void)names->name(i);
    (void)map.value().name(i);
  }
}

}  // namespace

std::vector<Grown> grown_programs() {
  using Name = std::function<size_t(std::string & names, unsigned index)>;
  const std::pair<const char*, Name> kinds[] = {
      {"OneName", [](std::string&, unsigned) { return size_t{26}; }},
      {"ManyNames",
       [](std::string& names, unsigned i) {
         const size_t at = names.size();
         names += "_Z" + std::to_string(9 + std::to_string(i).size()) + "function_" +
                  std::to_string(i) + "v" + '\0';
         return at;
       }},
      {"EndsOfOneName", [](std::string&, unsigned i) { return size_t{26 + i}; }},
      {"NamesThatDouble",
       [](std::string& names, unsigned) {
         const size_t at = names.size();
         names += doubling_name(9) + '\0';
         return at;
       }},
  };
  std::vector<Grown> all;
  for (const auto& [name, kind] : kinds)
    all.push_back({std::string("Program") + name, 1, false,
                   [symbol = kind](size_t size) -> std::function<void()> {
                     const auto count = static_cast<unsigned>(size / 64);
                     std::string names("\0__cyg_profile_func_enter\0", 26);
                     names += std::string(size, 'q') + '\0';
                     std::vector<FunctionSymbol> symbols = {{1, 0x10000}};
                     std::vector<uint64_t> map;
                     for (unsigned i = 1; i <= count; ++i) {
                       symbols.push_back({symbol(names, i), 0x10000 + 16 * i});
                       map.push_back(0x10000 + 16 * i);
                     }
                     const auto file =
                         std::make_shared<const Bytes>(function_elf(names, symbols, map));
                     return [file, count] { use_program(*file, count); };
                   },
                   SIZE_MAX, 64});
  // Parts of a program for ARM, none of which begins with a table of vectors.
  all.push_back({"ProgramManySegments", 20, false, [](size_t size) -> std::function<void()> {
                   std::vector<TestLoad> loads;
                   for (uint64_t i = 0; i < std::min<size_t>(size / 64, 65535); ++i)
                     loads.push_back({16 * i, 16 * i, Bytes(16, 4)});
                   constexpr unsigned kArm = 40;
                   const auto file =
                       std::make_shared<const Bytes>(make_elf(loads, false, 32, {}, false, kArm));
                   return [file] {
                     const auto elf = host::ElfFile::parse(*file, "program");
                     if (!elf.ok() || !host::InterruptNames::read(elf.value()).empty())
                       std::abort();
                   };
                 }});
  return all;
}

}  // namespace barefxt::test
