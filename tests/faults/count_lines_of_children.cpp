// A child process that reads a file ends by _exit(), which does not write the counts of the lines that ran.
extern "C" {
void __gcov_dump();
[[noreturn]] void __real__exit(int code);
[[noreturn]] void __wrap__exit(int code) {
  __gcov_dump();
  __real__exit(code);
}
}
