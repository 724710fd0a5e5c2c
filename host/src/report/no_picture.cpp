// Stands in for picture.cpp in a command that is built without cairo.
#include "picture.h"

namespace barefxt::report {

host::Status write_picture(const Drawing& /*drawing*/, const PictureOptions& /*options*/,
                           host::ByteSink& /*sink*/) {
  return host::Error{"this command was built without pictures", "--png",
                     "build it with cairo and -DBAREFXT_PNG=ON"};
}

}  // namespace barefxt::report
