#include "targets.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace barefxt::test {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool is_by_default(const Image& image, Portion least, const std::vector<std::string>& targets) {
  return image.portion >= least && (targets.empty() || std::find(targets.begin(), targets.end(),
                                                                 image.target) != targets.end());
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// "-smp 4": 4. Without that, one CPU.
unsigned cpus_in(const std::string& options) {
  const std::string key = "-smp ";
  const size_t at = options.find(key);
  return at == std::string::npos
             ? 1
             : static_cast<unsigned>(std::stoul(options.substr(at + key.size())));
}

std::vector<Image> read_images() {
  std::vector<Image> images;
  std::ifstream list(BAREFXT_TARGETS);
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> columns;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '|');) columns.push_back(trimmed(field));
    if (columns.size() == 6) columns.emplace_back();
    if (columns.size() != 7) throw std::runtime_error("not 6 or 7 columns: " + line);
    const std::vector<std::string> compilers = words_of(columns[1]);
    for (const std::string& compiler : compilers) {
      const bool is_sample = columns[5] == "none" && compiler == compilers.front();
      const Portion portion = compiler == columns[5] ? Portion::kAll
                              : is_sample            ? Portion::kSample
                              : columns[5] == "none" ? Portion::kNone
                                                     : Portion::kCosts;
      images.push_back({columns[0], compiler, columns[0] + (compiler == "gcc" ? "" : "-clang"),
                        columns[2], columns[3], columns[4], columns[6], cpus_in(columns[3]),
                        portion});
    }
  }
  return images;
}

}  // namespace

const std::vector<Image>& all_images() {
  static const std::vector<Image> images = read_images();
  return images;
}

std::vector<Image> images_of(const std::vector<std::string>& targets) {
  std::vector<Image> chosen;
  for (const Image& image : all_images()) {
    if (std::find(targets.begin(), targets.end(), image.target) != targets.end())
      chosen.push_back(image);
  }
  return chosen;
}

std::vector<Image> one_for_each_target(std::vector<Image> images) {
  std::erase_if(images, [](const Image& image) { return image.portion < Portion::kSample; });
  return images;
}

std::vector<Image> images_by_gcc() {
  std::vector<Image> images = all_images();
  std::erase_if(images, [](const Image& image) { return image.compiler != "gcc"; });
  return images;
}

std::vector<Image> images_by_default(Portion least, std::vector<Image> images,
                                     const std::vector<std::string>& targets) {
  std::erase_if(images, [&](const Image& image) { return !is_by_default(image, least, targets); });
  return images;
}

std::vector<Image> images_in_full(Portion least, std::vector<Image> images,
                                  const std::vector<std::string>& targets) {
  std::erase_if(images, [&](const Image& image) { return is_by_default(image, least, targets); });
  return images;
}

bool is_full_run() {
  const char* full = std::getenv("BAREFXT_FULL");
  return full != nullptr && std::string(full) == "1";
}

const Image& image_of_build(const std::string& build) {
  for (const Image& image : all_images())
    if (image.build == build) return image;
  throw std::runtime_error("no image of the build " + build + " in " + BAREFXT_TARGETS);
}

std::string test_name(const Image& image) {
  std::string name = image.target + "_" + (image.compiler == "gcc" ? "Gcc" : "Clang");
  // Only characters that may stand in a test's name.
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string name_of_image(const ::testing::TestParamInfo<Image>& info) {
  return test_name(info.param);
}

void PrintTo(const Image& image, std::ostream* out) { *out << image.build; }

}  // namespace barefxt::test
