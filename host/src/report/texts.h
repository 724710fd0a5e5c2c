// The texts of a drawing: labels, shapes and arguments, each text that comes again kept once.
#pragma once

#include <string>
#include <unordered_map>

#include <barefxt/host/argument.h>

#include "drawing.h"

namespace barefxt::report {

class Texts {
 public:
  explicit Texts(Drawing& drawing);

  uint32_t label(std::string_view category, std::string_view name);

  // An item's details: where its text begins, and the shape of its parts.
  struct Details {
    uint32_t shape = 0;
    uint32_t text = 0;
  };
  Details arguments(const host::Arguments& arguments);
  Details one(std::string_view name, std::string_view type, std::string_view value);
  // The parts of both, in this order.
  Details both(const Details& first, const Details& second);

  // That labels and shapes take.
  size_t bytes() const { return bytes_; }

 private:
  uint32_t shape(Shape shape);
  Details keep(Shape parts, std::string text);
  std::string value_of(const host::Argument& argument) const;

  Drawing& drawing_;
  size_t bytes_ = 0;
  std::unordered_map<std::string, uint32_t> labels_;
  std::unordered_map<std::string, uint32_t> shapes_;
  std::unordered_map<std::string, uint32_t> texts_;  // those that were kept last
};

}  // namespace barefxt::report
