// XML as the command writes it, read in the plainest way: elements, attributes in double quotes,
// text in elements. Anything that XML 1.0 does not allow is a problem.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace barefxt::test {

struct PlainXml {
  std::string problem;  // the first; empty where there is none
  std::map<std::string, size_t> elements;
  // The last element's of each name.
  std::map<std::pair<std::string, std::string>, std::string> attributes;

  explicit PlainXml(std::string bytes) : text_(std::move(bytes)), rest_(text_) {
    check_characters();
    std::vector<std::string> open;
    constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    if (!take(kHead)) fail("no declaration");
    while (problem.empty()) {
      while (take("\n")) continue;
      if (rest_.empty()) break;
      if (take("</")) {
        if (open.empty() || name() != open.back() || !take(">")) fail("an end of something else");
        if (!open.empty()) open.pop_back();
      } else if (take("<")) {
        if (open.empty() && !elements.empty()) fail("a second root");
        open.push_back(element());
        if (take("/>"))
          open.pop_back();
        else if (!take(">"))
          fail("a tag without an end");
      } else if (open.empty()) {
        fail("text outside of elements");
      } else {
        character();
      }
    }
    if (!open.empty()) fail("an element without an end");
  }

  size_t count(const std::string& element) const {
    const auto found = elements.find(element);
    return found == elements.end() ? 0 : found->second;
  }
  std::string attribute(const std::string& element, const std::string& name) const {
    const auto found = attributes.find({element, name});
    return found == attributes.end() ? std::string() : found->second;
  }

 private:
  void fail(const std::string& what) {
    if (problem.empty()) problem = "XML: " + what + " at " + std::string(rest_.substr(0, 40));
  }
  void check_characters() {
    if (!nlohmann::json::accept('"' + escaped_for_json() + '"')) fail("no UTF-8");
    for (const char c : text_)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n') fail("a control character");
    for (const char* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
      if (text_.find(none) != std::string::npos) fail("a character that is none");
  }
  // Bytes that JSON gives a meaning are of no interest here: it is asked about UTF-8.
  std::string escaped_for_json() const {
    std::string all = text_;
    std::replace_if(
        all.begin(), all.end(), [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; },
        ' ');
    return all;
  }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::string name() {
    std::string word;
    while (!rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_.front())) != 0) {
      word += rest_.front();
      rest_.remove_prefix(1);
    }
    if (word.empty()) fail("no name");
    return word;
  }
  std::string element() {
    const std::string element = name();
    ++elements[element];
    while (problem.empty() && take(" ")) {
      const std::string attribute = name();
      if (!take("=\"")) fail("an attribute without a value");
      attributes[{element, attribute}] = value();
    }
    return element;
  }
  std::string value() {
    std::string value;
    while (problem.empty() && !take("\"")) value += character();
    return value;
  }
  char character() {
    static const std::pair<std::string_view, char> kReferences[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
    for (const auto& [written, meant] : kReferences)
      if (take(written)) return meant;
    if (rest_.empty() || rest_.front() == '<' || rest_.front() == '&') {
      fail("no character where there should be one");
      return ' ';
    }
    const char one = rest_.front();
    rest_.remove_prefix(1);
    return one;
  }

  std::string text_;
  std::string_view rest_;
};

}  // namespace barefxt::test
