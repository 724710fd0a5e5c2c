#include "stats_heap.h"

#include <unistd.h>

#include <barefxt/host/heap.h>

#include "../print/hexadecimal.h"
#include "messages.h"
#include "pager.h"
#include "terminal.h"

namespace barefxt::cli {
namespace {

// A time, or else the name of an instant.
host::Result<host::HeapMoment> heap_moment(const std::string& word) {
  host::HeapMoment moment;
  if (!is_time(word)) {
    moment.marker = word;
    return moment;
  }
  const auto time = time_bound(word, "--leaks");
  if (!time.ok()) return time.error();
  moment.time = time.value();
  return moment;
}

// Another thread's event may free a block.
bool has_all_heaps(const host::Selection& chosen) {
  return chosen.threads.empty() && chosen.cpus.empty() && !chosen.is_by_label();
}

host::HeapOptions heaps_of(const host::Selection& chosen) {
  host::HeapOptions how;
  how.from.time = chosen.from;
  how.to.time = chosen.to;
  return how;
}

host::Result<host::HeapOptions> heap_options(const HeapViewOptions& view,
                                             const SelectionOptions& selected) {
  const auto selection = selected.selection();
  if (!selection.ok()) return selection.error();
  const host::Selection& chosen = selection.value();
  const char* const option = view.heap ? "--heap" : "--leaks";
  if (!has_all_heaps(chosen))
    return host::Error{"is about all threads and events", option,
                       "only --from and --to choose a part"};
  host::HeapOptions how = heaps_of(chosen);
  if (view.leaks.empty()) return how;
  if (chosen.from || chosen.to)
    return host::Error{"has a begin and an end already", "--leaks", "leave out --from and --to"};
  const auto from = heap_moment(view.leaks.front());
  if (!from.ok()) return from.error();
  const auto to = heap_moment(view.leaks.back());
  if (!to.ok()) return to.error();
  how.from = from.value();
  how.to = to.value();
  return how;
}

// If the program's names may be used for these callers.
bool has_names_of(const host::ElfFile& program, const host::HeapStatistics& heap,
                  const std::string& name) {
  const host::Bytes bytes = program.build_id();
  const std::string_view build_id(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // A target may have sent only the beginning of a long one.
  if (build_id.empty() || heap.trace.build_id.empty() || build_id.starts_with(heap.trace.build_id))
    return true;
  say(host::formatted(
      "{}: recorded by another build than --elf names: by build id {}, not {}; "
      "call sites have no names",
      name, host::hexadecimal_digits(heap.trace.build_id), host::hexadecimal_digits(build_id)));
  return false;
}

// Reports what is missing, and raises `status` then. The program may be null.
host::HeapSites sites_of(const host::HeapStatistics& heap, const Program* program,
                         const std::string& name, int& status) {
  if (heap.left_out > 0) {
    say(host::formatted(
        "{}: {} left out: too many at once", name,
        host::counted(heap.left_out, "block or call site", "blocks or call sites")));
    status = kIncomplete;
  }
  if (program == nullptr || !heap.has_events) return {nullptr, heap};
  if (has_names_of(program->elf, heap, name)) return {&program->elf, heap};
  status = kIncomplete;
  return {nullptr, heap};
}

int status_of_leaks(const host::HeapStatistics& heap, bool allow_unknown, int status) {
  if (heap.leaked().blocks > 0) return kFindings;
  return heap.has_lost_in_stretch && !allow_unknown ? int{kIncomplete} : status;
}

}  // namespace

void HeapViewOptions::add_to(const Verb& verb) {
  const Option all = verb.flag("--heap", heap,
                               "Only heaps: live bytes, their peak and who held it, sizes, "
                               "lifetimes, pools; names by --elf IMAGE");
  verb.option(
          "--leaks", leaks,
          "Only blocks allocated from FROM to TO and not freed by then, by call site; each is a "
          "time, or the name of an instant; exit status 1 if there are any")
      .of_two_words()
      .placeholder("FROM TO")
      .excludes(all);
}

int show_heap(const HeapViewOptions& view, const ArchiveOptions& options,
              const SelectionOptions& selected, bool json, bool allow_unknown) {
  const auto how = heap_options(view, selected);
  if (!how.ok()) return complain(how.error());
  const auto opened = open_program(options);
  if (!opened.ok()) return complain(opened.error());
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  const auto collected = host::collect_heap(archive->source, archive->form, how.value());
  if (!collected.ok()) return complain(collected.error());
  const host::HeapStatistics& heap = collected.value();
  status = report_statistics(archive->source, heap.trace);
  if (status == kNothing) return status;
  const std::string& name = archive->source.name();
  if (!heap.has_events)
    say(name +
        ": no events of heaps. Hint: barefxt_heap_alloc records them, if the category is on");
  const host::HeapSites sites = sites_of(heap, opened.value().get(), name, status);
  const host::TextLook look = look_of_output(kFileWidth);
  const Pager pager;
  host::DescriptorOutput out(STDOUT_FILENO);
  if (json)
    host::print_heap_json(out, heap, sites);
  else if (view.heap)
    host::print_heap(out, heap, sites, look);
  else
    host::print_leaks(out, heap, sites, look);
  if (!view.heap) status = status_of_leaks(heap, allow_unknown, status);
  return finish_output(out, status);
}

host::Result<std::string> heaps_as_json(const ArchiveOptions& options, Archive& archive,
                                        const host::Selection& chosen, int& status) {
  if (!has_all_heaps(chosen)) return std::string();
  const auto opened = open_program(options);
  if (!opened.ok()) return opened.error();
  const auto heap = host::collect_heap(archive.source, archive.form, heaps_of(chosen));
  if (!heap.ok()) return heap.error();
  host::StringOutput out;
  host::print_heap_json(
      out, heap.value(),
      sites_of(heap.value(), opened.value().get(), archive.source.name(), status));
  return out.take();
}

}  // namespace barefxt::cli
