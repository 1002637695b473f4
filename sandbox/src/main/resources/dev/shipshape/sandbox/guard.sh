# Runs the program in "$@" until it ends by itself or standard input does.
# Standard input is a pipe from the Java process: however that process ends, SIGKILL included,
# the kernel closes the pipe, and the program goes too.
trap '' INT HUP
exec 3<&0 </dev/null
# In a session of its own where that can be had, so that Ctrl-C in a terminal does not reach it.
$(command -v setsid) "$@" 3<&- &
program=$!
(
  while read -r _ <&3; do :; done
  kill -TERM "$program"
  # The API server would wait much longer for its watchers. No data is lost by not waiting.
  sleep 1
  kill -KILL "$program"
) 2>/dev/null &
watcher=$!
exec 3<&-
wait "$program"
status=$?
kill -TERM "$watcher" 2>/dev/null
exit "$status"
