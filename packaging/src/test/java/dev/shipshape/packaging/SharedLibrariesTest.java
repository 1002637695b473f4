package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads this JVM's own libraries, as they are what an image is made of. */
class SharedLibrariesTest {
  private static final Path LIBRARIES = Path.of(System.getProperty("java.home"), "lib");

  @TempDir private Path folder = Path.of("");

  @Test
  void aLibraryNamesWhatItNeedsAndATextNothing() throws Exception {
    var text = Files.writeString(folder.resolve("text.so"), "GROUP ( libc.so.6 )");

    assertThat(SharedLibraries.needed(LIBRARIES.resolve("libnio.so")))
        .contains("libc.so.6", "libjava.so", "libnet.so");
    assertThat(SharedLibraries.needed(text)).isEmpty();
  }

  @Test
  void whatIsNeededAndNotThereIsMissingWithWhoNeedsIt() throws Exception {
    var other = folder.resolve("other");
    FileTrees.copyFile(LIBRARIES.resolve("libnio.so"), folder.resolve("image/libnio.so"));
    Files.createSymbolicLink(folder.resolve("image/libnet.so"), Path.of("elsewhere"));
    FileTrees.write(other.resolve("libjava.so"), "a stub");
    FileTrees.write(other.resolve("libjvm.so"), "a stub");

    assertThat(SharedLibraries.missing(List.of(folder.resolve("image"), other)))
        .contains("libc.so.6, which libnio.so needs")
        .noneMatch(missing -> missing.contains("libnet.so,") || missing.contains("libjava.so,"));
  }
}
