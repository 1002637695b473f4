package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads this JVM's own libraries, as they are what an image is made of. */
class SharedLibrariesTest {
  private static final Path LIBRARIES = Path.of(System.getProperty("java.home"), "lib");

  private static Item library(String name) {
    return new Item.Copied("opt/lib/" + name, LIBRARIES.resolve(name));
  }

  @Test
  void aLibraryNamesWhatItNeeds() throws Exception {
    assertThat(SharedLibraries.needed(library("libnio.so").content()))
        .contains("libc.so.6", "libjava.so", "libnet.so");
  }

  @Test
  void whatIsNotElfNeedsNothing() {
    var text = "no program, but longer than the header of one: ".repeat(4);

    assertThat(SharedLibraries.needed(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
    assertThat(SharedLibraries.needed(new byte[0])).isEmpty();
  }

  @Test
  void whatIsNeededAndNotThereIsMissingWithWhoNeedsIt() throws Exception {
    var there =
        List.of(
            library("libnio.so"),
            new Item.Link("usr/lib/libnet.so", "elsewhere"),
            new Item.Text("lib/libjava.so", "a stand-in"),
            new Item.Text("lib/libjvm.so", "a stand-in"));

    assertThat(SharedLibraries.missing(there))
        .contains("libc.so.6, which opt/lib/libnio.so needs")
        .noneMatch(missing -> missing.contains("libnet.so,") || missing.contains("libjava.so,"));
  }
}
