// A profile in the forms of other tools: folded stacks, speedscope, pprof.
#include <charconv>
#include <functional>

#include <barefxt/host/json.h>
#include <barefxt/host/profile.h>

#include "../convert/proto_message.h"

namespace barefxt::host {
namespace {

// Calls `each` for every path with samples of its own: the functions, outermost first.
void for_each_path(
    const ProfileTree& tree, const ProfileTree::Node& root,
    const std::function<void(const std::vector<uint32_t>& path, uint64_t samples)>& each) {
  std::vector<uint32_t> path;
  const std::function<void(const ProfileTree::Node&)> visit = [&](const ProfileTree::Node& node) {
    for (const uint32_t number : tree.sorted(node)) {
      const ProfileTree::Node& callee = tree.node(number);
      path.push_back(callee.function);
      if (callee.self != 0) each(path, callee.self);
      visit(callee);
      path.pop_back();
    }
  };
  visit(root);
}

// In folded stacks these characters have a meaning.
std::string without_separators(std::string_view text) {
  std::string name = valid_utf8(text);
  for (char& c : name)
    if (c == ';')
      c = ':';
    else if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return name;
}

// Numbers the texts of a pprof message.
class StringNumbers {
 public:
  StringNumbers() { number(""); }
  uint64_t number(const std::string& text) {
    const auto [found, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string, uint64_t> numbers_;
  std::vector<std::string> texts_;
};

// The line of "file:line".
uint64_t line_of(const std::string& place) {
  uint64_t line = 0;
  const size_t colon = place.rfind(':');
  if (colon != std::string::npos)
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  return line;
}

}  // namespace

void print_folded(Output& out, const ProfileTree& tree, const ProfileSymbols& symbols) {
  for (const ProfileTree::Root& root : tree.roots()) {
    const std::string label = without_separators(root.label);
    for_each_path(tree, root.node, [&](const std::vector<uint32_t>& path, uint64_t samples) {
      out.text(label);
      for (const uint32_t function : path) {
        out.character(';');
        out.text(without_separators(symbols.name(function)));
      }
      out.character(' ');
      out.number(samples);
      out.character('\n');
    });
  }
}

void print_speedscope(Output& out, const ProfileTree& tree, const ProfileSymbols& symbols,
                      std::string_view name) {
  {
    JsonObject file(out);
    file.string("$schema", "https://www.speedscope.app/file-format-schema.json");
    file.string("name", name);
    file.string("exporter", "barefxt");
    {
      JsonObject shared(file.key("shared"));
      JsonList frames(shared.key("frames"));
      for (uint32_t function = 0; function < symbols.function_count(); ++function) {
        JsonObject frame(frames.next());
        frame.string("name", symbols.name(function));
      }
    }
    file.list("profiles", tree.roots(), [&](JsonObject& profile, const ProfileTree::Root& root) {
      profile.string("type", "sampled");
      profile.string("name", root.label);
      profile.string("unit", "none");
      profile.number("startValue", 0);
      profile.number("endValue", root.node.total);
      {
        JsonList samples(profile.key("samples"));
        for_each_path(tree, root.node, [&](const std::vector<uint32_t>& path, uint64_t) {
          JsonList frames(samples.next());
          for (const uint32_t function : path) frames.next().number(function);
        });
      }
      JsonList weights(profile.key("weights"));
      for_each_path(tree, root.node, [&](const std::vector<uint32_t>&, uint64_t count) {
        weights.next().number(count);
      });
    });
  }
  out.character('\n');
}

// By the fields of pprof's profile.proto.
void print_pprof(Output& out, const Profile& profile, ProfileBy by, ProfileSymbols& symbols) {
  StringNumbers strings;
  ProtoMessage message;
  const auto put = [&](unsigned field, const ProtoMessage& part) {
    ProtoMessage one;
    one.message(field, part);
    out.text(one.bytes());
  };
  ProtoMessage type;
  type.number(1, strings.number("samples")).number(2, strings.number("count"));
  put(1, type);
  const uint64_t label_key = strings.number("group");
  // A location is an address and how it is looked up: as a return address or not.
  std::map<std::pair<uint64_t, bool>, uint64_t> locations;
  for (const Profile::Node& leaf : profile.nodes()) {
    if (leaf.self == 0) continue;
    ProtoMessage sample;
    for (const Profile::Node* at = &leaf;; at = &profile.nodes()[at->parent]) {
      const auto place = locations.try_emplace({at->address, at != &leaf}, locations.size() + 1);
      sample.number(1, place.first->second);
      if (at->parent == Profile::Node::kNone) break;
    }
    sample.number(2, leaf.self);
    ProtoMessage label;
    label.number(1, label_key)
        .number(2, strings.number(valid_utf8(profile.label(profile.groups()[leaf.group], by))));
    sample.message(3, label);
    put(2, sample);
  }
  for (const auto& [place, id] : locations) {
    ProtoMessage location;
    location.number(1, id).number(3, place.first);
    for (const ProfileSymbols::Frame& frame : symbols.frames_at(place.first, place.second)) {
      ProtoMessage line;
      line.number(1, uint64_t{frame.function} + 1).number(2, line_of(frame.place));
      location.message(4, line);
    }
    put(4, location);
  }
  for (uint32_t function = 0; function < symbols.function_count(); ++function) {
    const uint64_t name = strings.number(valid_utf8(symbols.name(function)));
    ProtoMessage part;
    part.number(1, uint64_t{function} + 1).number(2, name).number(3, name);
    put(5, part);
  }
  for (const std::string& text : strings.texts()) {
    ProtoMessage one;
    one.text(6, text);
    out.text(one.bytes());
  }
}

}  // namespace barefxt::host
