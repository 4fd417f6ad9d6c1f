#!/usr/bin/env bash
# Runs pytest in the environment of ./study; exit code 77 means skipped, with the reason said.
#   pytest.sh ARGUMENTS...             what pytest takes
#   pytest.sh --outcomes FOLDER FILE   the tests of FILE without a mark; tell_outcome.sh tells the outcome of each
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=$root/.venv/bin/python
if ! [ -x "$python" ]; then
  echo "skipped: the Python tools are not installed; ./study test installs them"
  exit 77
fi
export PATH=$root/.venv/bin:$PATH
# Every one of the many processes of a study would compile the modules of workflows/ anew.
unset PYTHONDONTWRITEBYTECODE
options=(-q -rs -p no:cacheprovider --rootdir "$root/tests")
if [[ $1 == --outcomes ]]; then
  exec "$python" "$root/tests/workflow/run_file.py" "$2" "${options[@]}" -m "not slow and not release" "${@:3}"
fi
exec "$python" -m pytest "${options[@]}" "$@"
