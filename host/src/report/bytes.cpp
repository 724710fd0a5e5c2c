#include "bytes.h"

#include <algorithm>
#include <stdexcept>
#include <zlib.h>

namespace barefxt::report {

std::string deflated(std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string out(size, '\0');
  const int status = ::compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                                 Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw std::runtime_error("zlib: no memory");
  out.resize(size);
  return out;
}

std::string base85(std::string_view bytes) {
  constexpr uint32_t kDigits = 85;
  constexpr size_t kGroup = 4;
  std::string out;
  out.reserve((bytes.size() + kGroup - 1) / kGroup * (kGroup + 1));
  for (size_t i = 0; i < bytes.size(); i += kGroup) {
    const size_t count = std::min(kGroup, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < count; ++j)
      group |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i + j])) << (8 * j);
    for (size_t j = 0; j <= count; ++j, group /= kDigits) {
      const char digit = static_cast<char>('(' + group % kDigits);
      out += digit == '<' ? '}' : digit == '\\' ? '~' : digit;
    }
  }
  return out;
}

}  // namespace barefxt::report
