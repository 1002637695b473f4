package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The vectors in docs, by which other languages check themselves: they are what this code computes,
 * and the page of Python beside them agrees.
 */
class HashingVectorsTest {
  private static final Path VECTORS = HashingVectors.DOCS.resolve("hashing-vectors.json");

  /** With {@code -Dvectors=write} the file is written instead of checked. */
  @Test
  void theVectorsInDocsAreWhatIsComputed() throws Exception {
    var computed = vectors().text();
    if ("write".equals(System.getProperty("vectors"))) {
      Files.writeString(VECTORS, computed);
    }

    assertThat(Files.readString(VECTORS)).isEqualTo(computed);
  }

  @Promise(
      value =
          "The hash can be computed from its description: an implementation in Python agrees on all"
              + " vectors.",
      breaks = "Changing the hash without changing its version.")
  @Test
  void anotherLanguageComesToTheSame() throws Exception {
    HashingVectors.assertAgreesWithPython(VECTORS);
  }

  private static HashingVectors vectors() {
    var vectors = new HashingVectors();
    HashingSamples.addTo(vectors);
    for (var guard : GuardSamples.GUARDS) {
      var spec = GuardSamples.spec(guard);
      var hash = vectors.add(guard, "something in every place", spec);
      var respelled = new Respelling(PresetGuards.rules(guard), new Random(0)).of(spec);
      assertThat(vectors.add(guard, "the same, written otherwise", respelled)).isEqualTo(hash);
    }
    return vectors;
  }
}
