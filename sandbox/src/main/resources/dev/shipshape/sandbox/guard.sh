# Runs the program in "$@" until it exits, or until the end of standard input.
# Standard input is a pipe from the Java process: when that process ends, even by SIGKILL,
# the kernel closes the pipe, and this script stops the program.
trap '' INT HUP
exec 3<&0 </dev/null
# In its own session if setsid exists, so that Ctrl-C in a terminal does not reach it.
$(command -v setsid) "$@" 3<&- &
program=$!
(
  while read -r _ <&3; do :; done
  kill -TERM "$program"
  # The API server would wait much longer for its watchers. No data is lost.
  sleep 1
  kill -KILL "$program"
) 2>/dev/null &
watcher=$!
exec 3<&-
wait "$program"
status=$?
kill -TERM "$watcher" 2>/dev/null
exit "$status"
