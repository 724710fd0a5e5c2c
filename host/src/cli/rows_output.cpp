#include "rows_output.h"

#include <algorithm>
#include <exception>
#include <new>
#include <unistd.h>

#include <barefxt/host/output_file.h>

#include "../rows/packed_bytes.h"
#include "file_processes.h"
#include "messages.h"
#include "progress.h"
#include "same_file.h"

namespace barefxt::cli {
namespace {

// The process of a file hands this back.
struct Judged {
  int status = kNothing;
  std::vector<std::string> messages;
  std::vector<std::string> rows;
};

std::string packed(const Judged& judged) {
  std::string bytes;
  host::pack(bytes, judged.status);
  for (const auto* texts : {&judged.messages, &judged.rows}) {
    host::pack(bytes, uint64_t{texts->size()});
    for (const std::string& text : *texts) host::pack_text(bytes, text);
  }
  return bytes;
}

Judged unpacked(std::string_view bytes) {
  Judged judged;
  judged.status = host::unpack<int>(bytes).value_or(kNothing);
  for (auto* texts : {&judged.messages, &judged.rows}) {
    const uint64_t count = host::unpack<uint64_t>(bytes).value_or(0);
    for (uint64_t i = 0; i < count; ++i)
      texts->emplace_back(host::unpack_text(bytes).value_or(std::string_view()));
  }
  return judged;
}

int judge_or_complain(const RowsOptions::Judge& judge, const ArchiveOptions& file,
                      host::TraceRows& rows) {
  try {
    int status = kDone;
    std::optional<Archive> archive = open_archive(file, status);
    return archive ? judge(*archive, rows) : status;
  } catch (const std::bad_alloc&) {
    return complain({"out of memory", file.name(), "allow it more (ulimit -v), or fewer --jobs"});
  } catch (const std::exception& trouble) {
    return complain({trouble.what(), file.name(), {}});
  }
}

// A file without a trace is missing from the table, but for a row that says so.
int of_table(int status) { return status == kNothing ? int{kIncomplete} : status; }

int worse(int one, int other) {
  constexpr int kOrder[] = {kDone, kIncomplete, kFindings, kUsage};
  const auto rank = [&](int status) { return std::ranges::find(kOrder, status); };
  return rank(one) < rank(other) ? other : one;
}

}  // namespace

Option RowsOptions::add_to(const Verb& verb, SelectionOptions& selection) {
  selection.add_from(verb);
  const Option thread = selection.add_lists(verb);
  verb.option("--to", to_,
              "A time: up to it, included. Or parquet: each FILE is a trace by itself, and becomes "
              "rows of the table OUT, for DuckDB, Spark and others. Both may be given")
      .one_each_time()
      .suggests({"parquet"})
      .placeholder("TIME");
  verb.option("-o,--output", output_, "The table; - is standard output").placeholder("OUT");
  verb.option("--jobs", jobs_, "Read N files at once")
      .in_range(1, kMaxJobs)
      .placeholder("N")
      .shows_default();
  verb.option("--build", build_, "The build that the traces are of, if they do not name it")
      .placeholder("ID");
  return thread;
}

host::Status RowsOptions::take_apart(SelectionOptions& selection) {
  for (const std::string& word : to_) {
    const bool is_form = word == "parquet";
    std::string& value = is_form ? form_ : selection.to;
    if (!is_form && !is_time(word))
      return host::Error{"'" + word + "' is neither a form nor a time", "--to",
                         "write parquet, seconds, or a number with s, ms, us, ns or ticks"};
    if (!value.empty())
      return host::Error{host::formatted("given twice: '{}' and '{}'", value, word), "--to", {}};
    value = word;
  }
  if (is_wanted() && output_.empty())
    return host::Error{"the output is required", "--to parquet", "-o FILE"};
  if (!is_wanted() && (!output_.empty() || !build_.empty() || jobs_ != 1))
    return host::Error{"need --to parquet", "-o, --jobs and --build", {}};
  return {};
}

host::Status RowsOptions::check_alone(
    std::initializer_list<std::pair<const char*, bool>> others) const {
  for (const auto& [option, is_given] : others)
    if (is_wanted() && is_given) return host::Error{"cannot go with --to parquet", option, {}};
  return {};
}

int RowsOptions::write(const ArchiveOptions& files, const host::Columns& columns,
                       const Judge& judge, const AddUnread& unread) const {
  if (const host::Status status = check_named_once(files.inputs(), {&output_, 1}); !status.ok())
    return complain(status.error());
  const auto named = [&](size_t file) {
    return host::TraceRows({.file = files.files[file], .build = build_, .session = {}});
  };
  const auto work = [&](size_t file) {
    hold_messages();
    show_no_reading();
    host::TraceRows rows = named(file);
    Judged judged;
    judged.status = judge_or_complain(judge, files.only(files.files[file]), rows);
    judged.messages = take_messages();
    if (rows.is_empty()) unread(rows);
    judged.rows = rows.finish(judged.status, judged.messages);
    return packed(judged);
  };
  auto output = host::OutputFile::create(output_);
  if (!output.ok()) return complain(output.error());
  host::ParquetWriter table(*output.value(), columns);
  FileProcesses processes(files.files.size(), std::min<size_t>(jobs_, files.files.size()), work);
  int all = kDone;
  for (size_t file = 0; file < files.files.size(); ++file) {
    const host::Result<std::string> text = processes.next();
    Judged judged;
    if (text.ok()) {
      judged = unpacked(text.value());
    } else {
      judged.messages = {
          host::Error{text.error().what, files.files[file], text.error().hint}.text()};
      host::TraceRows rows = named(file);
      unread(rows);
      judged.rows = rows.finish(judged.status, judged.messages);
    }
    for (const std::string& message : judged.messages) say(message);
    all = worse(all, of_table(judged.status));
    for (const std::string& row : judged.rows)
      if (const host::Status status = host::write_row(row, table); !status.ok())
        return complain(status.error());
  }
  if (const host::Status status = table.finish(); !status.ok()) return complain(status.error());
  if (const host::Status status = output.value()->commit(); !status.ok())
    return complain(status.error());
  return all;
}

void identify(host::TraceRows& rows, const Archive& archive, const host::Statistics& statistics) {
  host::TraceIdentity& identity = rows.identity();
  if (archive.captures.size() == 1) identity.session = archive.captures[0].id;
  // A trace of several builds has none of its own.
  if (identity.build.empty() && !archive.captures.empty() &&
      std::ranges::all_of(archive.captures, [&](const host::CaptureIdentity& one) {
        return one.build_id == archive.captures[0].build_id;
      }))
    identity.build = archive.captures[0].build_id;
  rows.describe(statistics, archive.source.is_whole());
}

}  // namespace barefxt::cli
