package dev.shipshape.plugin.review;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.webhook.identity.CanonicalJson;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubectlScalarsTest {
  /** Made by src/test/kubectl/scalars.py. */
  private static final Path TABLE =
      Path.of("src/test/resources/dev/shipshape/plugin/review/kubectl.jsonl");

  @TempDir private Path folder = Path.of("");

  @Promise(
      value = "YAML is read as kubectl reads it.",
      breaks = "Reading scalars as YAML 1.2 defines them.")
  @Test
  void whatKubectlReadsIsReadAlike() throws Exception {
    var differences = new ArrayList<String>();
    var compared = 0;
    for (var row : rows()) {
      var data = row.path("yaml").asText();
      var read = read(data);
      var expected = canonical(row.path("json"));
      if (!read.equals(List.of(expected))) {
        differences.add("%s\n  is %s\n  to kubectl %s".formatted(data, read, expected));
      }
      compared++;
    }

    assertThat(differences).isEmpty();
    assertThat(compared).isGreaterThan(150);
  }

  /** By YAML 1.2 they are mappings; kubectl's library reads texts. */
  @ParameterizedTest
  @ValueSource(strings = {"[fd00::]", "[a, fd00::1::]", "[{fd00::}]", "[a:]"})
  void aTextThatEndsInAColonIsNotReadAsAMapping(String data) throws Exception {
    assertThat(read(data)).anyMatch(line -> line.contains("which kubectl reads as a text"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{a: 1, b}", "{a: }", "{a: , b: 1}", "{\"a\":}", "{a: [b]}"})
  void anAbsentValueIsNoText(String data) throws Exception {
    assertThat(read(data)).noneMatch(line -> line.contains("kubectl"));
  }

  /** Parsed as a number of any size, it would take minutes. */
  @Test
  void aNumberOfMillionsOfDigitsIsText() throws Exception {
    var digits = "7".repeat(3_000_000);

    assertThat(read(digits)).containsExactly('"' + digits + '"');
  }

  /** What kubectl does not refuse. */
  static List<JsonNode> rows() {
    try (var lines = Files.lines(TABLE)) {
      return lines.map(KubectlScalarsTest::row).filter(row -> !row.path("json").isNull()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode row(String line) {
    try {
      return JsonLimits.MAPPER.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> read(String data) throws IOException {
    var file = folder.resolve("a.yaml");
    Files.writeString(file, "apiVersion: v1\nkind: Thing\ndata: " + data + "\n");
    var read = new ArrayList<String>();
    ManifestReader.read(
        file.toString(),
        kind -> true,
        object -> read.add(canonical(object.json().path("data"))),
        problem -> read.add(problem.message()));
    return read;
  }

  /** As it is hashed. */
  static String canonical(JsonNode value) {
    return new String(CanonicalJson.write(value), StandardCharsets.UTF_8);
  }
}
