// The shape of JSON, as pages of the documentation describe it.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "contains.h"

namespace barefxt::test {

// Compares a value with its description: a type, or several separated by `|`; a list, described by
// its first element; an object of the keys named; those with a `?` may be missing. The key
// "..." stands for those of `lengths`.
class Shape {
 public:
  explicit Shape(nlohmann::json lengths) : lengths_(std::move(lengths)) {}

  void check(const nlohmann::json& value, nlohmann::json shape, const std::string& place) const {
    if (shape.is_string()) {
      const std::string types = "|" + shape.get<std::string>() + "|";
      EXPECT_TRUE(contains(types, "|" + type_of(value) + "|")) << place << value;
      return;
    }
    ASSERT_EQ(value.type(), shape.type()) << place;
    if (shape.is_array()) {
      for (const nlohmann::json& one : value) check(one, shape[0], place + "[]");
      return;
    }
    if (shape.contains("...")) {
      shape.erase("...");
      shape.update(lengths_);
    }
    std::set<std::string> described;
    for (const auto& [key, inner] : shape.items()) {
      const bool may_be_missing = key.ends_with('?');
      const std::string name = may_be_missing ? key.substr(0, key.size() - 1) : key;
      described.insert(name);
      if (value.contains(name)) {
        check(value[name], inner, place + "." + name);
      } else {
        EXPECT_TRUE(may_be_missing) << place << "." << name << " is missing";
      }
    }
    if (described.erase("*") > 0) return;  // any others
    for (const auto& [key, inner] : value.items())
      EXPECT_TRUE(described.contains(key)) << place << "." << key << " is not described";
  }

 private:
  static std::string type_of(const nlohmann::json& value) {
    if (value.is_number_float()) return "real";
    return value.is_number_integer() ? "integer" : value.type_name();
  }

  nlohmann::json lengths_;
};

}  // namespace barefxt::test
