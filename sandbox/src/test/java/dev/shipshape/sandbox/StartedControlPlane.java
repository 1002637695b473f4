package dev.shipshape.sandbox;

import java.util.concurrent.CountDownLatch;

/** A process that starts a control plane and never ends it. */
class StartedControlPlane {
  static final String READY = "up and running";

  public static void main(String[] arguments) throws Exception {
    Progress progress = System.out::println;
    var programs = Programs.find(System.getenv(), progress);
    try (var cluster = ControlPlane.start(programs, progress)) {
      progress.report(READY + " at " + cluster.server());
      new CountDownLatch(1).await();
    }
  }
}
