#!/usr/bin/env bash
# Runs pytest in the environment of ./study; exit code 77 means skipped, with the reason said.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=$root/.venv/bin/python
if ! [ -x "$python" ]; then
  echo "skipped: the Python tools are not installed; ./study test installs them"
  exit 77
fi
export PATH=$root/.venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -q -rs -p no:cacheprovider --rootdir "$root/tests" "$@"
