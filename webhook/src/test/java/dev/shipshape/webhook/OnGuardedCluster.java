package dev.shipshape.webhook;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests that share one webhook, each with a configuration of its own. */
@ExtendWith(ControlPlaneExtension.class)
abstract class OnGuardedCluster {
  static GuardedCluster guarded;

  final int vni = GuardedCluster.newVni();

  @BeforeAll
  static void install(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    guarded = GuardedCluster.install(cluster, names, folder);
  }

  @AfterAll
  static void remove() {
    guarded.close();
  }
}
