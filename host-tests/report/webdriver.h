// A browser that a test drives: Chromium without a screen, by the W3C's WebDriver protocol.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>

namespace barefxt::test {

class Browser {
 public:
  using Json = nlohmann::json;

  // Throws if there is no browser, or it refuses.
  Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  // Forgets what it was shown and set to.
  void renew();
  void open(const std::string& file);
  // Hosts of the domain `example` are this machine.
  void go_to(const std::string& url);
  // The body of a function.
  Json run(const std::string& script);
  // Until the expression is true; fails the test where it does not become so.
  void wait_for(const std::string& expression);

  // These act on the element that the CSS selector finds.
  std::string text_of(const std::string& selector);
  void click(const std::string& selector);
  void type(const std::string& selector, const std::string& text);
  std::string label_of(const std::string& selector);
  // Clicks as a person does, at a place measured from the element's middle.
  void click_at(const std::string& selector, int x, int y);
  void drag(const std::string& selector, int by_x, int by_y) {
    drag_at(selector, 0, 0, by_x, by_y);
  }
  void drag_at(const std::string& selector, int x, int y, int by_x, int by_y);
  // Two fingers, this far left and right of the middle, move to there.
  void pinch(const std::string& selector, int from, int to);
  void wheel(const std::string& selector, int by_y);
  // A command of Chromium's own protocol.
  Json devtools(const std::string& command, const Json& parameters);

 private:
  Json ask(const std::string& method, const std::string& path, const Json& body = nullptr);
  std::string element(const std::string& selector);
  // Each element acts at the same time as the others.
  void perform(const Json& actions);

  pid_t driver_ = -1;
  int port_ = 0;
  std::string session_;
  std::string temporary_;  // a folder of its own, gone with it
};

}  // namespace barefxt::test
