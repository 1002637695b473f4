package dev.shipshape.sandbox;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A process that starts a control plane and never ends it. */
class StartedControlPlane {
  static final String READY = "up and running";

  public static void main(String[] arguments) throws Exception {
    Consumer<String> progress = System.out::println;
    var programs = Programs.find(System.getenv(), progress);
    try (var cluster = ControlPlane.start(programs, progress)) {
      progress.accept(READY + " at " + cluster.server());
      new CountDownLatch(1).await();
    }
  }
}
