// Looks for a part of a text, and shows both where the test fails.
#pragma once

#include <gtest/gtest.h>
#include <string_view>

namespace barefxt::test {

inline ::testing::AssertionResult contains(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

inline ::testing::AssertionResult lacks(std::string_view text, std::string_view part) {
  if (text.find(part) == std::string_view::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << '"' << part << "\" is in:\n" << text;
}

}  // namespace barefxt::test
