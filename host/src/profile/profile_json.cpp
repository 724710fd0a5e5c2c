#include <barefxt/host/json.h>
#include <barefxt/host/profile.h>

namespace barefxt::host {
namespace {

void print_group(Output& out, const Profile& profile, const Profile::Group& group) {
  JsonObject object(out);
  object.string("thread", profile.thread_name(group.thread));
  object.number("koid", group.thread);
  object.number("process", group.process);
  if (group.cpu)
    object.number("cpu", *group.cpu);
  else
    object.null("cpu");
  if (group.interrupt.empty())
    object.null("interrupt");
  else
    object.string("interrupt", group.interrupt);
  object.number("samples", group.samples);
}

void print_stack(Output& out, const Profile& profile, const Profile::Node& leaf,
                 ProfileSymbols& symbols) {
  JsonObject stack(out);
  stack.number("group", leaf.group);
  stack.number("samples", leaf.self);
  stack.key("frames");
  JsonList frames(out);
  for (const Profile::Node* at = &leaf;; at = &profile.nodes()[at->parent]) {
    const std::vector<ProfileSymbols::Frame>& here = symbols.frames_at(at->address, at != &leaf);
    for (size_t i = 0; i < here.size(); ++i) {
      frames.next();
      JsonObject frame(out);
      frame.number("address", at->address);
      frame.string("function", symbols.name(here[i].function));
      if (!here[i].place.empty()) frame.string("place", here[i].place);
      if (i + 1 < here.size()) frame.key("inlined").text("true");
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
    object.key("functions");
    {
      JsonList functions(out);
      for (uint32_t number = 0; number < tree.functions().size(); ++number) {
        const auto& [self, total, place] = tree.functions()[number];
        if (total == 0) continue;
        functions.next();
        JsonObject function(out);
        function.string("function", symbols.name(number));
        function.number("self", self);
        function.number("total", total);
        if (!place.empty()) function.string("place", place);
      }
    }
    object.key("groups");
    {
      JsonList groups(out);
      for (const Profile::Group& group : profile.groups()) {
        groups.next();
        print_group(out, profile, group);
      }
    }
    object.key("stacks");
    JsonList stacks(out);
    for (const Profile::Node& leaf : profile.nodes()) {
      if (leaf.self == 0) continue;
      stacks.next();
      print_stack(out, profile, leaf, symbols);
    }
  }
  out.character('\n');
}

}  // namespace barefxt::host
