// An image whose code stays in the machine's memory over resets, as it would in flash.
//
// At a reset QEMU writes all of an image again, and so has to translate anew all of its code that
// runs from there on, which is most of a boot's time. Data have to be as in the image after a
// reset; code is unchanged anyway. So QEMU gets the image without its code, which is written into
// the machine once, through the port for debuggers, before the machine is reset for the first time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace barefxt::test {

class KeptCode {
 public:
  // Writes the image without its code to this path.
  KeptCode(const std::string& image, const std::string& path_of_rest);
  ~KeptCode();
  KeptCode(const KeptCode&) = delete;
  KeptCode& operator=(const KeptCode&) = delete;

  // Options with which QEMU waits, and takes commands.
  std::string options() const;
  // Writes the code, and has the machine run, while another thread starts QEMU, which inherits the
  // descriptors of this process. Returns the failure, or an empty text.
  std::string start();
  // From that thread: there is nothing to wait for any more.
  void qemu_is_gone() const;

 private:
  struct Segment {
    uint64_t address;
    std::string bytes;
  };

  // QEMU's answer to a packet of gdb's protocol; empty if it is gone.
  std::string answer_to(const std::string& packet);

  std::vector<Segment> segments_;
  int ours_ = -1;
  int of_qemu_ = -1;
  std::string received_;
};

}  // namespace barefxt::test
