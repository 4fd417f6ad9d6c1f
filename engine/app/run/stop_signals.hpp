#pragma once

/// SIGTERM, SIGINT and SIGUSR1: requests to stop. A job answers them with a checkpoint, other commands end.
namespace psflip::app {

/// From now on a signal is remembered and ends nothing; a second one ends the process, until a job runs. To be called
/// first in main(): a scheduler may send a signal while the job still reads its options or waits for MPI.
void remember_stop_signals();

/// From now on any number of signals is remembered: the job looks at stop_requested() several times a second.
void answer_stop_signals();

/// Whether one of the signals has come.
bool stop_requested();

/// From now on the signals end the process. For a process that fails: rank 0 speaks for all and ends the others.
void forget_stop_signals();

/// For commands that keep nothing: from now on the signals end the process, as does one that has come before.
void end_on_stop_signals();

}  // namespace psflip::app
