package dev.shipshape.sandbox;

import org.slf4j.LoggerFactory;

/** Told what the sandbox is doing, step by step, so that nobody waits before a silent screen. */
@FunctionalInterface
public interface Progress {

  /**
   * One step has begun, or moved on.
   *
   * @param step a phrase for people, without a full stop: {@code starting etcd}
   */
  void report(String step);

  /** Writes each step to the log. */
  static Progress toLog() {
    var logger = LoggerFactory.getLogger("dev.shipshape.sandbox");
    return logger::info;
  }
}
