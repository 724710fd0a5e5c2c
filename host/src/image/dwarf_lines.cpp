#include "dwarf_lines.h"

namespace barefxt::host {
namespace {

// Kinds of content in tables of version 5.
constexpr uint64_t kPath = 1;
constexpr uint64_t kDirectory = 2;

}  // namespace

DwarfLines::DwarfLines(Bytes lines, uint64_t at, ByteOrder order, const DwarfTexts& texts)
    : program_(lines, at, order) {
  DwarfCursor header = program_;
  unsigned offset_bytes = 4;
  const uint64_t length = header.length(offset_bytes);
  const uint64_t end = header.at() + length;
  if (header.has_failed() || end < header.at()) return;
  header.end_at(end);
  program_.end_at(end);
  const auto version = static_cast<unsigned>(header.number(2));
  if (version < 2 || version > 5) return;
  if (version == 5) {
    address_bytes_ = static_cast<unsigned>(header.number(1));
    header.skip(1);
  }
  const uint64_t header_bytes = header.number(offset_bytes);
  program_.go_to(header.at() + header_bytes);
  least_instruction_ = static_cast<unsigned>(header.number(1));
  if (version >= 4) header.skip(1);
  header.skip(1);  // whether rows are statements
  line_base_ = static_cast<int8_t>(header.number(1));
  line_range_ = std::max<uint64_t>(header.number(1), 1);
  opcode_base_ = static_cast<unsigned>(header.number(1));
  for (unsigned opcode = 1; opcode < opcode_base_; ++opcode)
    operand_counts_.push_back(static_cast<uint8_t>(header.number(1)));
  if (version == 5)
    read_tables(header, offset_bytes, texts);
  else
    read_old_tables(header);
  if (!header.has_failed() && address_bytes_ >= 1 && address_bytes_ <= 8) version_ = version;
}

void DwarfLines::read_old_tables(DwarfCursor& header) {
  directories_.emplace_back();  // 0: where it was compiled
  for (std::string_view name = header.text(); !name.empty(); name = header.text())
    directories_.push_back(name);
  files_.emplace_back();  // files are counted from 1
  for (std::string_view name = header.text(); !name.empty(); name = header.text()) {
    const uint64_t directory = header.leb();
    header.leb();
    header.leb();
    files_.push_back({directory < directories_.size() ? directories_[directory] : "", name});
  }
}

void DwarfLines::read_tables(DwarfCursor& header, unsigned offset_bytes, const DwarfTexts& texts) {
  const auto read = [&](const std::function<void(std::string_view path, uint64_t directory)>& add) {
    std::vector<std::pair<uint64_t, uint64_t>> format;
    for (uint64_t left = header.number(1); left != 0; --left) {
      const uint64_t kind = header.leb();
      format.emplace_back(kind, header.leb());
    }
    for (uint64_t left = format.empty() ? 0 : header.leb(); left != 0 && !header.has_failed();
         --left) {
      std::string_view path;
      uint64_t directory = 0;
      for (const auto& [kind, form] : format) {
        std::string_view text;
        uint64_t value = 0;
        switch (form) {
          case 0x08:
            text = header.text();
            break;
          case 0x0e:
            text = dwarf_text(texts.strings, header.number(offset_bytes));
            break;
          case 0x1f:
            text = dwarf_text(texts.line_strings, header.number(offset_bytes));
            break;
          case 0x0b:
            value = header.number(1);
            break;
          case 0x05:
            value = header.number(2);
            break;
          case 0x06:
            value = header.number(4);
            break;
          case 0x07:
            value = header.number(8);
            break;
          case 0x0f:
            value = header.leb();
            break;
          case 0x1e:
            header.skip(16);
            break;
          case 0x09:
            header.skip(header.leb());
            break;
          default:
            header.go_to(~uint64_t{0});
        }
        if (kind == kPath) path = text;
        if (kind == kDirectory) directory = value;
      }
      if (!header.has_failed()) add(path, directory);
    }
  };
  read([&](std::string_view path, uint64_t) { directories_.push_back(path); });
  read([&](std::string_view path, uint64_t directory) {
    files_.push_back({directory < directories_.size() ? directories_[directory] : "", path});
  });
}

DwarfLines::File DwarfLines::file(uint64_t number) const {
  return number < files_.size() ? files_[static_cast<size_t>(number)] : File{};
}

void DwarfLines::run(const std::function<bool(const Row&)>& see) {
  if (!is_readable()) return;
  DwarfCursor program = program_;
  Row row;
  while (!program.is_at_end()) {
    const auto opcode = static_cast<unsigned>(program.number(1));
    if (opcode >= opcode_base_) {
      const uint64_t special = opcode - opcode_base_;
      row.address += special / line_range_ * least_instruction_;
      row.line += static_cast<uint64_t>(line_base_ + static_cast<int64_t>(special % line_range_));
      if (!see(row)) return;
      continue;
    }
    switch (opcode) {
      case 0: {
        const uint64_t bytes = program.leb();
        const uint64_t next = program.at() + bytes;
        const auto extended = static_cast<unsigned>(program.number(1));
        if (extended == 1) {
          row.is_end = true;
          if (!see(row)) return;
          row = {};
        } else if (extended == 2 && bytes >= 2 && bytes <= 9) {
          row.address = program.number(static_cast<unsigned>(bytes - 1));
        }
        if (next < program.at()) return;
        program.go_to(next);
        break;
      }
      case 1:
        if (!see(row)) return;
        break;
      case 2:
        row.address += program.leb() * least_instruction_;
        break;
      case 3:
        row.line += static_cast<uint64_t>(program.signed_leb());
        break;
      case 4:
        row.file = program.leb();
        break;
      case 8:
        row.address += (255 - opcode_base_) / line_range_ * least_instruction_;
        break;
      case 9:
        row.address += program.number(2);
        break;
      default:
        for (uint8_t left = operand_counts_[opcode - 1]; left != 0; --left) program.leb();
        break;
    }
  }
}

}  // namespace barefxt::host
