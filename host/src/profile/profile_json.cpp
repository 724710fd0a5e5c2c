#include <barefxt/host/json.h>
#include <barefxt/host/profile.h>

namespace barefxt::host {
namespace {

void print_stack(Output& out, const Profile::Node& leaf, const Profile& profile,
                 ProfileSymbols& symbols) {
  JsonObject stack(out);
  stack.number("group", leaf.group);
  stack.number("samples", leaf.self);
  JsonList frames(stack.key("frames"));
  for (const Profile::Node* at = &leaf;; at = &profile.nodes()[at->parent]) {
    const std::vector<ProfileSymbols::Frame>& here = symbols.frames_at(at->address, at != &leaf);
    for (size_t i = 0; i < here.size(); ++i) {
      JsonObject frame(frames.next());
      frame.number("address", at->address);
      frame.string("function", symbols.name(here[i].function));
      if (!here[i].place.empty()) frame.string("place", here[i].place);
      if (i + 1 < here.size()) frame.boolean("inlined", true);
    }
    if (at->parent == Profile::Node::kNone) break;
  }
}

}  // namespace

void print_profile_json(Output& out, const Profile& profile, const ProfileTree& tree,
                        ProfileSymbols& symbols) {
  {
    JsonObject object(out);
    object.number("samples", profile.samples());
    object.number("cut_samples", profile.cut());
    object.number("lost_records", profile.lost_records());
    object.number("unknown_losses", profile.unknown_losses());
    {
      JsonList functions(object.key("functions"));
      for (uint32_t number = 0; number < tree.functions().size(); ++number) {
        const auto& [self, total, place] = tree.functions()[number];
        if (total == 0) continue;
        JsonObject function(functions.next());
        function.string("function", symbols.name(number));
        function.number("self", self);
        function.number("total", total);
        if (!place.empty()) function.string("place", place);
      }
    }
    object.list("groups", profile.groups(), [&](JsonObject& one, const Profile::Group& group) {
      one.string("thread", profile.thread_name(group.thread));
      one.number("koid", group.thread);
      one.number("process", group.process);
      one.number("cpu", group.cpu);
      one.string_or_null("interrupt", group.interrupt);
      one.number("samples", group.samples);
    });
    JsonList stacks(object.key("stacks"));
    for (const Profile::Node& leaf : profile.nodes())
      if (leaf.self != 0) print_stack(stacks.next(), leaf, profile, symbols);
  }
  out.character('\n');
}

}  // namespace barefxt::host
