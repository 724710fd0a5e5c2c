// A function with an event in it, of the one kind or the other.
__attribute__((xray_always_instrument)) int work(int number) {
#ifdef EVENT_typed
  __xray_typedevent(7, "hello", 5);
#else
  __xray_customevent("hello", 5);
#endif
  return number + 1;
}

int main() { return work(-1); }
