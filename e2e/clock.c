/* The storm's wrong clocks, by LD_PRELOAD: adds the seconds in the file $CLOCK, read once a second, to
   the wall clock. Timers stay right, as after a step by NTP; libfaketime 0.9.10 makes the JVM's spin. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  static volatile long wrong;
  static volatile time_t read_at;
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, now);
  if (result || id != CLOCK_REALTIME) return result;
  if (now->tv_sec != read_at) {
    read_at = now->tv_sec;
    char text[24] = "";
    int file = open(getenv("CLOCK"), O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
      close(file);
    }
    wrong = atol(text);
  }
  now->tv_sec += wrong;
  return 0;
}
