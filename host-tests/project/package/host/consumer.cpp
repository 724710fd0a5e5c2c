// Reads the shortest archive: a magic number.
#include <array>
#include <cstdint>

#include <barefxt/host/reader.h>

int main() {
  const std::array<uint8_t, 8> archive = {0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00};
  namespace host = barefxt::host;
  host::Reader reader(archive, host::guess_form(archive).form);
  int records = 0;
  while (reader.next() != nullptr) ++records;
  return records == 1 && reader.malformed_places() == 0 ? 0 : 1;
}
