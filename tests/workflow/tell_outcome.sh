#!/usr/bin/env bash
# Tells what became of a test that run_file.py ran: its exit code, 77 for skipped, and what pytest said.
#   tell_outcome.sh FILE_OF_THE_OUTCOME
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if ! [[ -x $root/.venv/bin/python ]]; then
  echo "skipped: the Python tools are not installed; ./study test installs them"
  exit 77
fi
if ! [[ -f $1 ]]; then
  echo "$1 is missing: pytest ran no such test; look at the output of the test that runs its file"
  exit 1
fi
cat "$1"
read -r outcome <"$1"
case $outcome in
  passed) exit 0 ;;
  skipped) exit 77 ;;
  *) exit 1 ;;
esac
