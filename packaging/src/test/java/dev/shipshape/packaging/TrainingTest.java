package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void aCommandThatEndsOtherwiseThanItShouldIsNamedWithWhatItSaid() throws Exception {
    var java = folder.resolve("runtime/bin/java");
    FileTrees.write(java, "#!/bin/sh\necho out of luck\nexit 2\n");
    FileTrees.setModes(folder);
    if (!java.toFile().setExecutable(true)) {
      throw new AssertionError("could not make a program");
    }
    var runtime = new RuntimeFolder(folder.resolve("runtime"));
    var root = Path.of("..").toAbsolutePath();

    assertThatThrownBy(() -> Training.run(runtime, root, folder.resolve("training")))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("training: shipshape --version ended with 2", "out of luck");
  }
}
