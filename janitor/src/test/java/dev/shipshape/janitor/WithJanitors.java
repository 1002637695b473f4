package dev.shipshape.janitor;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests of janitors on a cluster, each with namespaces of its own. */
@ExtendWith(ControlPlaneExtension.class)
abstract class WithJanitors {
  @TempDir Path folder = Path.of("");
  TestJanitors janitors;
  TestCluster cluster;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    janitors = new TestJanitors(controlPlane, names, folder);
    cluster = janitors.cluster();
  }

  @AfterEach
  void close() {
    janitors.close();
  }
}
