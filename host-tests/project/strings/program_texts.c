// Table and texts of a program with BAREFXT_STRINGS_IN_ELF, from its own file.
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

uint32_t program_texts(void);
const char* program_text(uint32_t index);

static const unsigned char* file;

static const Elf64_Shdr* section(const char* name) {
  if (file == NULL) {
    struct stat facts;
    const int open_file = open("/proc/self/exe", O_RDONLY);
    if (open_file < 0 || fstat(open_file, &facts) != 0) return NULL;
    file = (const unsigned char*)mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE,
                                      open_file, 0);
  }
  const Elf64_Ehdr* header = (const Elf64_Ehdr*)file;
  const Elf64_Shdr* all = (const Elf64_Shdr*)(file + header->e_shoff);
  const char* names = (const char*)file + all[header->e_shstrndx].sh_offset;
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (strcmp(names + all[i].sh_name, name) == 0) return &all[i];
  return NULL;
}

// Nothing of either is loaded.
uint32_t program_texts(void) {
  const Elf64_Shdr* table = section("barefxt_in_elf");
  const Elf64_Shdr* texts = section("barefxt_texts");
  if (table == NULL || texts == NULL || ((table->sh_flags | texts->sh_flags) & SHF_ALLOC) != 0)
    return 0;
  return (uint32_t)(table->sh_size / 8);
}

const char* program_text(uint32_t index) {
  const uint64_t* entries = (const uint64_t*)(file + section("barefxt_in_elf")->sh_offset);
  const uint64_t address = entries[index - 1];
  const Elf64_Shdr* texts = section("barefxt_texts");
  if (address - texts->sh_addr < texts->sh_size)
    return (const char*)file + texts->sh_offset + (address - texts->sh_addr);
  // GCC leaves those of templates among what is loaded.
  const Elf64_Ehdr* header = (const Elf64_Ehdr*)file;
  const Elf64_Phdr* all = (const Elf64_Phdr*)(file + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (all[i].p_type == PT_LOAD && address - all[i].p_vaddr < all[i].p_filesz)
      return (const char*)file + all[i].p_offset + (address - all[i].p_vaddr);
  return "";
}
