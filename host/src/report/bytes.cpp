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

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr size_t kGroup = 3;
  std::string out;
  out.reserve((bytes.size() + kGroup - 1) / kGroup * 4);
  for (size_t i = 0; i < bytes.size(); i += kGroup) {
    const size_t count = std::min(kGroup, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < kGroup; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (size_t j = 0; j < 4; ++j) out += j <= count ? kDigits[group >> (18 - 6 * j) & 0x3f] : '=';
  }
  return out;
}

}  // namespace barefxt::report
