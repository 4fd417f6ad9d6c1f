#include "engine/app/run/stop_signals.hpp"

#include <csignal>
#include <initializer_list>

namespace psflip::app {

namespace {

volatile std::sig_atomic_t stop_signal = 0, job_answers = 0;

void remember(int signal) {
  if (stop_signal != 0 && job_answers == 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  stop_signal = signal;
}

void handle_with(void (*handler)(int)) {
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) std::signal(signal, handler);
}

}  // namespace

void remember_stop_signals() { handle_with(remember); }

void answer_stop_signals() { job_answers = 1; }

bool stop_requested() { return stop_signal != 0; }

void forget_stop_signals() { handle_with(SIG_DFL); }

void end_on_stop_signals() {
  forget_stop_signals();
  if (stop_requested()) std::raise(stop_signal);
}

}  // namespace psflip::app
