#include "itm_form.h"

namespace barefxt::cli {
namespace {

// In the order of the alphabet, in which they are listed.
constexpr Choice<host::ItmForm> kForms[] = {{"plain", host::ItmForm::kPlain},
                                            {"tpiu", host::ItmForm::kTpiu}};

}  // namespace

void add_itm(const Verb& verb, std::optional<host::ItmForm>& form) {
  verb.choice("--itm", form, kForms,
              "The input is what a Cortex-M's ITM sends over SWO: plain packets, or in frames of "
              "the TPIU's formatter")
      .placeholder("plain|tpiu");
}

}  // namespace barefxt::cli
