package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledFilesTest {
  /** Of "a". */
  private static final String SUM =
      "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";

  @TempDir private Path home = Path.of("");

  @BeforeEach
  void install() throws Exception {
    Files.createDirectories(home.resolve("runtime"));
    Files.writeString(home.resolve("LICENSE"), "a");
    Files.writeString(home.resolve("runtime/java"), "a");
    Files.writeString(home.resolve("files.sha256"), SUM + "  LICENSE\n" + SUM + "  runtime/java\n");
  }

  @Test
  void anUntouchedReleaseHasNoProblems() {
    assertThat(InstalledFiles.in(home).problems()).isEmpty();
  }

  @Test
  void changedMissingAndForeignFilesAreNamed() throws Exception {
    Files.writeString(home.resolve("LICENSE"), "b");
    Files.delete(home.resolve("runtime/java"));
    Files.writeString(home.resolve("runtime/extra"), "");
    Files.writeString(home.resolve("plugin.prov"), "Helm's own, beside the runtime");

    assertThat(InstalledFiles.in(home).problems())
        .containsExactlyInAnyOrder(
            home.resolve("LICENSE") + ": is changed",
            home.resolve("runtime/java") + ": is missing",
            home.resolve("runtime/extra") + ": is none of the release's");
  }
}
